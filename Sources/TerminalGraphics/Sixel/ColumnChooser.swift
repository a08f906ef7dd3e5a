/// Chooses the colours of a band's pixels, column by column, so that error and bytes together are least.
///
/// What a pixel costs is the squared error of its colour and `thrift` times the bytes that the colour is
/// likely to need. The nearest colour, those of the column before and the one above compete.
struct ColumnChooser {
  /// The numbers of six pixels' colours, the topmost in the lowest byte; the upper two bytes are 0.
  typealias Column = UInt64

  /// How often each colour began where the column before had none of it.
  private(set) var starts = [Int](repeating: 0, count: 256)
  private let colors: [SIMD4<Float>]
  private var nearest: NearestColors
  /// What a colour costs that the column lacks: going on in the row, going on elsewhere, beginning.
  private let (row, active, new): (Float, Float, Float)

  /// - Parameter thrift: the squared error of a pixel that a byte is worth.
  init(_ palette: ColorPalette, thrift: Float) {
    colors = palette.colors
    nearest = NearestColors(palette)
    // A change of the sixel is a byte, which a pixel of the same row less often brings; a colour that
    // begins needs its name or a gap as well.
    (row, active, new) = (thrift * 0.75, thrift, thrift * 5)
  }

  /// The nearest colours, for the first column of a band.
  mutating func first(_ bytes: UnsafeRawBufferPointer, at offset: Int, pitch: Int) -> Column {
    var column: Column = 0
    for row in 0..<6 {
      let pixel = bytes.loadUnaligned(fromByteOffset: offset &+ row &* pitch, as: UInt32.self)
      let index = nearest.index(of: pixel)
      column |= Column(index) &<< Column(row &* 8)
      starts[Int(index)] &+= 1
    }
    return column
  }

  /// The colours of the column whose topmost pixel is at `offset`; `pitch` bytes are between rows.
  @inline(__always)
  mutating func next(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, pitch: Int, after previous: Column
  ) -> Column {
    // The neighbours above and below the pixel to the left; the ends of a column stand in for what is beyond.
    let upper = previous &<< 8 | previous & 0xFF
    let lower = previous &>> 8 | previous & 0xFF00_0000_0000
    var column: Column = 0
    var above = UInt8(truncatingIfNeeded: previous)
    var aboveCost = row
    var offset = offset
    var shift: Column = 0
    while shift < 48 {
      let pixel = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      offset &+= pitch
      let left = UInt8(truncatingIfNeeded: previous &>> shift)
      var chosen = nearest.index(of: pixel)
      // Rows that aren't chosen yet look like colour 0.
      if chosen != left, chosen != above, column.rows(of: chosen) & ((1 &<< UInt8(shift &>> 3)) &- 1) == 0 {
        let channels = SIMD4<Float>(pixel: pixel)
        let isActive = previous.rows(of: chosen) != 0
        let near = min(
          cost(of: chosen, for: channels, isActive ? active : new),
          cost(of: left, for: channels, row))
        let other = min(
          cost(of: above, for: channels, aboveCost),
          cost(of: UInt8(truncatingIfNeeded: upper &>> shift), for: channels, active),
          cost(of: UInt8(truncatingIfNeeded: lower &>> shift), for: channels, active))
        let cheapest = UInt8(truncatingIfNeeded: min(near, other))
        if cheapest == chosen, !isActive { starts[Int(chosen)] &+= 1 }
        chosen = cheapest
      }
      above = chosen
      aboveCost = 0
      column |= Column(chosen) &<< shift
      shift &+= 8
    }
    return column
  }

  /// The cost of a colour in the upper three bytes, so that less is better, and its index in the lowest.
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
  /// The rows that have a colour, the topmost in the lowest bit.
  @inline(__always)
  func rows(of color: UInt8) -> UInt8 {
    // Bytes that are alike become 0, and then their highest bit.
    let difference = self ^ UInt64(color) &* 0x0101_0101_0101_0101
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    let equal = ~((difference & low) &+ low | difference | low)
    // The product puts bit 8i to bit 56 + i.
    let gathered = (equal &>> 7) &* 0x0102_0408_1020_4080
    return UInt8(truncatingIfNeeded: gathered &>> 56) & 0x3F
  }
}
