import Fixtures
import Pixels
import Testing

@Suite struct BackdropTests {
  private static let blue = Color(red: 0, green: 0, blue: 200)

  /// A row of red pixels with these alphas.
  private static func row(_ alphas: [UInt8]) -> PixelBuffer {
    PixelBuffer(size: PixelSize(width: alphas.count, height: 1), bytes: alphas.flatMap { [255, 0, 0, $0] })
  }

  @Test func `Transparent pixels show the backdrop, opaque ones do not, others in proportion`() {
    let result = Self.row([0, 51, 128, 255]).composited(
      over: .color(Self.blue), cell: PixelSize(width: 4, height: 8))
    #expect(result.bytes == [0, 0, 200, 255, 51, 0, 160, 255, 128, 0, 100, 255, 255, 0, 0, 255])
  }

  @Test func `An opaque picture is unchanged`() {
    let picture = TestScene.make(PixelSize(width: 19, height: 7))
    #expect(picture.composited(over: .checkerboard, cell: PixelSize(width: 3, height: 7)) == picture)
  }

  @Test func `A checkerboard has squares of two grays`() {
    let size = PixelSize(width: 12, height: 8)
    let picture = PixelBuffer(size: size, bytes: [UInt8](repeating: 0, count: size.area * 4))
    let result = picture.composited(over: .checkerboard, cell: PixelSize(width: 4, height: 8))
    #expect(result.isOpaque)
    for y in 0..<8 {
      for x in 0..<12 {
        let isFirst = (x / 4 + y / 4) % 2 == 0
        #expect(result[x, y] == (isFirst ? result[0, 0] : result[4, 0]))
      }
    }
    #expect(result[0, 0] != result[4, 0])
  }

  static let terminals: [(background: Color?, colors: String?, color: Color)] = [
    (nil, nil, .black), (nil, "0;15", .white), (nil, "12;default;7", .white), (nil, "15;0", .black),
    (nil, "", .black), (blue, "0;15", blue), (.white, nil, .white),
  ]

  @Test(arguments: terminals)
  func `The terminal's answer has precedence, then the environment; the default is black`(
    terminal: (background: Color?, colors: String?, color: Color)
  ) {
    let backdrop = Backdrop(background: terminal.background, colors: terminal.colors)
    #expect(backdrop == .color(terminal.color))
  }
}
