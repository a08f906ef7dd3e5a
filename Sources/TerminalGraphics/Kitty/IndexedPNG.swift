import CZlib
import Pixels

/// Pictures as PNG files of few colours, for terminals that read such files over a slow link.
///
/// Format: PNG specification, third edition (W3C 2023): color type 3, no filter, no interlacing.
enum IndexedPNG {
  /// The file; nil when zlib refuses (no memory).
  ///
  /// What the picture lets through is lost.
  /// - Parameter colors: how many it has at most, 2 to 256.
  static func encode(_ picture: PixelBuffer, colors: Int) -> [UInt8]? {
    let palette = ColorPalette(
      for: ColorHistogram(of: picture, samples: samples), count: colors, refinements: 1)
    guard let data = Deflate.compress(rows(of: picture, palette)) else { return nil }
    var header = word(picture.width) + word(picture.height)
    header += [8, 3, 0, 0, 0]
    let entries = palette.colors.flatMap { [UInt8($0.x), UInt8($0.y), UInt8($0.z)] }
    return signature + chunk("IHDR", header) + chunk("PLTE", entries) + chunk("IDAT", data)
      + chunk("IEND", [])
  }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let samples = 20_000

  /// The rows of indexes, each behind the number of its filter.
  private static func rows(of picture: PixelBuffer, _ palette: ColorPalette) -> [UInt8] {
    var nearest = NearestColors(palette)
    var rows: [UInt8] = []
    rows.reserveCapacity((picture.width + 1) * picture.height)
    picture.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: picture.width * PixelBuffer.bytesPerPixel) {
        rows.append(0)
        for x in 0..<picture.width {
          let pixel = bytes.loadUnaligned(
            fromByteOffset: start + x * PixelBuffer.bytesPerPixel, as: UInt32.self)
          rows.append(nearest.index(of: pixel))
        }
      }
    }
    return rows
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + data
    return word(data.count) + checked + word(Int(crc32(0, checked, uInt(checked.count))))
  }

  private static func word(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) }
  }
}
