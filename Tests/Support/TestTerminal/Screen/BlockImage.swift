/// Pixels read from the colors of cells.
package struct BlockImage: Equatable, Sendable {
  /// The width in pixels, one per column.
  package let width: Int
  /// The height in pixels, two per row.
  package let height: Int
  /// Red, green and blue of all pixels, row by row.
  package let rgb: [UInt8]

  /// The color of a pixel.
  package func color(x: Int, y: Int) -> TerminalRGB {
    let base = (y * width + x) * 3
    return TerminalRGB(rgb[base], rgb[base + 1], rgb[base + 2])
  }
}

/// How much of the upper and lower half of its cell a character covers, 0 to 1.
struct BlockCoverage: Equatable {
  var top: Double
  var bottom: Double

  init(top: Double, bottom: Double) {
    self.top = top
    self.bottom = bottom
  }

  init(of text: String) {
    let scalar = text.unicodeScalars.first?.value ?? 0x20
    switch scalar {
    case 0x20, 0xA0: self.init(top: 0, bottom: 0)
    case 0x2580: self.init(top: 1, bottom: 0)
    case 0x2581...0x2588:
      let eighths = Double(scalar - 0x2580)
      self.init(top: max(eighths - 4, 0) / 4, bottom: min(eighths, 4) / 4)
    case 0x2589...0x258F: self.init(even: Double(0x2590 - scalar) / 8)
    case 0x2590: self.init(even: 0.5)
    case 0x2591...0x2593: self.init(even: Double(scalar - 0x2590) / 4)
    case 0x2594: self.init(top: 0.25, bottom: 0)
    case 0x2595: self.init(even: 0.125)
    case 0x2596...0x259F: self.init(quadrants: Self.quadrants[Int(scalar - 0x2596)])
    case 0x1FB00...0x1FB3B: self.init(sextant: Int(scalar - 0x1FB00))
    default: self.init(even: 0.5)
    }
  }

  private init(even share: Double) { self.init(top: share, bottom: share) }

  /// Bits from the top left on, row by row.
  private init(quadrants bits: Int) {
    self.init(
      top: Double(bits & 1 + bits >> 1 & 1) / 2, bottom: Double(bits >> 2 & 1 + bits >> 3 & 1) / 2)
  }

  /// The sextants leave out the characters of other block sets: empty, left half, right half and full.
  private init(sextant index: Int) {
    var bits = index + 1
    if bits >= 0b010101 { bits += 1 }
    if bits >= 0b101010 { bits += 1 }
    let row = { (number: Int) in Double((bits >> (number * 2)) & 1 + (bits >> (number * 2 + 1)) & 1) }
    self.init(top: (2 * row(0) + row(1)) / 6, bottom: (row(1) + 2 * row(2)) / 6)
  }

  /// U+2596 ▖ to U+259F ▟.
  private static let quadrants = [
    0b0100, 0b1000, 0b0001, 0b1101, 0b1001, 0b0111, 0b1011, 0b0010, 0b0110, 0b1110,
  ]
}
