import CJXL
import CodecProtocol

#if canImport(Glibc)
  import Glibc
#endif

/// The picture of a JPEG XL file, by libjxl, which turns it upright; the first one of an animation.
enum JPEGXLDecoder {
  static func picture(of file: InputFile, _ request: DecodeRequest) throws(CodecError) -> PictureMemory {
    try file.withMapping(upTo: Limits.codedFile) { bytes throws(CodecError) in try picture(in: bytes, request)
    }
  }

  private static func picture(
    in bytes: UnsafeRawBufferPointer, _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    var info = cjxl_info()
    var reason: UnsafePointer<CChar>?
    guard let opened = cjxl_open(bytes.baseAddress, bytes.count, &info, &reason) else {
      throw .unreadable(reason.map { String(cString: $0) } ?? "a damaged JPEG XL file")
    }
    defer { cjxl_close(opened) }
    let source = (width: Int(info.width), height: Int(info.height))
    try Limits.check(source.width, source.height, request)
    let preview = (width: Int(info.preview_width), height: Int(info.preview_height))
    let covers =
      request.targetWidth + request.targetHeight > 0 && preview.width > 0
      && request.reduction(ofWidth: preview.width, height: preview.height) >= 1
      && Shape.match(preview.width, preview.height, source.width, source.height)
    if request.source == .embedded, preview.width <= 0 { throw .nothingEmbedded }
    let wantsPreview = request.source == .embedded || covers
    return try decode(opened, info, isPreview: wantsPreview, wantsPreview ? preview : source, source, request)
  }

  private static func decode(
    _ opened: OpaquePointer, _ info: cjxl_info, isPreview: Bool, _ size: (width: Int, height: Int),
    _ source: (width: Int, height: Int), _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    try Limits.check(size.width, size.height, request)
    let pixels = try JPEGXLPixels(info, size)
    let status = cjxl_decode(opened, isPreview, pixels.start, pixels.byteCount)
    guard status != CJXL_DAMAGED else { throw .unreadable("a damaged JPEG XL file") }
    return try pixels.picture(
      of: opened, source: source, for: request,
      note: status == CJXL_INCOMPLETE ? "the file ends early" : nil)
  }
}
