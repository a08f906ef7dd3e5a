import Pixels

/// The characters for all patterns of a cell.
///
/// A pattern has a bit for every part in the foreground: the lowest for the top left, then row by row.
struct BlockGlyphs: Sendable {
  /// A character in UTF-8, its first byte lowest.
  struct Glyph: Sendable {
    var bytes: UInt32
    var count: Int
  }

  private let glyphs: [Glyph]

  subscript(pattern: UInt32) -> Glyph { glyphs[Int(pattern)] }

  /// Returns the characters of a set of symbols; for ASCII only the blank.
  static func of(_ symbols: BlockSymbols) -> BlockGlyphs {
    switch symbols {
    case .ascii: BlockGlyphs(" ")
    case .half: halves
    case .quadrant: quadrants
    case .sextant: sextants
    case .octant: octants
    }
  }

  private static let halves = BlockGlyphs(" ▀▄█")
  private static let quadrants = BlockGlyphs(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")

  /// U+1FB00 to U+1FB3B in the order of their patterns, without those that are quadrants or blank (Unicode 13,
  /// Symbols for Legacy Computing).
  private static let sextants = BlockGlyphs(
    parts: 6, first: 0x1FB00, others: [0: " ", 0b010101: "▌", 0b101010: "▐", 0b111111: "█"])

  /// U+1CD00 to U+1CDE5 in the order of their patterns, without those that other blocks cover (Unicode 16, Symbols
  /// for Legacy Computing Supplement).
  private static let octants: BlockGlyphs = {
    var others: [Int: Character] = [
      0b0000_0001: "\u{1CEA8}", 0b0000_0010: "\u{1CEAB}", 0b0100_0000: "\u{1CEA3}",
      0b1000_0000: "\u{1CEA0}", 0b0000_0011: "\u{1FB82}", 0b1100_0000: "▂", 0b0011_1111: "\u{1FB85}",
      0b1111_1100: "▆", 0b0001_0100: "\u{1FBE6}", 0b0010_1000: "\u{1FBE7}",
    ]
    for (pattern, character) in " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".enumerated() {
      let upper = (pattern & 3) * 0b101
      let lower = (pattern >> 2) * 0b101
      others[upper | lower << 4] = character
    }
    return BlockGlyphs(parts: 8, first: 0x1CD00, others: others)
  }()

  private init(_ characters: String) {
    glyphs = characters.map { Glyph($0) }
  }

  /// Counts up from `first`, skipping patterns whose characters are elsewhere.
  private init(parts: Int, first: UInt32, others: [Int: Character]) {
    var next = first
    glyphs = (0..<(1 << parts)).map { pattern in
      if let other = others[pattern] { return Glyph(other) }
      defer { next += 1 }
      return Glyph(Unicode.Scalar(next).map(Character.init) ?? " ")
    }
  }
}

extension BlockGlyphs.Glyph {
  fileprivate init(_ character: Character) {
    bytes = character.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    count = character.utf8.count
  }
}

/// Draws without colors: bright areas become ink.
///
/// Patterns come from error diffusion over the parts of the cells (Floyd and Steinberg, "An adaptive algorithm for
/// spatial greyscale", 1976), one row of cells after the other; ASCII uses a brightness ramp.
struct InkDrawing {
  private let symbols: BlockSymbols
  private let isInkDark: Bool
  /// Errors passed on from the last row of parts, with one more at each end.
  private var carried: [Float]

  /// - Parameters:
  ///   - columns: number of cells in a row.
  ///   - isInkDark: whether text is darker than its background.
  init(symbols: BlockSymbols, columns: Int, isInkDark: Bool) {
    self.symbols = symbols
    self.isInkDark = isInkDark
    carried = [Float](repeating: 0, count: columns * symbols.grid.width + 2)
  }

  /// Returns the text of the next row.
  mutating func row(_ samples: CellSamples) -> [UInt8] {
    symbols == .ascii ? letters(samples) : blocks(samples)
  }

  /// From dark to bright, by ink.
  private static let ramp = Array(" .,:;-=+*xoX#%8@".utf8)

  private func letters(_ samples: CellSamples) -> [UInt8] {
    (0..<samples.columns).map { column in
      let level = Int(brightness(samples, part: 0, column: column).rounded())
      return Self.ramp[level * (Self.ramp.count - 1) / 255]
    }
  }

  private mutating func blocks(_ samples: CellSamples) -> [UInt8] {
    let grid = symbols.grid
    var patterns = [UInt32](repeating: 0, count: samples.columns)
    for row in 0..<grid.height {
      var next = [Float](repeating: 0, count: carried.count)
      var ahead: Float = 0
      for at in 0..<(samples.columns * grid.width) {
        let part = row * grid.width + at % grid.width
        let wanted = brightness(samples, part: part, column: at / grid.width) + ahead + carried[at + 1]
        let isInk = wanted >= 128
        if isInk { patterns[at / grid.width] |= 1 << UInt32(part) }
        let error = (wanted - (isInk ? 255 : 0)) / 16
        ahead = error * 7
        next[at] += error * 3
        next[at + 1] += error * 5
        next[at + 2] += error
      }
      carried = next
    }
    let glyphs = BlockGlyphs.of(symbols)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.columns * 4)
    for pattern in patterns {
      let glyph = glyphs[pattern]
      withUnsafeBytes(of: glyph.bytes.littleEndian) { bytes.append(contentsOf: $0.prefix(glyph.count)) }
    }
    return bytes
  }

  /// Returns the amount of ink, from 0 to 255 (ITU-R BT.601 weights).
  private func brightness(_ samples: CellSamples, part: Int, column: Int) -> Float {
    let color = samples.color(part: part, column: column)
    let level = (color * SIMD4(0.299, 0.587, 0.114, 0)).sum()
    return isInkDark ? 255 - level : level
  }
}
