import Pixels
import Testing

@Suite struct NormalizedRectTests {
  @Test(arguments: 0..<4) func `NaN yields no part`(place: Int) {
    var values = [0.1, 0.2, 0.5, 0.5]
    values[place] = .nan
    #expect(NormalizedRect(x: values[0], y: values[1], width: values[2], height: values[3]) == nil)
  }

  @Test func `A part is clipped to the picture`() throws {
    let rect = try #require(NormalizedRect(x: -0.5, y: 0.5, width: 1, height: 2))
    #expect([rect.x, rect.y, rect.width, rect.height] == [0, 0.5, 0.5, 0.5])
  }

  @Test(
    arguments: [
      (0.5, 0.5, 0, 0.5), (0.5, 0.5, 0.5, 0), (0.5, 0.5, 0.5, -1), (1, 0, 1, 1), (0, 1, 1, 1), (0, -1, 1, 1),
    ] as [(Double, Double, Double, Double)])
  func `An empty rectangle is no part`(x: Double, y: Double, width: Double, height: Double) {
    #expect(NormalizedRect(x: x, y: y, width: width, height: height) == nil)
  }

  @Test(arguments: Orientation.allCases)
  func `A part of the upright picture maps to the same part of the stored one`(
    orientation: Orientation
  ) throws {
    let stored = PixelSize(width: 40, height: 20)
    let part = try #require(NormalizedRect(x: 0.1, y: 0.2, width: 0.5, height: 0.4))
    let pixels = (0..<stored.area).flatMap { [UInt8($0 & 255), UInt8($0 >> 8), 0, 255] as [UInt8] }
    let picture = PixelBuffer(size: stored, bytes: pixels)
    func cut(_ picture: PixelBuffer, _ part: NormalizedRect) -> PixelBuffer {
      let region = part.region(in: picture.size)
      return picture.cropped(
        x: Int(region.x.rounded()), y: Int(region.y.rounded()),
        to: PixelSize(width: Int(region.width.rounded()), height: Int(region.height.rounded())))
    }
    let upright = cut(picture.upright(from: orientation), part)
    #expect(cut(picture, part.stored(with: orientation)).upright(from: orientation) == upright)
  }
}
