package import MediaFormats

// Recognition of formats by the first bytes of a file.
extension FileFormat {
  /// Recognizes the format of a file by its first bytes; nil if it is not known.
  ///
  /// A few hundred bytes suffice for most formats; distinguishing raw files from TIFF by their tags may
  /// require more.
  package init?(head: [UInt8]) {
    var window = ByteWindow(head)
    guard let format = Self.recognize(&window) else { return nil }
    self = format
  }

  static func recognize(_ window: inout ByteWindow) -> FileFormat? {
    // The first access loads the header and determines the actual length of the file.
    guard window.byte(at: 0) != nil else { return nil }
    let length = min(12, window.end)
    guard length >= 2, let at = window.index(of: 0, length) else { return nil }
    // JPEG is by far the most frequent format, so check it first and fast.
    if length >= 3, window.bytes[at] == 0xFF, window.bytes[at + 1] == 0xD8 {
      return window.bytes[at + 2] == 0xFF || JPEGReader.hasMarkerAfterStrayBytes(&window) ? .jpeg : nil
    }
    return byMark(window.bytes[at], window.bytes[at + 1], &window) ?? transportStream(&window)
  }

  private static func byMark(_ first: UInt8, _ second: UInt8, _ window: inout ByteWindow) -> FileFormat? {
    switch first {
    case 0xFF: second == 0x0A ? .jpegXL : window.bigEndian32(at: 0) == 0xFF4F_FF51 ? .jpeg2000 : nil
    case 0x89: window.has("PNG\r\n", at: 1) ? .png : nil
    case UInt8(ascii: "G"): window.has("GIF87a", at: 0) || window.has("GIF89a", at: 0) ? .gif : nil
    case UInt8(ascii: "R"):
      !window.has("RIFF", at: 0)
        ? nil : window.has("WEBP", at: 8) ? .webp : window.has("AVI ", at: 8) ? .avi : nil
    case UInt8(ascii: "I"), UInt8(ascii: "M"): tiffFamily(&window)
    case UInt8(ascii: "P"): isNetpbm(&window) ? .netpbm : isoMedia(&window)
    case UInt8(ascii: "q"): window.has("qoif", at: 0) ? .qoi : isoMedia(&window)
    case UInt8(ascii: "F"): window.has("FUJIFILMCCD-RAW", at: 0) ? .raf : nil
    case UInt8(ascii: "B"): second == 0x4D && BMPReader.hasHeader(&window) ? .bmp : nil
    case 0x1A: matroska(&window)
    default: isoMedia(&window)
    }
  }

  /// Whether the file is a Netpbm bitmap, graymap, pixmap or arbitrary map, plain or raw: pbm(5), pgm(5),
  /// ppm(5), pam(5).
  ///
  /// Two letters are a weak signature, so what must follow is checked too: whitespace or comments, and a
  /// number.
  private static func isNetpbm(_ window: inout ByteWindow) -> Bool {
    let head = window.copy(0..<min(window.end, 64))
    guard head.count >= 8, (UInt8(ascii: "1")...UInt8(ascii: "7")).contains(head[1]) else { return false }
    if head[1] == UInt8(ascii: "7") { return head[2] == 0x0A }
    guard [0x09, 0x0A, 0x0D, 0x20].contains(head[2]) else { return false }
    let next = head[3...].first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
    return next.map { $0 == UInt8(ascii: "#") || (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
      ?? false
  }

  /// Recognizes EBML's header with its DocType (RFC 8794, 11.2.6; Matroska, RFC 9559).
  private static func matroska(_ window: inout ByteWindow) -> FileFormat? {
    guard window.bigEndian32(at: 0) == 0x1A45_DFA3 else { return nil }
    let start = 4
    let head = window.copy(start..<min(window.end, start + 80))
    guard let place = head.indices.dropLast(3).first(where: { head[$0] == 0x42 && head[$0 + 1] == 0x82 })
    else { return .matroska }
    return head[(place + 3)...].starts(with: "webm".utf8) ? .webm : .matroska
  }

  /// Recognizes MPEG transport streams: packets of 188 bytes that start with 0x47, or of 192 bytes with a
  /// preceding timestamp (ISO/IEC 13818-1, 2.4.3.2; Blu-ray's BDAV).
  private static func transportStream(_ window: inout ByteWindow) -> FileFormat? {
    for (first, stride) in [(0, 188), (4, 192)] {
      let isStream = (0..<4).allSatisfy { window.byte(at: first + $0 * stride) == 0x47 }
      if isStream { return .mpegTransport }
    }
    return nil
  }
}

// The formats that consist of boxes: ISO/IEC 14496-12, 4.2 and 4.3 (ftyp), HEIF (ISO/IEC 23008-12, annex
// B.4), AVIF, QuickTime, JPEG XL (ISO/IEC 18181-2), JPEG 2000 (ISO/IEC 15444-1, I.5.1).
extension FileFormat {
  private static func isoMedia(_ window: inout ByteWindow) -> FileFormat? {
    guard let size = window.bigEndian32(at: 0) else { return nil }
    if size == 12, window.bigEndian32(at: 8) == 0x0D0A_870A {
      return window.has("JXL ", at: 4) ? .jpegXL : window.has("jP  ", at: 4) ? .jpeg2000 : nil
    }
    if window.has("ftyp", at: 4) { return window.box(at: 0).flatMap { brands(of: $0, &window) } }
    return isOldMovie(&window, size: size) ? .quickTime : nil
  }

  /// The major brand decides; if it is a general one, the compatible brands do.
  private static func brands(of box: Box, _ window: inout ByteWindow) -> FileFormat? {
    let first = box.content.lowerBound
    guard !box.isOpenEnded, box.content.count >= 8, let major = brand(at: first, &window) else { return nil }
    if let format = format(ofBrand: major) { return format }
    var compatible: [String] = []
    for offset in stride(from: first + 8, to: min(box.content.upperBound, first + 248) - 3, by: 4) {
      guard let brand = brand(at: offset, &window) else { break }
      compatible.append(brand)
    }
    if ["mif1", "msf1", "miaf", "mif2"].contains(major) {
      return compatible.contains("avif") || compatible.contains("avis") ? .avif : .heic
    }
    // Audio, and image formats that are not supported.
    if ["M4A ", "M4B ", "M4P ", "F4A ", "jp2 ", "jpx ", "jpm ", "mjp2"].contains(major) { return nil }
    return compatible.lazy.compactMap { format(ofBrand: $0) }.first ?? .mp4
  }

  private static func brand(at offset: Int, _ window: inout ByteWindow) -> String? {
    window.index(of: offset, 4).map { String(decoding: window.bytes[$0..<$0 + 4], as: UTF8.self) }
  }

  private static func format(ofBrand brand: String) -> FileFormat? {
    switch brand {
    case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": .heic
    case "avif", "avis": .avif
    case "crx ": .cr3
    case "qt  ": .quickTime
    case "M4V ", "M4VH", "M4VP": .m4v
    case "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "dash", "MSNV", "XAVC": .mp4
    default: brand.hasPrefix("3g") ? .threeGP : nil
    }
  }

  /// Movies from before "ftyp" was introduced start with one of a few atoms (QuickTime file format,
  /// "Overview").
  private static func isOldMovie(_ window: inout ByteWindow, size: Int) -> Bool {
    guard size >= 8 || size == 0 || size == 1, let type = brand(at: 4, &window) else { return false }
    switch type {
    case "moov", "mdat", "pnot": return true
    case "wide", "free", "skip":
      guard let box = window.box(at: 0), let next = brand(at: box.content.upperBound + 4, &window) else {
        return false
      }
      return ["moov", "mdat", "wide", "free", "skip"].contains(next)
    default: return false
    }
  }
}
