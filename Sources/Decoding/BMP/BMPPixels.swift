import Pixels

/// From the rows of a bitmap to rows of RGB or RGBA.
struct BMPPixels {
  /// The bits of one colour in a pixel, and the level that each value stands for.
  private struct Field {
    var mask: UInt32
    var shift: UInt32
    var levels: [UInt8]

    init(_ mask: UInt32) {
      self.mask = mask
      let first = UInt32(mask == 0 ? 0 : mask.trailingZeroBitCount)
      let bits = 32 - UInt32((mask >> first).leadingZeroBitCount)
      // Of more than 8 bits the first 8 say all that is shown.
      shift = first + (bits > 8 ? bits - 8 : 0)
      let most = (1 << Int(min(8, bits))) - 1
      levels = (0...max(0, most)).map { most == 0 ? 0 : UInt8(($0 * 255 + most / 2) / most) }
    }

    func level(_ pixel: UInt32) -> UInt8 { levels[Int((pixel & mask) >> shift)] }
  }

  let layout: RowAverager.Layout
  private let width: Int
  private let depth: Int
  private let palette: [UInt8]
  private let fields: [Field]
  private let isPlain: Bool

  /// - Parameter palette: three bytes a colour, red first; for every index there is one.
  init(_ header: BMPHeader, palette: [UInt8]) {
    width = header.size.width
    depth = header.depth
    self.palette = palette
    layout = header.masks.w != 0 ? .rgba : .rgb
    fields = (0..<4).map { Field(header.masks[$0]) }
    isPlain = header.depth == 32 && header.masks == SIMD4(0xFF_0000, 0xFF00, 0xFF, 0)
  }

  /// Converts a row as it is stored; `row` has room for the whole width.
  func convert(_ stored: UnsafeRawBufferPointer, into row: UnsafeMutableRawBufferPointer) {
    switch depth {
    case 24: reorder(stored, 3, into: row)
    case 32 where isPlain: reorder(stored, 4, into: row)
    case 16, 32: split(stored, into: row)
    default: look(stored, into: row)
    }
  }

  private func reorder(
    _ stored: UnsafeRawBufferPointer, _ stride: Int, into row: UnsafeMutableRawBufferPointer
  ) {
    for x in 0..<width {
      row[x * 3] = stored[x * stride + 2]
      row[x * 3 + 1] = stored[x * stride + 1]
      row[x * 3 + 2] = stored[x * stride]
    }
  }

  private func split(_ stored: UnsafeRawBufferPointer, into row: UnsafeMutableRawBufferPointer) {
    for x in 0..<width {
      let pixel =
        depth == 16
        ? UInt32(UInt16(littleEndian: stored.loadUnaligned(fromByteOffset: x * 2, as: UInt16.self)))
        : UInt32(littleEndian: stored.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self))
      for channel in 0..<layout.rawValue {
        row[x * layout.rawValue + channel] = fields[channel].level(pixel)
      }
    }
  }

  private func look(_ stored: UnsafeRawBufferPointer, into row: UnsafeMutableRawBufferPointer) {
    let perByte = 8 / depth
    let mask = (1 << depth) - 1
    for x in 0..<width {
      let shift = 8 - depth * (x % perByte + 1)
      let color = (Int(stored[x / perByte]) >> shift & mask) * 3
      for channel in 0..<3 { row[x * 3 + channel] = palette[color + channel] }
    }
  }
}
