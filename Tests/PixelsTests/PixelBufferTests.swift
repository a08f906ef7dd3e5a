import Pixels
import Testing

@Suite struct PixelBufferTests {
  @Test func `A darkened picture has a third of the light and all of its alpha`() {
    let picture = PixelBuffer(size: PixelSize(width: 2, height: 1), bytes: [255, 3, 0, 255, 90, 2, 1, 128])
    #expect(picture.darkened().bytes == [85, 1, 0, 255, 30, 0, 0, 128])
    #expect(picture.darkened().size == picture.size)
  }
}
