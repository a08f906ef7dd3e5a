import CodecProtocol

/// Decodes the picture or the frames of a file with the library that knows its format.
enum PictureReader {
  static func picture(of file: InputFile, _ request: DecodeRequest) throws(CodecError) -> PictureMemory {
    file.wantsPictures = true
    let head = file.bytes(at: 0, count: CodecLibrary.headLength)
    if isJPEGXL(head) {
      // It has no small picture, and the decoder wants all of it.
      guard !file.isPartial else { throw .nothingEmbedded }
      return try JPEGXLDecoder.picture(of: file, request)
    }
    switch CodecLibrary(head: head) {
    case .heif: return try HEIFDecoder.picture(of: file, request)
    case .movie(let demuxer): return try MovieDecoder.picture(of: file, demuxer: demuxer, request)
    case .raw:
      // By their first bytes most raw formats are TIFF files.
      if !isTIFF(head) || RAWDecoder.knows(file) { return try RAWDecoder.picture(of: file, request) }
      return try TIFFDecoder.picture(of: file, request)
    case nil:
      if isTIFF(head) { return try TIFFDecoder.picture(of: file, request) }
      throw .unreadable(file.byteCount == 0 ? "the file is empty" : "an unknown format")
    }
  }

  /// The frames of a video, an AVIF or HEIC sequence or a JPEG XL animation.
  static func frames(
    of file: InputFile, _ request: FramesRequest
  ) throws(CodecError) -> any FrameSequence {
    file.wantsPictures = true
    let head = file.bytes(at: 0, count: CodecLibrary.headLength)
    if isJPEGXL(head) { return try JPEGXLFrames(file, request) }
    switch CodecLibrary(head: head) {
    case .heif: return try MovieFrames(file, demuxer: "mov", loops: true, request)
    case .movie(let demuxer): return try MovieFrames(file, demuxer: demuxer, loops: false, request)
    case .raw, nil: throw .unreadable("it does not move")
    }
  }

  /// Classic and big TIFF (TIFF 6.0, section 2; libtiff's BigTIFF design).
  private static func isTIFF(_ head: [UInt8]) -> Bool {
    ["II*\0", "MM\0*", "II+\0", "MM\0+"].contains { head.starts(with: $0.utf8) }
  }

  /// A bare codestream, or the signature box of the container (ISO/IEC 18181-2, 9.1 and annex A).
  private static func isJPEGXL(_ head: [UInt8]) -> Bool {
    head.starts(with: [0xFF, 0x0A])
      || head.starts(with: [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A])
  }
}
