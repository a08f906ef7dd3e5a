import MediaFormats

// The formats built of boxes: ISO/IEC 14496-12, 4.2 and 4.3 (ftyp), HEIF (ISO/IEC 23008-12, annex B.4), AVIF,
// QuickTime, JPEG XL (ISO/IEC 18181-2).
extension FileFormat {
  static func isoMedia(_ window: inout ByteWindow) -> FileFormat? {
    guard let size = window.bigEndian32(at: 0) else { return nil }
    if size == 12, isJPEGXLContainer(&window) { return .jpegXL }
    if window.has("ftyp", at: 4) { return size >= 16 ? brands(&window, size: size) : nil }
    return isOldMovie(&window, size: size) ? .quickTime : nil
  }

  private static func isJPEGXLContainer(_ window: inout ByteWindow) -> Bool {
    window.has("JXL ", at: 4) && window.bigEndian32(at: 8) == 0x0D0A_870A
  }

  /// The major brand decides; where it is a general one, the compatible ones do.
  private static func brands(_ window: inout ByteWindow, size: Int) -> FileFormat? {
    guard let major = brand(at: 8, &window) else { return nil }
    if let format = format(ofBrand: major) { return format }
    var compatible: [String] = []
    for offset in stride(from: 16, to: min(size, 256) - 3, by: 4) {
      guard let brand = brand(at: offset, &window) else { break }
      compatible.append(brand)
    }
    if ["mif1", "msf1", "miaf", "mif2"].contains(major) {
      return compatible.contains("avif") || compatible.contains("avis") ? .avif : .heic
    }
    // Sound, and pictures of formats that are not read here.
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

  /// Movies from before there was "ftyp" begin with one of a few atoms (QuickTime file format, "Overview").
  private static func isOldMovie(_ window: inout ByteWindow, size: Int) -> Bool {
    guard size >= 8 || size == 0 || size == 1, let type = brand(at: 4, &window) else { return false }
    switch type {
    case "moov", "mdat", "pnot": return true
    case "wide", "free", "skip":
      guard size >= 8, let next = brand(at: size + 4, &window) else { return false }
      return ["moov", "mdat", "wide", "free", "skip"].contains(next)
    default: return false
    }
  }
}
