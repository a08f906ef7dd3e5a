import Pixels

/// Draws without colours: what is bright is ink.
///
/// Patterns come from error diffusion over the parts of the cells (Floyd and Steinberg, "An adaptive algorithm
/// for spatial greyscale", 1976), one row of cells after the other; ASCII is a ramp of brightness.
struct InkDrawing {
  private let symbols: BlockSymbols
  private let isInkDark: Bool
  /// What the last row of parts has left to the next, with one more at each end.
  private var carried: [Float]

  /// - Parameters:
  ///   - columns: the cells of a row.
  ///   - isInkDark: whether text is darker than its background.
  init(symbols: BlockSymbols, columns: Int, isInkDark: Bool) {
    self.symbols = symbols
    self.isInkDark = isInkDark
    carried = [Float](repeating: 0, count: columns * symbols.grid.width + 2)
  }

  /// The text of the next row.
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

  /// The share of ink from 0 to 255 (ITU-R BT.601 weights).
  private func brightness(_ samples: CellSamples, part: Int, column: Int) -> Float {
    let color = samples.color(part: part, column: column)
    let level = (color * SIMD4(0.299, 0.587, 0.114, 0)).sum()
    return isInkDark ? 255 - level : level
  }
}
