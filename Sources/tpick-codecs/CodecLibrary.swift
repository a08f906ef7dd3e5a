import Metadata

/// The library that reads a format, chosen by a file's first bytes.
enum CodecLibrary: Hashable {
  case heif
  case raw
  /// libavformat with a named demuxer: its own detection is not used.
  case movie(demuxer: String)
  /// The same, for a file with one picture.
  case still(demuxer: String)

  /// Number of bytes needed to recognize a format.
  static let headLength = 400

  /// Chooses the library for a file header; nil if none of them reads the format.
  ///
  /// Brands of the `ftyp` box: ISO/IEC 14496-12 4.3, 23008-12 10, AV1 Image File Format 1.1. Headers of raw files:
  /// TIFF 6.0 section 2, and the variants that LibRaw supports (Olympus, Panasonic, Fujifilm, Minolta, Sigma).
  init?(head: [UInt8]) {
    func has(_ text: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
    if has("ftyp", at: 4) {
      guard let library = Self.library(forBrandsIn: head) else { return nil }
      self = library
    } else if ["moov", "mdat", "wide", "free", "skip", "pnot"].contains(where: { has($0, at: 4) }) {
      self = .movie(demuxer: "mov")
    } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      self = .movie(demuxer: "matroska")
    } else if has("RIFF"), has("AVI", at: 8) {
      self = .movie(demuxer: "avi")
    } else if Self.isTransport(head, packet: 188, first: 0) || Self.isTransport(head, packet: 192, first: 4) {
      self = .movie(demuxer: "mpegts")
    } else if has("jP  ", at: 4) || head.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) {
      self = .still(demuxer: "j2k_pipe")
    } else if has("qoif") {
      self = .still(demuxer: "qoi_pipe")
    } else if let demuxer = Self.netpbm(head) {
      self = .still(demuxer: demuxer)
    } else if Self.raws.contains(where: { has($0) }) || has("HEAPCCDR", at: 6) {
      self = .raw
    } else {
      return nil
    }
  }

  /// Returns the demuxer for bitmaps, graymaps, pixmaps and arbitrary maps (pbm(5), pgm(5), ppm(5), pam(5)).
  private static func netpbm(_ head: [UInt8]) -> String? {
    guard head.count > 2, head[0] == UInt8(ascii: "P") else { return nil }
    switch head[1] {
    case UInt8(ascii: "1"), UInt8(ascii: "4"): return "pbm_pipe"
    case UInt8(ascii: "2"), UInt8(ascii: "5"): return "pgm_pipe"
    case UInt8(ascii: "3"), UInt8(ascii: "6"): return "ppm_pipe"
    case UInt8(ascii: "7"): return "pam_pipe"
    default: return nil
    }
  }

  private static let raws = [
    "II*\0", "MM\0*", "IIRO", "IIRS", "MMOR", "IIU\0", "FUJIFILM", "\0MRM", "FOVb", "IIII", "MMMM",
  ]

  private static let stills: Set<String> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif2", "avif", "avis", "1pic",
  ]

  private static func library(forBrandsIn head: [UInt8]) -> CodecLibrary? {
    guard let box = Box(head[...], at: 0, end: head.count), !box.isOpenEnded else { return nil }
    // The first brand is followed by its version.
    let first = box.content.lowerBound
    let brands = stride(from: first, to: min(head.count, box.content.upperBound) - 3, by: 4)
      .filter { $0 != first + 4 }.map { String(decoding: head[$0..<$0 + 4], as: UTF8.self) }
    guard let major = brands.first else { return nil }
    if major == "crx " { return .raw }
    if stills.contains(major) { return .heif }
    // A few writers put a general brand first.
    if ["mif1", "miaf", "msf1"].contains(major) || major == "isom" && brands.contains("avif") {
      return .heif
    }
    return .movie(demuxer: "mov")
  }

  /// Whether two packets start with the sync byte (ISO/IEC 13818-1, 2.4.3.2); in AVCHD, each is preceded by four
  /// bytes of time.
  private static func isTransport(_ head: [UInt8], packet: Int, first: Int) -> Bool {
    head.count > first + packet && head[first] == 0x47 && head[first + packet] == 0x47
  }
}
