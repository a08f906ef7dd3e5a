import CAVFormat
import CCanvas
import CodecProtocol

#if canImport(Glibc)
  import Glibc
#endif

/// Makes a picture of a frame as a video's codec leaves it: by libswscale, which shrinks it on the way.
enum FrameConverter {
  /// What libswscale shrinks by at most: more takes filters that are too long for it, and is left to the canvas.
  private static let mostAtOnce = 32

  /// - Parameter orientation: how the frame is turned, EXIF's 1 to 8.
  static func picture(
    of frame: UnsafeMutablePointer<AVFrame>, _ orientation: UInt8, _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
    try Limits.check(width, height, request)
    let upright = orientation >= 5 ? (width: height, height: width) : (width: width, height: height)
    let reduction = min(
      mostAtOnce, max(1, request.reduction(ofWidth: upright.width, height: upright.height)))
    let small = (width: (width + reduction - 1) / reduction, height: (height + reduction - 1) / reduction)
    guard let converter = tpick_av_converter(frame, Int32(small.width), Int32(small.height)) else {
      throw .unreadable("a kind of picture that can't be converted")
    }
    defer { sws_freeContext(converter) }
    // The converter writes whole vectors.
    let stride = (small.width * 3 + 63) / 64 * 64
    var room: UnsafeMutableRawPointer?
    guard posix_memalign(&room, 64, stride * (small.height + 1)) == 0, let room else {
      throw .tooLarge("not enough memory for its pixels")
    }
    defer { free(room) }
    let rows = room.assumingMemoryBound(to: UInt8.self)
    guard tpick_av_convert(converter, frame, rows, Int32(stride)) == Int32(small.height) else {
      throw .unreadable("a damaged picture")
    }
    var format = canvas_format(width: small.width, height: small.height, colours: 3)
    format.orientation = orientation
    let canvas = try Canvas(format, source: upright, for: request)
    canvas.setCoding(
      primaries: Int32(frame.pointee.color_primaries.rawValue),
      transfer: Int32(frame.pointee.color_trc.rawValue))
    canvas.put(room, count: small.height, stride: stride)
    return canvas.finish()
  }
}
