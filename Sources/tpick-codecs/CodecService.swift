import CConfinement
import CodecProtocol
import HelperMetadata

/// Reads files with the heavy libraries.
///
/// Every answer has a time limit, after which the helper exits by itself. It is longer than tpick's deadline:
/// it is for a helper that hangs after tpick has exited, which nothing else would end.
final class CodecService: HelperService {
  private func facts(of file: InputFile) throws(CodecError) -> CodecFacts {
    give_up_after(60)
    defer { give_up_after(0) }
    return try FactsReader.facts(of: file)
  }

  func picture(of file: Int32, _ request: DecodeRequest, seconds: UInt32) throws(CodecError) -> PictureMemory
  {
    give_up_after(max(1, seconds))
    defer { give_up_after(0) }
    let input = InputFile(file, present: request.present)
    do throws(CodecError) {
      let picture = try PictureReader.picture(of: input, request)
      // If the library missed a part of the file, its result is not the file's picture.
      if let missing = input.missing { throw .incomplete(missing) }
      return picture
    } catch {
      if error != .noMemory, let missing = input.missing { throw .incomplete(missing) }
      throw error
    }
  }

  func frames(of file: Int32, _ request: FramesRequest) throws(CodecError) -> any FrameSequence {
    try PictureReader.frames(of: InputFile(file, range: request.range), request)
  }

  func report(on file: Int32, _ request: ReportRequest, to wire: inout WireWriter) {
    let input = InputFile(file, present: request.presentRanges)
    ReportService.report(
      on: file, request, to: &wire, { () throws(CodecError) in try facts(of: input) },
      missing: { input.missing })
  }

  func giveUp(after seconds: UInt32) { give_up_after(seconds) }
}

/// Reads the metadata of a file with the library for its format.
enum FactsReader {
  static func facts(of file: InputFile) throws(CodecError) -> CodecFacts {
    switch CodecLibrary(head: file.bytes(at: 0, count: CodecLibrary.headLength)) {
    case .heif: try HEIFReader.facts(of: file)
    case .raw: try RAWReader.facts(of: file)
    case .movie(let demuxer): try MovieReader.facts(of: file, demuxer: demuxer)
    case .still(let demuxer): try StillReader.facts(of: file, demuxer: demuxer)
    case nil: throw .unreadable(file.byteCount == 0 ? "the file is empty" : "an unknown format")
    }
  }
}

/// Decodes the picture or the frames of a file with the library for its format.
enum PictureReader {
  static func picture(of file: InputFile, _ request: DecodeRequest) throws(CodecError) -> PictureMemory {
    file.wantsPictures = true
    let head = file.bytes(at: 0, count: CodecLibrary.headLength)
    if isJPEGXL(head) {
      // The format has no embedded thumbnail, and the decoder needs the whole file.
      guard !file.isPartial else { throw .nothingEmbedded }
      return try JPEGXLDecoder.picture(of: file, request)
    }
    switch CodecLibrary(head: head) {
    case .heif: return try HEIFDecoder.picture(of: file, request)
    case .movie(let demuxer): return try MovieDecoder.picture(of: file, demuxer: demuxer, request)
    case .still(let demuxer): return try StillReader.picture(of: file, demuxer: demuxer, request)
    case .raw:
      // Most raw formats have the first bytes of a TIFF file.
      if !isTIFF(head) || RAWDecoder.knows(file) { return try RAWDecoder.picture(of: file, request) }
      return try TIFFDecoder.picture(of: file, request)
    case nil:
      if isTIFF(head) { return try TIFFDecoder.picture(of: file, request) }
      throw .unreadable(file.byteCount == 0 ? "the file is empty" : "an unknown format")
    }
  }

  /// Returns the frames of a video, an AVIF or HEIC sequence or a JPEG XL animation.
  static func frames(
    of file: InputFile, _ request: FramesRequest
  ) throws(CodecError) -> any FrameSequence {
    file.wantsPictures = true
    let head = file.bytes(at: 0, count: CodecLibrary.headLength)
    if isJPEGXL(head) { return try JPEGXLFrames(file, request) }
    switch CodecLibrary(head: head) {
    case .heif: return try MovieFrames(file, demuxer: "mov", loops: true, request)
    case .movie(let demuxer): return try MovieFrames(file, demuxer: demuxer, loops: false, request)
    case .raw, .still, nil: throw .unreadable("not an animation or a video")
    }
  }

  /// Classic TIFF and BigTIFF (TIFF 6.0, section 2; libtiff's BigTIFF design).
  private static func isTIFF(_ head: [UInt8]) -> Bool {
    ["II*\0", "MM\0*", "II+\0", "MM\0+"].contains { head.starts(with: $0.utf8) }
  }

  /// A raw codestream, or the signature box of the container (ISO/IEC 18181-2, 9.1 and annex A).
  private static func isJPEGXL(_ head: [UInt8]) -> Bool {
    head.starts(with: [0xFF, 0x0A])
      || head.starts(with: [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A])
  }
}

/// Upper bounds of what is read, decoded or returned of a file.
enum Limits {
  /// Bytes of an EXIF block or an XMP packet.
  static let metadataBlock = 2 << 20
  /// Tags of a container, and bytes of each value.
  static let tags = 256
  static let tag = 4096
  /// Bytes of a raw file: usual ones have tens of megabytes, and larger ones would not fit into the address space
  /// with the rest.
  static let rawFile = 2 << 30
  /// Bytes of a JPEG XL file, for the same reason.
  static let codedFile = 1 << 30
  /// Bytes of one allocation of a decoder.
  static let working = 2 << 30
  /// Bytes of a video that are read in the search for a picture, or for one frame.
  static let search = 192 << 20

  /// Rejects a picture that exceeds the request's limits.
  static func check(_ width: Int, _ height: Int, _ request: DecodeRequest) throws(CodecError) {
    guard width > 0, height > 0 else { throw .unreadable("a picture without a size") }
    guard width <= request.maxPixels / height, max(width, height) <= request.maxSide else {
      throw .tooLarge(width: width, height: height)
    }
  }
}
