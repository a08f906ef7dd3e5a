import Pixels

/// Reads the chunks of a WebP file.
///
/// Format: RFC 9649; the headers of the bit streams: RFC 6386, 9.1 (VP8) and RFC 9649, 3.4 (VP8L).
enum WebPReader {
  static func read(_ window: inout ByteWindow) -> MediaFacts? {
    var blocks = MetadataBlocks()
    var size: PixelSize?
    var frames = 0
    var announced: UInt8 = 0
    var moves = false
    var position = 12
    for _ in 0..<2000 {
      window.seek(position, 8)
      // The header announces EXIF and XMP, which follow the image: what is not announced is not downloaded.
      let isComplete = size != nil && announced & (Flag.exif | Flag.xmp) == 0
      let (found, isMissing) =
        isComplete
        ? window.optional { ($0.littleEndian32(at: position + 4), $0.missing != nil) }
        : (window.littleEndian32(at: position + 4), false)
      guard let length = found else {
        moves = isMissing && announced & Flag.animation != 0
        break
      }
      let payload = position + 8..<position + 8 + length
      if window.has("VP8X", at: position) {
        guard let width = window.littleEndian24(at: payload.lowerBound + 4),
          let height = window.littleEndian24(at: payload.lowerBound + 7)
        else { return nil }
        // The first header or image counts, as in libwebp.
        if size == nil { announced = window.byte(at: payload.lowerBound) ?? 0 }
        size = size ?? PixelSize(width: width + 1, height: height + 1)
      } else if window.has("VP8 ", at: position) {
        size = size ?? lossySize(payload.lowerBound, &window)
      } else if window.has("VP8L", at: position) {
        size = size ?? losslessSize(payload.lowerBound, &window)
      } else if window.has("ANMF", at: position) {
        frames += 1
      } else if window.has("EXIF", at: position) {
        announced &= ~Flag.exif
        let skip = window.has("Exif\0\0", at: payload.lowerBound) && length > 6 ? 6 : 0
        blocks.readEXIF(payload.lowerBound + skip..<min(payload.upperBound, window.end), in: &window)
      } else if window.has("XMP ", at: position) {
        announced &= ~Flag.xmp
        blocks.readXMP(payload, in: &window)
      }
      position = payload.upperBound + length & 1
    }
    guard let size, !size.isEmpty else { return nil }
    blocks.facts.storedSize = size
    if frames > 1 || moves { blocks.facts.hints.insert(.animated) }
    return blocks.resolved()
  }

  /// The flags in the header of the extended format (RFC 9649, 2.7.1).
  private enum Flag {
    static let animation: UInt8 = 0x02
    static let xmp: UInt8 = 0x04
    static let exif: UInt8 = 0x08
  }

  private static func lossySize(_ start: Int, _ window: inout ByteWindow) -> PixelSize? {
    guard window.littleEndian24(at: start + 3) == 0x2A_019D,
      let width = window.littleEndian16(at: start + 6), let height = window.littleEndian16(at: start + 8)
    else { return nil }
    return PixelSize(width: width & 0x3FFF, height: height & 0x3FFF)
  }

  private static func losslessSize(_ start: Int, _ window: inout ByteWindow) -> PixelSize? {
    guard window.byte(at: start) == 0x2F, let bits = window.littleEndian32(at: start + 1) else { return nil }
    return PixelSize(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1)
  }
}

/// Reads the header of a Windows bitmap.
///
/// Format: BITMAPFILEHEADER of 14 bytes, then BITMAPCOREHEADER, or BITMAPINFOHEADER and its successors
/// (Microsoft, "Bitmap Storage").
enum BMPReader {
  /// Whether a header of a known length follows: "BM" alone is the start of many texts.
  static func hasHeader(_ window: inout ByteWindow) -> Bool {
    guard let length = window.littleEndian32(at: 14) else { return window.end < 18 && window.end > 6 }
    return [12, 16, 40, 52, 56, 64, 108, 124].contains(length)
  }

  static func read(_ window: inout ByteWindow) -> MediaFacts? {
    guard let length = window.littleEndian32(at: 14) else { return nil }
    if length == 12 {
      guard let width = window.littleEndian16(at: 18), let height = window.littleEndian16(at: 20),
        width > 0, height > 0
      else { return nil }
      return MediaFacts(storedSize: PixelSize(width: width, height: height))
    }
    guard let width = window.littleEndian32(at: 18), let height = window.littleEndian32(at: 22)
    else { return nil }
    // The values are signed; a negative height means that the first row is the top one.
    let (across, down) = (Int(Int32(truncatingIfNeeded: width)), Int(Int32(truncatingIfNeeded: height)))
    guard across > 0, down != 0 else { return nil }
    return MediaFacts(storedSize: PixelSize(width: across, height: abs(down)))
  }
}
