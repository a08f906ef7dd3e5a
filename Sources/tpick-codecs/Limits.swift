import CodecProtocol

/// How much of a file is read, decoded or passed on at most.
enum Limits {
  /// Bytes of an EXIF block or an XMP packet.
  static let metadataBlock = 2 << 20
  /// Tags of a container, and bytes of each one's value.
  static let tags = 256
  static let tag = 4096
  /// Bytes of a raw file: they are tens of megabytes, and larger ones would not fit beside the rest.
  static let rawFile = 2 << 30
  /// Bytes of a JPEG XL file, for the same reason.
  static let codedFile = 1 << 30
  /// Bytes of one piece of a decoder's memory.
  static let working = 2 << 30
  /// Bytes of a video that are read in the search for a picture, or for one frame.
  static let search = 192 << 20

  /// Refuses a picture of more pixels than the caller wants to believe.
  static func check(_ width: Int, _ height: Int, _ request: DecodeRequest) throws(CodecError) {
    guard width > 0, height > 0 else { throw .unreadable("a picture without a size") }
    guard width <= request.maxPixels / height, max(width, height) <= request.maxSide else {
      throw .tooLarge(width: width, height: height)
    }
  }
}
