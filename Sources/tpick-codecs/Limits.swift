/// How much of a file is passed on at most.
enum Limits {
  /// Bytes of an EXIF block or an XMP packet.
  static let metadataBlock = 2 << 20
  /// Tags of a container, and bytes of each one's value.
  static let tags = 256
  static let tag = 4096
}
