import Pixels

/// Reads the header of a Windows bitmap.
///
/// Format: BITMAPFILEHEADER of 14 bytes, then BITMAPCOREHEADER or BITMAPINFOHEADER and its successors
/// (Microsoft, "Bitmap Storage").
enum BMPReader {
  /// Whether a header of a known length follows: "BM" alone begins many texts.
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
    // Signed; a negative height says that the first row is the top one.
    let (across, down) = (Int(Int32(truncatingIfNeeded: width)), Int(Int32(truncatingIfNeeded: height)))
    guard across > 0, down != 0 else { return nil }
    return MediaFacts(storedSize: PixelSize(width: across, height: abs(down)))
  }
}
