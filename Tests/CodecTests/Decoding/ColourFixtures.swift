import Fixtures
import Pixels

extension PixelBuffer {
  /// The test picture's colors in Display P3: converted to sRGB it is the test picture again.
  static func testPictureInDisplayP3(width: Int, height: Int) -> PixelBuffer {
    // By the matrices of the two spaces: linear light, both with D65.
    let inP3: [Color: Color] = [
      TestPicture.Corner.topLeft.color: Color(red: 234, green: 51, blue: 35),
      TestPicture.Corner.topRight.color: Color(red: 117, green: 251, blue: 76),
      TestPicture.Corner.bottomLeft.color: Color(red: 0, green: 0, blue: 245),
      TestPicture.Corner.bottomRight.color: Color(red: 255, green: 255, blue: 84),
    ]
    var picture = TestPicture.make(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { picture[x, y] = inP3[picture[x, y]] ?? picture[x, y] }
    }
    return picture
  }
}
