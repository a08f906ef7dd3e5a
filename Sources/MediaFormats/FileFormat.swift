/// The media file formats that tpick recognizes by content.
///
/// `FormatTable` has their properties. The index stores the raw values: a new format gets the next number.
package enum FileFormat: UInt8, CaseIterable, Hashable, Sendable {
  case jpeg = 1
  case png, gif, webp, heic, avif, tiff, bmp, jpegXL
  case dng, cr2, cr3, nef, arw, orf, rw2, raf, pef, srw
  case mp4, quickTime, m4v, matroska, webm, avi, threeGP, mpegTransport
  case jpeg2000, netpbm, qoi
}

// Properties from the table.
extension FileFormat {
  /// The type identifier of files of unknown format.
  package static let unknownTypeIdentifier = "public.data"

  /// Creates the format with a type identifier; nil if there is none.
  package init?(uniformTypeIdentifier: String) {
    guard let format = FormatTable.formatsByType[uniformTypeIdentifier] else { return nil }
    self = format
  }

  /// Creates the format for a file extension, ignoring case; nil if the extension belongs to no media format.
  package init?(suffix: String) {
    guard let format = FormatTable.formatsBySuffix[suffix.lowercased()] else { return nil }
    self = format
  }

  /// The name for display, as "JPEG".
  package var name: String { FormatTable.row(of: self).name }

  /// The file extensions of the format, in lowercase and without their dot.
  package var suffixes: [String] { FormatTable.row(of: self).suffixes }

  /// Apple's uniform type identifier, as "public.jpeg".
  package var uniformTypeIdentifier: String { FormatTable.row(of: self).uniformTypeIdentifier }

  /// The MIME type in shared-mime-info, as "image/jpeg"; nil if it has none.
  package var mimeType: String? { FormatTable.row(of: self).mimeType }

  /// Whether the format stores sensor data, which must be developed.
  package var isRaw: Bool { FormatTable.row(of: self).kind == .raw }

  /// Whether it is a video format.
  package var isVideo: Bool { FormatTable.row(of: self).kind == .video }

  /// Whether files of the format can be animated.
  package var canBeAnimated: Bool { FormatTable.row(of: self).canBeAnimated }

  /// Which component reads the metadata of files of the format.
  package var factsReader: FormatReader { FormatTable.row(of: self).facts }

  /// Which component decodes images of the format.
  package var decoder: FormatReader { FormatTable.row(of: self).pictures }
}

/// The properties of all formats.
enum FormatTable {
  enum Kind: Hashable, Sendable { case picture, raw, video }

  struct Row: Sendable {
    var format: FileFormat
    var name: String
    var suffixes: [String]
    var uniformTypeIdentifier: String
    var mimeType: String?
    var kind: Kind
    var canBeAnimated: Bool
    var facts: FormatReader
    var pictures: FormatReader
  }

  /// Returns the row of a format.
  ///
  /// The rows are in the order of the formats' numbers, which start at 1.
  static func row(of format: FileFormat) -> Row { rows[Int(format.rawValue) - 1] }

  static let formatsByType = Dictionary(
    rows.map { ($0.uniformTypeIdentifier, $0.format) }, uniquingKeysWith: { first, _ in first })

  static let formatsBySuffix = Dictionary(
    rows.flatMap { row in row.suffixes.map { ($0, row.format) } }, uniquingKeysWith: { first, _ in first })

  static let rows = [
    picture(.jpeg, "JPEG", ["jpg", "jpeg", "jpe", "jfif"], "public.jpeg", "image/jpeg", .builtIn, .builtIn),
    picture(
      .png, "PNG", ["png", "apng"], "public.png", "image/png", .builtIn, .builtIn, canBeAnimated: true),
    picture(.gif, "GIF", ["gif"], "com.compuserve.gif", "image/gif", .builtIn, .builtIn, canBeAnimated: true),
    picture(
      .webp, "WebP", ["webp"], "org.webmproject.webp", "image/webp", .builtIn, .builtIn, canBeAnimated: true),
    picture(
      .heic, "HEIC", ["heic", "heif", "hif", "heics", "heifs"], "public.heic", "image/heic", .helper, .helper,
      canBeAnimated: true),
    picture(
      .avif, "AVIF", ["avif", "avifs"], "public.avif", "image/avif", .helper, .helper, canBeAnimated: true),
    picture(.tiff, "TIFF", ["tif", "tiff"], "public.tiff", "image/tiff", .builtIn, .helper),
    picture(.bmp, "BMP", ["bmp", "dib"], "com.microsoft.bmp", "image/bmp", .builtIn, .builtIn),
    picture(
      .jpegXL, "JPEG XL", ["jxl"], "public.jpeg-xl", "image/jxl", .builtIn, .helper, canBeAnimated: true),
    raw(.dng, "DNG", ["dng"], "com.adobe.raw-image", "image/x-adobe-dng"),
    raw(.cr2, "CR2", ["cr2"], "com.canon.cr2-raw-image", "image/x-canon-cr2"),
    raw(.cr3, "CR3", ["cr3"], "com.canon.cr3-raw-image", "image/x-canon-cr3"),
    raw(.nef, "NEF", ["nef", "nrw"], "com.nikon.raw-image", "image/x-nikon-nef"),
    raw(.arw, "ARW", ["arw", "sr2", "srf"], "com.sony.arw-raw-image", "image/x-sony-arw"),
    raw(.orf, "ORF", ["orf"], "com.olympus.raw-image", "image/x-olympus-orf"),
    raw(.rw2, "RW2", ["rw2"], "com.panasonic.rw2-raw-image", "image/x-panasonic-rw2"),
    raw(.raf, "RAF", ["raf"], "com.fuji.raw-image", "image/x-fuji-raf"),
    raw(.pef, "PEF", ["pef"], "com.pentax.raw-image", "image/x-pentax-pef"),
    // shared-mime-info has no name for it.
    raw(.srw, "SRW", ["srw"], "com.samsung.raw-image", nil),
    video(.mp4, "MP4", ["mp4"], "public.mpeg-4", "video/mp4"),
    video(.quickTime, "QuickTime", ["mov", "qt"], "com.apple.quicktime-movie", "video/quicktime"),
    video(.m4v, "M4V", ["m4v"], "com.apple.m4v-video", "video/x-m4v"),
    video(.matroska, "MKV", ["mkv"], "org.matroska.mkv", "video/x-matroska"),
    video(.webm, "WebM", ["webm"], "org.webmproject.webm", "video/webm"),
    video(.avi, "AVI", ["avi"], "public.avi", "video/x-msvideo"),
    video(.threeGP, "3GPP", ["3gp", "3g2", "3gpp"], "public.3gpp", "video/3gpp"),
    video(
      .mpegTransport, "MPEG-TS", ["mts", "m2ts", "m2t"], "public.mpeg-2-transport-stream", "video/mp2t"),
    picture(
      .jpeg2000, "JPEG 2000", ["jp2", "jpf", "jpx", "j2k", "j2c", "jpc"], "public.jpeg-2000", "image/jp2",
      .builtIn, .helper),
    picture(
      .netpbm, "Netpbm", ["ppm", "pgm", "pbm", "pnm", "pam"], "public.pbm", "image/x-portable-anymap",
      .helper, .helper),
    picture(.qoi, "QOI", ["qoi"], "org.qoiformat.qoi", "image/qoi", .helper, .helper),
  ]

  private static func picture(
    _ format: FileFormat, _ name: String, _ suffixes: [String], _ type: String, _ mimeType: String?,
    _ facts: FormatReader, _ pictures: FormatReader, canBeAnimated: Bool = false
  ) -> Row {
    Row(
      format: format, name: name, suffixes: suffixes, uniformTypeIdentifier: type, mimeType: mimeType,
      kind: .picture, canBeAnimated: canBeAnimated, facts: facts, pictures: pictures)
  }

  private static func raw(
    _ format: FileFormat, _ name: String, _ suffixes: [String], _ type: String, _ mimeType: String?
  ) -> Row {
    Row(
      format: format, name: name, suffixes: suffixes, uniformTypeIdentifier: type, mimeType: mimeType,
      kind: .raw, canBeAnimated: false, facts: .helper, pictures: .helper)
  }

  private static func video(
    _ format: FileFormat, _ name: String, _ suffixes: [String], _ type: String, _ mimeType: String?
  ) -> Row {
    Row(
      format: format, name: name, suffixes: suffixes, uniformTypeIdentifier: type, mimeType: mimeType,
      kind: .video, canBeAnimated: true, facts: .helper, pictures: .helper)
  }
}

/// The component that reads files of a format.
package enum FormatReader: Hashable, Sendable {
  /// `tpick-reader`, with tpick's own readers and light libraries.
  case builtIn
  /// `tpick-codecs`, because the format requires a heavy library.
  case helper
}
