import Pixels
import Testing

@testable import Decoding

@Suite struct AnimationCanvasTests {
  private static let (red, blue) = ([255, 0, 0, 255] as [UInt8], [0, 0, 255, 255] as [UInt8])
  private static let veil: [UInt8] = [0, 255, 0, 128]

  private static func piece(
    _ color: [UInt8], _ columns: Range<Int>, _ disposal: AnimationFrame.Disposal = .keep,
    _ blending: AnimationFrame.Blending = .over
  ) -> AnimationFrame {
    let size = PixelSize(width: columns.count, height: 1)
    let bytes = Array(repeatElement(color, count: columns.count).joined())
    return AnimationFrame(
      pixels: PixelBuffer(size: size, bytes: bytes), left: columns.lowerBound, disposal: disposal,
      blending: blending, delay: .zero)
  }

  /// A row of four pixels as one letter each: a dot is transparent, a question mark is another color.
  private static func letters(_ canvas: AnimationCanvas) -> String {
    stride(from: 0, to: 16, by: 4).map { start in
      switch Array(canvas.pixels.bytes[start..<start + 4]) {
      case red: "r"
      case blue: "b"
      case veil: "v"
      case let pixel where pixel[3] == 0: "."
      default: "?"
      }
    }.joined()
  }

  static let cases: [(String, [(String, AnimationFrame)])] = [
    ("kept", [("rr..", piece(red, 0..<2)), ("rbb.", piece(blue, 1..<3))]),
    ("cleared", [("rr..", piece(red, 0..<2, .clear)), (".bb.", piece(blue, 1..<3))]),
    (
      "restored",
      [("rr..", piece(red, 0..<2)), ("rbb.", piece(blue, 1..<3, .restore)), ("rr.b", piece(blue, 3..<4))]
    ),
    (
      "restored twice",
      [
        ("rr..", piece(red, 0..<2)), ("bb..", piece(blue, 0..<2, .restore)),
        ("rrbb", piece(blue, 2..<4, .restore)), ("rrb.", piece(blue, 2..<3)),
      ]
    ),
    ("a first one restored", [("rr..", piece(red, 0..<2, .restore)), ("..b.", piece(blue, 2..<3))]),
    (
      "replaced",
      [
        ("rrrr", piece(red, 0..<4)), ("rvrr", piece(veil, 1..<2, .keep, .replace)),
        ("rvr.", piece([9, 9, 9, 0], 3..<4, .keep, .replace)), ("rvr.", piece([9, 9, 9, 0], 0..<4)),
      ]
    ),
    ("laid over nothing", [(".v..", piece(veil, 1..<2))]),
    ("laid over", [("rrrr", piece(red, 0..<4)), ("?rrr", piece(veil, 0..<1))]),
    (
      "beside the canvas",
      [("r...", piece(red, -3..<1)), ("r..b", piece(blue, 3..<9)), ("r..b", piece(blue, 6..<9))]
    ),
  ]

  @Test(arguments: cases.map(\.0))
  func `Frames are composed and disposed as they specify`(name: String) throws {
    let steps = try #require(Self.cases.first { $0.0 == name }).1
    var canvas = AnimationCanvas(size: PixelSize(width: 4, height: 1))
    for (expected, piece) in steps {
      canvas.add(piece)
      #expect(Self.letters(canvas) == expected)
    }
  }

  @Test func `Partly transparent pixels blend with those below`() {
    var canvas = AnimationCanvas(size: PixelSize(width: 4, height: 1))
    canvas.add(Self.piece(Self.red, 0..<1))
    canvas.add(Self.piece(Self.veil, 0..<2))
    canvas.add(Self.piece(Self.veil, 1..<2))
    #expect(Array(canvas.pixels.bytes[..<8]) == [127, 128, 0, 255, 0, 255, 0, 192])
  }

  @Test(arguments: [(0, 100), (10, 100), (11, 11), (20, 20), (5000, 5000)])
  func `Ten milliseconds and less become a tenth of a second`(delay: Int, shown: Int) {
    #expect(AnimationFrame.displayDuration(.milliseconds(delay)) == .milliseconds(shown))
  }
}
