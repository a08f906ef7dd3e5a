// What the table says of a format.
extension FileFormat {
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
