import CJXL
import CodecProtocol

/// The picture of a JPEG XL file, by libjxl, which turns it upright; the first one of an animation.
enum JPEGXLDecoder {
  static func picture(of file: InputFile, _ request: DecodeRequest) throws(CodecError) -> PictureMemory {
    let opened = try JPEGXLFile(file)
    let (source, info) = (opened.size, opened.info)
    try Limits.check(source.width, source.height, request)
    let preview = (width: Int(info.preview_width), height: Int(info.preview_height))
    let covers =
      request.targetWidth + request.targetHeight > 0 && preview.width > 0
      && request.reduction(ofWidth: preview.width, height: preview.height) >= 1
      && AspectRatio.match(preview.width, preview.height, source.width, source.height)
    if request.source == .embedded, preview.width <= 0 { throw .nothingEmbedded }
    let wantsPreview = request.source == .embedded || covers
    let size = wantsPreview ? preview : source
    try Limits.check(size.width, size.height, request)
    let pixels = try JPEGXLPixels(info, size)
    let status = opened.decode(isPreview: wantsPreview, into: pixels)
    guard status != CJXL_DAMAGED else { throw .unreadable("a damaged JPEG XL file") }
    return try opened.picture(
      of: pixels, for: request, note: status == CJXL_INCOMPLETE ? "the file ends early" : nil)
  }
}
