/// The formats of media files that are told by their content.
///
/// What else is to be known of one is in `FormatTable`. The index keeps the raw values: a new format gets the next
/// number.
package enum FileFormat: UInt8, CaseIterable, Hashable, Sendable {
  case jpeg = 1
  case png, gif, webp, heic, avif, tiff, bmp, jpegXL
  case dng, cr2, cr3, nef, arw, orf, rw2, raf, pef, srw
  case mp4, quickTime, m4v, matroska, webm, avi, threeGP, mpegTransport

  /// The identifier of files of no known format.
  package static let unknownTypeIdentifier = "public.data"

  /// The format of a type identifier; nil where no format has it.
  package init?(uniformTypeIdentifier: String) {
    guard let format = FormatTable.formatsByType[uniformTypeIdentifier] else { return nil }
    self = format
  }

  /// The format that the end of a file's name promises, in letters of any case; nil where it promises no
  /// medium.
  package init?(suffix: String) {
    guard let format = FormatTable.formatsBySuffix[suffix.lowercased()] else { return nil }
    self = format
  }

  /// What people call it, as "JPEG".
  package var name: String { FormatTable.row(of: self).name }

  /// The ends of file names that promise the format, in small letters and without their dot.
  package var suffixes: [String] { FormatTable.row(of: self).suffixes }

  /// Apple's name of the type, as "public.jpeg".
  package var uniformTypeIdentifier: String { FormatTable.row(of: self).uniformTypeIdentifier }

  /// The name of the type by shared-mime-info, as "image/jpeg"; nil where it has none.
  package var mimeType: String? { FormatTable.row(of: self).mimeType }

  /// Whether it is a sensor's picture, which has to be developed.
  package var isRaw: Bool { FormatTable.row(of: self).kind == .raw }

  package var isVideo: Bool { FormatTable.row(of: self).kind == .video }

  /// Whether a file of it can hold more than one picture to be shown one after the other.
  package var canMove: Bool { FormatTable.row(of: self).canMove }

  /// Who reads a file's facts: what is true of it besides its picture.
  package var factsReader: FormatReader { FormatTable.row(of: self).facts }

  /// Who decodes its pictures.
  package var decoder: FormatReader { FormatTable.row(of: self).pictures }
}

/// Who reads files of a format.
package enum FormatReader: Hashable, Sendable {
  case builtIn
  /// `tpick-codecs`, because it takes a heavy library.
  case helper
}
