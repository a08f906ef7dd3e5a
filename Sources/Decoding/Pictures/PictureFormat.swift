import MediaFormats

/// The formats that this module decodes, recognized by a file's first bytes.
enum PictureFormat: Hashable, Sendable {
  case jpeg, png, gif, webp, bmp

  /// Number of bytes needed to recognize them.
  static let headLength = 18

  /// Recognizes the format of the first bytes; nil for any other.
  ///
  /// Signatures: JPEG ITU-T T.81, annex B.1.1.3; PNG third edition, 5.2; GIF89a, 17; WebP RFC 9649, 2.4; BMP
  /// Microsoft's "Bitmap Storage", where the second header must have a valid length as well.
  init?(head: [UInt8]) {
    // Followed by a marker, or by stray bytes, which libjpeg skips.
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

  /// Returns the name of a type identifier's format for messages; nil if it has none.
  static func word(for uniformTypeIdentifier: String) -> String? {
    guard let format = FileFormat(uniformTypeIdentifier: uniformTypeIdentifier), !format.isVideo else {
      return nil
    }
    return format.isRaw ? "a raw file" : format.name
  }

  /// Returns whether the library recognized a file as one of these formats.
  static func isKnown(_ uniformTypeIdentifier: String) -> Bool {
    FileFormat(uniformTypeIdentifier: uniformTypeIdentifier)?.decoder == .builtIn
  }
}
