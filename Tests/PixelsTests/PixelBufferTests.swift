import Pixels
import Testing

@Suite struct PixelBufferTests {
  @Test func `A dimmed picture is two thirds background, and keeps its alpha`() {
    let picture = PixelBuffer(size: PixelSize(width: 2, height: 1), bytes: [255, 3, 0, 255, 90, 2, 1, 128])
    #expect(picture.faded(toward: .black).bytes == [85, 1, 0, 255, 30, 0, 0, 128])
    #expect(picture.faded(toward: .black).size == picture.size)
    #expect(picture.faded(toward: .white).bytes.dropFirst(3).first == 255)
    #expect(picture.faded(toward: .white).bytes[0] == 255 && picture.faded(toward: .white).bytes[2] >= 170)
  }

  @Test(arguments: [PixelSize(width: 96, height: 102), PixelSize(width: 48, height: 48)], [2, 3, 4])
  func `A frame has the same thickness on all four sides`(size: PixelSize, thickness: Int) {
    let (ground, color) = (Color(red: 90, green: 60, blue: 30), Color(red: 0, green: 205, blue: 205))
    let framed = PixelBuffer(size: size, filledWith: ground).framed(color, thickness: thickness)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let distance = min(x, y, size.width - 1 - x, size.height - 1 - y)
        let dark = Color(red: 30, green: 20, blue: 10)
        #expect(framed[x, y] == (distance < thickness ? color : distance == thickness ? dark : ground))
      }
    }
  }

  @Test func `A small picture is not all frame`() {
    let size = PixelSize(width: 8, height: 8)
    let framed = PixelBuffer(size: size, filledWith: .black).framed(.white, thickness: 6)
    #expect(framed[0, 0] == .white && framed[2, 2] == .black)
  }
}
