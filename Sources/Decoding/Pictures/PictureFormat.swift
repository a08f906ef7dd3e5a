import MediaFormats

/// The formats that are decoded in this program, told by a file's first bytes.
enum PictureFormat: Hashable, Sendable {
  case jpeg, png, gif, webp, bmp

  /// As many bytes as it takes to tell them.
  static let headLength = 18

  /// The format that the first bytes announce; nil for any other.
  ///
  /// Marks: JPEG ITU-T T.81, annex B.1.1.3; PNG third edition, 5.2; GIF89a, 17; WebP RFC 9649, 2.4; BMP
  /// Microsoft's "Bitmap Storage", where the length of the second header has to be a known one as well.
  init?(head: [UInt8]) {
    // A marker follows, or stray bytes that libjpeg passes over.
    if head.starts(with: [0xFF, 0xD8]) {
      self = .jpeg
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8) {
      self = .gif
    } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if head.starts(with: "BM".utf8), head.count >= 18, BMPHeader.lengths.contains(Int(head[14])),
      head[15...17].allSatisfy({ $0 == 0 })
    {
      self = .bmp
    } else {
      return nil
    }
  }

  private var fileFormat: FileFormat {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .gif: .gif
    case .webp: .webp
    case .bmp: .bmp
    }
  }

  /// What the format of a type identifier is called in messages; nil where there is no word for it.
  static func word(for uniformTypeIdentifier: String) -> String? {
    guard let format = FileFormat(uniformTypeIdentifier: uniformTypeIdentifier), !format.isVideo else {
      return nil
    }
    return format.isRaw ? "a raw file" : format.name
  }

  /// Whether the library took a file for one of these formats when it looked at it.
  static func isKnown(_ uniformTypeIdentifier: String) -> Bool {
    FileFormat(uniformTypeIdentifier: uniformTypeIdentifier)?.decoder == .builtIn
  }
}
