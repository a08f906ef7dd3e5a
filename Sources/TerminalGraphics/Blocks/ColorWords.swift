/// The parameters of SGR for colours, ready to be written.
struct ColorWords: Sendable {
  /// Up to eight bytes, the first lowest.
  struct Word: Sendable {
    var bytes: UInt64
    var count: Int

    init(_ text: String) {
      bytes = text.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
      count = text.utf8.count
    }
  }

  /// Whether colours are red, green and blue, not indices.
  let isDirect: Bool
  /// What stands before red, green and blue.
  let introducer: Word
  private let words: [Word]

  /// The parameters for an index.
  subscript(index: Int) -> Word { words[index] }

  /// - Parameter base: 30 for text, 40 for its background.
  init(_ depth: ColorDepth, base: Int) {
    isDirect = depth == .trueColor
    introducer = Word("\(base + 8);2;")
    switch depth {
    case .trueColor, .monochrome: words = []
    case .palette256: words = base == 30 ? Self.indexedFronts : Self.indexedBacks
    case .sixteen, .eight: words = base == 30 ? Self.namedFronts : Self.namedBacks
    }
  }

  static func number(_ level: UInt32) -> Word { numbers[Int(level)] }

  private static let numbers = (0..<256).map { Word("\($0)") }
  private static let indexedFronts = (0..<256).map { Word("38;5;\($0)") }
  private static let indexedBacks = (0..<256).map { Word("48;5;\($0)") }
  private static let namedFronts = (0..<16).map { Word("\($0 < 8 ? 30 + $0 : 82 + $0)") }
  private static let namedBacks = (0..<16).map { Word("\($0 < 8 ? 40 + $0 : 92 + $0)") }
}
