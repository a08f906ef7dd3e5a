/// Chooses the colors of a band's pixels, column by column, as a compromise between error and bytes.
///
/// The cost of a pixel is the squared error of its color plus `thrift` times the bytes that the color
/// probably needs. The candidates are the nearest palette color, the colors of the neighbors in the previous
/// column, and the color of the pixel above. Each row sums up its errors since it last had the nearest color;
/// the sum is added to the cost of all other candidates, so that no error persists for long.
struct ColumnChooser {
  /// The color indices of six pixels, the topmost in the lowest byte; the upper two bytes are 0.
  typealias Column = UInt64

  /// For each color, the number of columns that have it although the previous column does not.
  private(set) var starts = [Int](repeating: 0, count: 256)
  private let colors: [SIMD4<Float>]
  private var nearest: NearestColors
  /// The costs of bytes: of continuing the row's color, of another color of the previous column, and of a
  /// color that the previous column does not have.
  private let (row, active, new): (Float, Float, Float)
  /// For each row, the squared error in excess of the nearest color's, summed since that was last chosen.
  ///
  /// One byte per row, as in `Column`, in units of `lossUnit`, 255 at most.
  private var losses: UInt64 = 0
  private let lossUnit: Float
  private var mixtures: ColorMixtures

  /// - Parameter thrift: the squared error of a pixel that is accepted to save one byte.
  init(_ palette: ColorPalette, thrift: Float) {
    colors = palette.colors
    nearest = NearestColors(palette)
    mixtures = ColorMixtures(palette)
    // A different sixel costs a byte; a pixel that continues its row's color causes one less often. A color
    // that starts also needs its name or a gap.
    (row, active, new) = (thrift * 0.75, thrift, thrift * 5)
    // Losses are rounded up to whole units, so that even small ones reach the cost of a new color within 16
    // pixels.
    lossUnit = max(1, new / 16)
  }

  /// Returns the nearest colors, for the first column of a band.
  mutating func first(_ bytes: UnsafeRawBufferPointer, at offset: Int, pitch: Int) -> Column {
    losses = 0
    var column: Column = 0
    for row in 0..<6 {
      let pixel = bytes.loadUnaligned(fromByteOffset: offset &+ row &* pitch, as: UInt32.self)
      let index = nearest.index(of: pixel)
      column |= Column(index) &<< Column(row &* 8)
      starts[Int(index)] &+= 1
    }
    return column
  }

  /// Returns the colors of the column whose topmost pixel is at `offset`; rows are `pitch` bytes apart.
  @inline(__always)
  mutating func next(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, pitch: Int, after previous: Column
  ) -> Column {
    // The neighbors above and below the pixel to the left; at the ends of a column the pixel itself.
    let upper = previous &<< 8 | previous & 0xFF
    let lower = previous &>> 8 | previous & 0xFF00_0000_0000
    var column: Column = 0
    var above = UInt8(truncatingIfNeeded: previous)
    var aboveCost = row
    var newLosses: UInt64 = 0
    var offset = offset
    var shift: Column = 0
    while shift < 48 {
      let pixel = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      offset &+= pitch
      let left = UInt8(truncatingIfNeeded: previous &>> shift)
      var chosen = nearest.index(of: pixel)
      // Rows that are not chosen yet look like color 0.
      if chosen != left, chosen != above, column.rows(of: chosen) & ((1 &<< UInt8(shift &>> 3)) &- 1) == 0 {
        let channels = SIMD4<Float>(pixel: pixel)
        let isActive = previous.rows(of: chosen) != 0
        let lost = Float(losses &>> shift & 0xFF) * lossUnit
        let near = min(
          cost(of: chosen, for: channels, isActive ? active : new),
          cost(of: left, for: channels, row + lost))
        let other = min(
          cost(of: above, for: channels, aboveCost + lost),
          cost(of: UInt8(truncatingIfNeeded: upper &>> shift), for: channels, active + lost),
          cost(of: UInt8(truncatingIfNeeded: lower &>> shift), for: channels, active + lost))
        let cheapest = UInt8(truncatingIfNeeded: min(near, other))
        if cheapest == chosen {
          if !isActive { starts[Int(chosen)] &+= 1 }
        } else {
          let loss = distance(channels, cheapest) - distance(channels, chosen) + lost
          newLosses |= UInt64(max(0, min(255, (loss / lossUnit).rounded(.up)))) &<< shift
        }
        chosen = cheapest
      }
      above = chosen
      aboveCost = 0
      column |= Column(chosen) &<< shift
      shift &+= 8
    }
    losses = newLosses
    return column
  }

  /// Returns the colors of a column in a smooth area: values between two colors are dithered in an even pattern,
  /// because steps between the colors would be visible there.
  /// - Parameters:
  ///   - x: the column.
  ///   - y: the row of its topmost pixel.
  @inline(__always)
  mutating func dithered(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, pitch: Int, x: Int, y: Int, after previous: Column
  ) -> Column {
    var column: Column = 0
    var offset = offset
    for row in 0..<6 {
      let pixel = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      offset &+= pitch
      let chosen = mixtures.index(of: pixel, x: x, y: y &+ row)
      let shift = Column(row &* 8)
      if chosen != UInt8(truncatingIfNeeded: previous &>> shift), previous.rows(of: chosen) == 0 {
        starts[Int(chosen)] &+= 1
      }
      column |= Column(chosen) &<< shift
    }
    losses = 0
    return column
  }

  /// Returns the cost of a color in the upper three bytes, so that it can be compared, and its index in the lowest.
  @inline(__always)
  private func cost(of index: UInt8, for pixel: SIMD4<Float>, _ bytes: Float) -> UInt32 {
    (distance(pixel, index) + bytes).bitPattern & 0xFFFF_FF00 | UInt32(index)
  }

  @inline(__always)
  private func distance(_ pixel: SIMD4<Float>, _ index: UInt8) -> Float {
    let difference = pixel - colors[Int(index)]
    let square = difference * difference
    return square.x + square.y + square.z
  }
}

extension ColumnChooser.Column {
  /// Returns the rows that have a color, the topmost in the lowest bit.
  @inline(__always)
  func rows(of color: UInt8) -> UInt8 {
    // Equal bytes become 0, and then their highest bit is set.
    let difference = self ^ UInt64(color) &* 0x0101_0101_0101_0101
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    let equal = ~((difference & low) &+ low | difference | low)
    // The multiplication moves bit 8i to bit 56 + i.
    let gathered = (equal &>> 7) &* 0x0102_0408_1020_4080
    return UInt8(truncatingIfNeeded: gathered &>> 56) & 0x3F
  }
}

/// Which two colors of the palette a dithered pixel mixes, and in which ratio.
private struct ColorMixtures {
  private struct Mixture {
    /// The pixel that it is for, without the lowest bits.
    var pixel: UInt32 = .max
    /// The nearest color.
    var first: UInt8 = 0
    var second: UInt8 = 0
    /// How many 64ths are of the second color, 32 at most.
    var share: UInt8 = 0
    /// Whether the two colors are so similar that lines of them look like the mean.
    var isStep = false
  }

  private var lookup: ColorLookup
  /// The most recently computed mixture of each slot.
  ///
  /// Allocated on first use: pictures without dithering need none.
  private var known: [Mixture] = []

  private static let slotBits: UInt32 = 14
  /// The upper 7 bits of each channel: pixels that differ only in the lowest bit get the same mixture.
  private static let mask: UInt32 = 0xFE_FEFE
  /// The squared error that needs no second color: less than one step of the sixel scale.
  private static let tolerance: Float = 2.5
  /// Weight of a pattern's contrast relative to the error of its mean.
  private static let contrastWeight: Float = 0.2
  /// The squared distance of colors that are one step of the sixel scale apart in each channel, and a little more.
  private static let step: Float = 22

  init(_ palette: ColorPalette) {
    lookup = ColorLookup(palette.colors)
  }

  /// Returns the color for an RGBA pixel, read as a little-endian word, at a position in the picture.
  @inline(__always)
  mutating func index(of pixel: UInt32, x: Int, y: Int) -> UInt8 {
    if known.isEmpty { known = [Mixture](repeating: Mixture(), count: 1 << Self.slotBits) }
    let color = pixel & Self.mask
    let slot = Int((color &* 0x9E37_79B1) &>> (32 &- Self.slotBits))
    if known[slot].pixel != color { known[slot] = mixture(for: color) }
    let mixture = known[slot]
    let threshold =
      mixture.isStep
      ? Self.lines[y % 6 &+ 6 &* (x &>> 4 & 1)]
      : Self.points[(y & 7) &<< 3 | x & 7]
    return threshold < mixture.share ? mixture.second : mixture.first
  }

  @inline(never)
  private mutating func mixture(for pixel: UInt32) -> Mixture {
    let color = SIMD4<Float>(pixel: pixel) + 0.5
    let first = lookup.nearest(to: color)
    var mixture = Mixture(pixel: pixel, first: UInt8(first))
    lookup.withCandidates(for: color) { candidates in
      guard let nearest = candidates.first(where: { Int($0.w) == first }) else { return }
      let missing = (color - nearest).withoutIndex
      var least = missing.squaredLength
      if least <= Self.tolerance { return }
      for candidate in candidates where Int(candidate.w) != first {
        let way = (candidate - nearest).withoutIndex
        let length = way.squaredLength
        let share = min((missing * way).sum() / length, 0.5)
        guard share > 0 else { continue }
        let error =
          (missing - way * share).squaredLength + Self.contrastWeight * share * (1 - share) * length
        if error < least {
          least = error
          mixture.second = UInt8(candidate.w)
          mixture.share = UInt8(share * 64 + 0.5)
          mixture.isStep = length <= Self.step
        }
      }
    }
    return mixture
  }

  /// The thresholds of a band's six rows, first for even groups of 16 columns, then for odd ones.
  ///
  /// Inside a group they depend on the row only, so that adjacent columns are equal and cost no bytes.
  private static let lines: [UInt8] = [5, 37, 16, 48, 27, 58, 37, 16, 48, 27, 58, 5]

  /// The thresholds of 8 by 8 pixels, row by row, for colors that are further apart: the ordered pattern of Bayer,
  /// An optimum method for two-level rendition of continuous-tone pictures, 1973.
  private static let points: [UInt8] = (0..<64).map { place in
    let (x, y) = (place & 7, place >> 3)
    var value = 0
    for bit in 0..<3 {
      let (column, row) = (x >> bit & 1, y >> bit & 1)
      value |= (column ^ row) << (5 - 2 * bit) | row << (4 - 2 * bit)
    }
    return UInt8(value)
  }
}

extension SIMD4<Float> {
  /// The vector with `w` set to 0; in candidates, `w` holds the index of the color.
  fileprivate var withoutIndex: SIMD4<Float> { SIMD4(x, y, z, 0) }
  fileprivate var squaredLength: Float { (self * self).sum() }
}
