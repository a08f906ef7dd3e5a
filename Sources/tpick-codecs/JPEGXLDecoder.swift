import CCanvas
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
    var format = canvas_format(width: size.width, height: size.height, colours: info.colours)
    format.extras = info.extras
    format.has_alpha = info.extras > 0
    format.is_premultiplied = info.is_premultiplied
    format.is_wide = info.is_wide
    let stride = size.width * Int(info.colours + info.extras) * (info.is_wide ? 2 : 1)
    let byteCount = stride * size.height
    guard byteCount <= Limits.working, let pixels = calloc(byteCount, 1) else {
      throw .tooLarge("not enough memory for its pixels")
    }
    defer { free(pixels) }
    let status = cjxl_decode(opened, isPreview, pixels, byteCount)
    guard status != CJXL_DAMAGED else { throw .unreadable("a damaged JPEG XL file") }
    let canvas = try Canvas(format, source: source, for: request)
    let meaning = cjxl_meaning(opened)
    if let profile = meaning.profile {
      canvas.setProfile(UnsafeRawBufferPointer(start: profile, count: meaning.profile_length))
    } else if meaning.transfer != 0 {
      canvas.setCoding(primaries: meaning.primaries, transfer: meaning.transfer)
    }
    canvas.put(pixels, count: size.height, stride: stride)
    return canvas.finish(note: status == CJXL_INCOMPLETE ? "the file ends early" : nil)
  }
}
