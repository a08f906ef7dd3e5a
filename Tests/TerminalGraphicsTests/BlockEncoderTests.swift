import Fixtures
import Pixels
import TerminalGraphics
import Testing

@Suite struct BlockEncoderTests {
  private static let cell = PixelSize(width: 10, height: 20)

  private func foreground(of strip: EncodedPicture.Strip?) throws -> Color {
    let strip = try #require(strip)
    return try #require(AnsiColors.foreground(of: strip.bytes))
  }

  private static let red = Color(red: 255, green: 0, blue: 0)

  @Test(arguments: [
    (ColorDepth.trueColor, "\u{1B}[38;2;255;0;0;48;2;255;0;0m▀▀\u{1B}[0m"),
    (.palette256, "\u{1B}[38;5;196;48;5;196m▀▀\u{1B}[0m"),
    (.sixteen, "\u{1B}[91;101m▀▀\u{1B}[0m"),
    (.eight, "\u{1B}[31;41m▀▀\u{1B}[0m"),
  ])
  func `Each depth writes colours its way, once for cells alike`(depth: ColorDepth, text: String) {
    let picture = PixelBuffer(size: PixelSize(width: 8, height: 8), filledWith: Self.red)
    let encoded = BlockEncoder(cell: Self.cell, depth: depth).encode(picture)
    #expect(encoded.size == CellSize(columns: 2, rows: 1))
    #expect(encoded.strips.map { String(decoding: $0.bytes, as: UTF8.self) } == [text])
  }

  static let inks: [(Color, Character)] = [
    (.black, " "), (.white, "@"), (Color(red: 128, green: 128, blue: 128), "+"),
  ]

  @Test(arguments: inks)
  func `Without colours brightness is ink, and nothing else is written`(color: Color, mark: Character) {
    let picture = PixelBuffer(size: PixelSize(width: 12, height: 16), filledWith: color)
    let encoded = BlockEncoder(cell: Self.cell, depth: .monochrome).encode(picture)
    let line = String(repeating: mark, count: 3)
    #expect(encoded.strips.map { String(decoding: $0.bytes, as: UTF8.self) } == [line, line])
  }

  @Test(arguments: [ColorDepth.trueColor, .palette256, .sixteen, .eight])
  func `The nearest colour is chosen`(depth: ColorDepth) throws {
    for level in stride(from: UInt8(0), through: 250, by: 10) {
      for color in [
        Color(red: level, green: level, blue: level), Color(red: level, green: 0, blue: 255 - level),
      ] {
        let picture = PixelBuffer(size: PixelSize(width: 4, height: 8), filledWith: color)
        let encoded = BlockEncoder(cell: Self.cell, depth: depth).encode(picture)
        let distance = try foreground(of: encoded.strips.first).squaredDistance(to: color)
        let least = AnsiColors.all(depth).map { $0.squaredDistance(to: color) }.min() ?? 0
        // The nearest grey is found by a rounded mean.
        #expect(distance <= least + 30, "\(color)")
      }
    }
  }

  @Test func `The corners are where they were`() throws {
    let encoder = BlockEncoder(cell: Self.cell, depth: .trueColor)
    let picture = TestPicture.make(encoder.grain.pixels(for: CellSize(columns: 16, rows: 8)))
    let encoded = encoder.encode(picture)
    #expect(encoded.size == CellSize(columns: 16, rows: 8))
    #expect(encoded.covered == encoded.size)
    #expect(encoded.strips.map(\.row) == Array(0..<8))
    #expect(TestPicture.Corner(of: try foreground(of: encoded.strips.first)) == .topLeft)
    #expect(TestPicture.Corner(of: try foreground(of: encoded.strips.last)) == .bottomLeft)
    for strip in encoded.strips {
      #expect(String(decoding: strip.bytes, as: UTF8.self).count { $0 == "▀" } == 16)
    }
  }

  @Test func `Even one pixel is a cell`() {
    let encoder = BlockEncoder(cell: Self.cell, depth: .trueColor)
    let encoded = encoder.encode(TestPicture.make(width: 1, height: 1))
    #expect(encoded.size == CellSize(columns: 1, rows: 1))
  }
}

/// Reads the colours that SGR sequences name, as xterm shows them.
private enum AnsiColors {
  /// The first colour of text in a strip.
  static func foreground(of bytes: [UInt8]) -> Color? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let start = text.firstIndex(of: "["), let end = text.firstIndex(of: "m") else { return nil }
    let numbers = text[text.index(after: start)..<end].split(separator: ";").compactMap { Int($0) }
    guard let kind = numbers.first else { return nil }
    switch kind {
    case 38 where numbers.count > 4 && numbers[1] == 2:
      return Color(red: UInt8(numbers[2]), green: UInt8(numbers[3]), blue: UInt8(numbers[4]))
    case 38 where numbers.count > 2: return indexed(numbers[2])
    case 30...37: return sixteen[kind - 30]
    case 90...97: return sixteen[kind - 90 + 8]
    default: return nil
    }
  }

  /// The colours of a depth; none where every colour can be had.
  static func all(_ depth: ColorDepth) -> [Color] {
    switch depth {
    case .palette256: (16..<256).map(indexed)
    case .sixteen: sixteen
    case .eight: Array(sixteen.prefix(8))
    case .trueColor, .monochrome: []
    }
  }

  private static func indexed(_ index: Int) -> Color {
    if index < 16 { return sixteen[index] }
    if index >= 232 {
      let level = UInt8(8 + 10 * (index - 232))
      return Color(red: level, green: level, blue: level)
    }
    let steps: [UInt8] = [0, 95, 135, 175, 215, 255]
    let cube = index - 16
    return Color(red: steps[cube / 36], green: steps[cube / 6 % 6], blue: steps[cube % 6])
  }

  private static let sixteen: [Color] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
    (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255),
    (255, 0, 255), (0, 255, 255), (255, 255, 255),
  ].map { Color(red: $0.0, green: $0.1, blue: $0.2) }
}
