import Pixels

/// Writes rows of cells as text, with as few control sequences as the colors allow.
///
/// Control sequences: SGR of ECMA-48 (section 8.3.117), 256 colors and true color in xterm's form.
struct BlockText {
  private let glyphs: BlockGlyphs
  private let full: UInt32
  private let fronts: ColorWords
  private let backs: ColorWords
  private var bytes: UnsafeMutablePointer<UInt8>
  private var end = 0
  private var front = Self.none
  private var back = Self.none

  /// No color.
  private static let none = UInt32.max
  /// A cell with both colors: 2 + 16 + 1 + 16 + 1 bytes and a character of 4, written 8 at a time.
  private static let largestCell = 48
  /// Colors whose squared distance is at most this count as equal: two levels of one channel are indistinguishable,
  /// and an unchanged color costs nothing.
  private static let tolerance: Int32 = 6

  /// Returns the text of one row.
  static func row(
    _ cells: UnsafeMutableBufferPointer<BlockCell>, symbols: BlockSymbols, depth: ColorDepth
  ) -> [UInt8] {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: (cells.count + 1) * largestCell) { buffer in
      guard let start = buffer.baseAddress else { return [] }
      var text = BlockText(symbols: symbols, depth: depth, bytes: start)
      for cell in cells { text.write(cell) }
      if text.front != none || text.back != none { text.append(0x6D_5B1B, count: 3) }
      return Array(buffer[..<text.end])
    }
  }

  private init(symbols: BlockSymbols, depth: ColorDepth, bytes: UnsafeMutablePointer<UInt8>) {
    self.bytes = bytes
    glyphs = .of(symbols)
    full = 1 << UInt32(symbols.grid.area) - 1
    fronts = ColorWords(depth, base: 30)
    backs = ColorWords(depth, base: 40)
  }

  private mutating func write(_ cell: BlockCell) {
    guard cell.pattern != 0, cell.front != cell.back else {
      set(front: front, back: cell.back)
      append(0x20, count: 1)
      return
    }
    // The same cell has two forms, with foreground and background swapped and the pattern inverted.
    let misses = (matches(front, cell.front) ? 0 : 1) + (matches(back, cell.back) ? 0 : 1)
    let others = (matches(front, cell.back) ? 0 : 1) + (matches(back, cell.front) ? 0 : 1)
    if misses <= others {
      set(front: cell.front, back: cell.back)
      append(glyphs[cell.pattern])
    } else {
      set(front: cell.back, back: cell.front)
      append(glyphs[full ^ cell.pattern])
    }
  }

  /// Writes the colors that change, if any.
  private mutating func set(front: UInt32, back: UInt32) {
    let hasFront = front == Self.none || matches(self.front, front)
    let hasBack = matches(self.back, back)
    if hasFront, hasBack { return }
    append(0x5B1B, count: 2)
    if !hasFront {
      append(front, fronts)
      self.front = front
    }
    if !hasBack {
      if !hasFront { append(0x3B, count: 1) }
      append(back, backs)
      self.back = back
    }
    append(0x6D, count: 1)
  }

  /// Returns whether the current color is close enough to the wanted one.
  private func matches(_ set: UInt32, _ wanted: UInt32) -> Bool {
    if set == wanted { return true }
    guard set != Self.none, fronts.isDirect else { return false }
    func difference(_ shift: UInt32) -> Int32 {
      Int32(truncatingIfNeeded: (set &>> shift) & 0xFF)
        &- Int32(truncatingIfNeeded: (wanted &>> shift) & 0xFF)
    }
    let (red, green, blue) = (difference(0), difference(8), difference(16))
    return red &* red &+ green &* green &+ blue &* blue <= Self.tolerance
  }

  private mutating func append(_ color: UInt32, _ words: ColorWords) {
    guard words.isDirect else {
      append(words[Int(color)])
      return
    }
    append(words.introducer)
    append(ColorWords.number(color & 0xFF))
    append(0x3B, count: 1)
    append(ColorWords.number(color &>> 8 & 0xFF))
    append(0x3B, count: 1)
    append(ColorWords.number(color &>> 16 & 0xFF))
  }

  private mutating func append(_ glyph: BlockGlyphs.Glyph) { append(UInt64(glyph.bytes), count: glyph.count) }
  private mutating func append(_ word: ColorWords.Word) { append(word.bytes, count: word.count) }

  /// Writes eight bytes, of which the first `count` are kept; the buffer has room for all.
  private mutating func append(_ word: UInt64, count: Int) {
    UnsafeMutableRawPointer(bytes + end).storeBytes(of: word.littleEndian, as: UInt64.self)
    end &+= count
  }
}

/// The content of one cell: a pattern and its two colors.
struct BlockCell: Equatable {
  /// A bit for every part in the foreground, as in `BlockGlyphs`; 0 means only background.
  var pattern: UInt32 = 0
  /// Red, green and blue from the lowest byte on, or an index into the palette.
  var front: UInt32 = 0
  var back: UInt32 = 0
}

/// SGR parameters for colors, ready to be written.
private struct ColorWords: Sendable {
  /// Up to eight bytes, the first lowest.
  struct Word: Sendable {
    var bytes: UInt64
    var count: Int

    init(_ text: String) {
      bytes = text.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
      count = text.utf8.count
    }
  }

  /// Whether colors are red, green and blue rather than indices.
  let isDirect: Bool
  /// The prefix of red, green and blue.
  let introducer: Word
  private let words: [Word]

  /// The parameters for an index.
  subscript(index: Int) -> Word { words[index] }

  /// - Parameter base: 30 for the foreground, 40 for the background.
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
