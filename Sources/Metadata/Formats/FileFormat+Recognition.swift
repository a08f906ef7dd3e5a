package import MediaFormats

// Formats by the first bytes of a file.
extension FileFormat {
  /// The format that a file's first bytes announce; nil where they announce none.
  ///
  /// A few hundred bytes are enough for most; a RAW file that is told from TIFF by its tags may need more.
  package init?(head: [UInt8]) {
    var window = ByteWindow(head)
    guard let format = Self.recognise(&window) else { return nil }
    self = format
  }

  static func recognise(_ window: inout ByteWindow) -> FileFormat? {
    // The first access loads the head, and with it tells how long the file really is.
    guard window.byte(at: 0) != nil else { return nil }
    let length = min(12, window.end)
    guard length >= 2, let at = window.index(of: 0, length) else { return nil }
    // By far the most files: asked first, and without a detour.
    if length >= 3, window.bytes[at] == 0xFF, window.bytes[at + 1] == 0xD8 {
      return window.bytes[at + 2] == 0xFF || JPEGReader.hasMarkerBehindStrayBytes(&window) ? .jpeg : nil
    }
    return byMark(window.bytes[at], window.bytes[at + 1], &window) ?? transportStream(&window)
  }

  private static func byMark(_ first: UInt8, _ second: UInt8, _ window: inout ByteWindow) -> FileFormat? {
    switch first {
    case 0xFF: second == 0x0A ? .jpegXL : nil
    case 0x89: window.has("PNG\r\n", at: 1) ? .png : nil
    case UInt8(ascii: "G"): window.has("GIF87a", at: 0) || window.has("GIF89a", at: 0) ? .gif : nil
    case UInt8(ascii: "R"):
      !window.has("RIFF", at: 0)
        ? nil : window.has("WEBP", at: 8) ? .webp : window.has("AVI ", at: 8) ? .avi : nil
    case UInt8(ascii: "I"), UInt8(ascii: "M"): tiffFamily(&window)
    case UInt8(ascii: "F"): window.has("FUJIFILMCCD-RAW", at: 0) ? .raf : nil
    case UInt8(ascii: "B"): second == 0x4D && BMPReader.hasHeader(&window) ? .bmp : nil
    case 0x1A: matroska(&window)
    default: isoMedia(&window)
    }
  }

  /// EBML's header with its DocType (RFC 8794, 11.2.6; Matroska, RFC 9559).
  private static func matroska(_ window: inout ByteWindow) -> FileFormat? {
    guard window.bigEndian32(at: 0) == 0x1A45_DFA3 else { return nil }
    let start = 4
    let head = window.copy(start..<min(window.end, start + 80))
    guard let place = head.indices.dropLast(3).first(where: { head[$0] == 0x42 && head[$0 + 1] == 0x82 })
    else { return .matroska }
    return head[(place + 3)...].starts(with: "webm".utf8) ? .webm : .matroska
  }

  /// MPEG transport streams: packets of 188 bytes that begin with 0x47, or of 192 with a time stamp before
  /// (ISO/IEC 13818-1, 2.4.3.2; Blu-ray's BDAV).
  private static func transportStream(_ window: inout ByteWindow) -> FileFormat? {
    for (first, stride) in [(0, 188), (4, 192)] {
      let isStream = (0..<4).allSatisfy { window.byte(at: first + $0 * stride) == 0x47 }
      if isStream { return .mpegTransport }
    }
    return nil
  }
}
