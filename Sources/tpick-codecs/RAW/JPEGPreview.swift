import CCanvas
import CJPEG
import CodecProtocol
import System

/// A JPEG stream inside another file, by libjpeg-turbo, at the scale that the request leaves room for.
enum JPEGPreview {
  /// Bytes of coefficients that a stream of several scans may need.
  private static let coefficients = 1 << 30

  /// - Parameters:
  ///   - orientation: how the file's picture is turned, EXIF's 1 to 8.
  ///   - source: pixels of the file's picture as it stands upright.
  static func picture(
    of bytes: UnsafeRawBufferPointer, _ orientation: UInt8, _ source: (width: Int, height: Int),
    _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    guard let decoder = cjpeg_decoder_create() else { throw .noMemory }
    defer { cjpeg_decoder_destroy(decoder) }
    var info = cjpeg_info()
    let stream = bytes.bindMemory(to: UInt8.self)
    try check(cjpeg_read_header(decoder, stream.baseAddress, stream.count, &info), decoder)
    let (fullWidth, fullHeight) = (Int(info.width), Int(info.height))
    try Limits.check(fullWidth, fullHeight, request)
    guard info.coefficient_bytes <= UInt64(coefficients) else { throw .tooLarge("a preview too large") }

    let orientation = Self.orientation(orientation, ofWidth: fullWidth, height: fullHeight, source)
    let isTurned = orientation >= 5
    let wanted = max(
      1,
      request.reduction(
        ofWidth: isTurned ? fullHeight : fullWidth, height: isTurned ? fullWidth : fullHeight))
    let eighths = Int32(wanted >= 8 ? 1 : wanted >= 4 ? 2 : wanted >= 2 ? 4 : 8)
    var (width, height): (UInt32, UInt32) = (0, 0)
    cjpeg_scaled_size(decoder, eighths, &width, &height)
    let byteCount = Int(width) * Int(height) * 4
    guard let pixels = malloc(byteCount) else { throw .noMemory }
    defer { free(pixels) }
    var result = cjpeg_result()
    let rows = pixels.assumingMemoryBound(to: UInt8.self)
    try check(cjpeg_decode(decoder, eighths, nil, rows, byteCount, nil, nil, &result), decoder)

    var format = canvas_format(width: Int(width), height: Int(height), colours: 3)
    format.extras = 1
    format.orientation = orientation
    let canvas = try Canvas(format, source: source, for: request)
    var length = 0
    // A stream of four inks is RGB by now, and its profile of no use.
    if info.components == 3, let profile = cjpeg_profile(decoder, &length) {
      canvas.setProfile(UnsafeRawBufferPointer(start: profile, count: length))
    }
    let visible = Int(min(result.visible_rows, height))
    canvas.put(pixels, count: visible, stride: Int(width) * 4)
    canvas.put(nil, count: Int(height) - visible, stride: 0)
    return canvas.finish(note: result.damaged ? "its preview is damaged" : nil)
  }

  /// How a preview is turned: as the file says, unless it evidently stands upright already.
  static func orientation(
    _ orientation: UInt8, ofWidth width: Int, height: Int, _ source: (width: Int, height: Int)
  ) -> UInt8 {
    guard orientation >= 5, source.width != source.height, width != height else { return orientation }
    return (width > height) == (source.width > source.height) ? 1 : orientation
  }

  private static func check(_ status: cjpeg_status, _ decoder: OpaquePointer) throws(CodecError) {
    guard status != CJPEG_OK else { return }
    let words = String(cString: cjpeg_message(decoder))
    throw .unreadable(words.isEmpty ? "a damaged preview" : words)
  }
}
