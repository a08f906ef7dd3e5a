import CAVFormat
import CCanvas
import CodecProtocol

#if canImport(Glibc)
  import Glibc
#endif

/// Makes pictures of frames of one video, in the size that is shown, by libswscale.
///
/// Keeps what it has prepared for the next frame: most are alike.
final class FrameScaler {
  private var converter: OpaquePointer?
  private var room: UnsafeMutableRawPointer?
  private var roomSize = 0
  private var shape: Shape?

  /// What the converter was made for.
  private struct Shape: Hashable {
    var format: Int32
    var source: [Int32]
    var target: [Int32]
  }

  deinit {
    sws_freeContext(converter)
    free(room)
  }

  /// - Parameter orientation: how the frames are turned, EXIF's 1 to 8.
  func picture(
    of frame: UnsafeMutablePointer<AVFrame>, _ orientation: UInt8, _ request: FramesRequest
  ) throws(CodecError) -> PictureMemory {
    let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
    let limits = DecodeRequest(maxPixels: request.maxPixels)
    try Limits.check(width, height, limits)
    let isTurned = orientation >= 5
    let target =
      isTurned ? (request.targetHeight, request.targetWidth) : (request.targetWidth, request.targetHeight)
    let scale = min(1, Double(target.0) / Double(width), Double(target.1) / Double(height))
    let side = { (length: Int) in max(1, Int((Double(length) * scale).rounded())) }
    let small = (width: side(width), height: side(height))
    try prepare(frame, small)
    // The converter writes whole vectors.
    let stride = (small.width * 3 + 63) / 64 * 64
    try reserve(stride * (small.height + 1))
    guard let room, let converter,
      tpick_av_convert(converter, frame, room.assumingMemoryBound(to: UInt8.self), Int32(stride))
        == Int32(small.height)
    else { throw .unreadable("a damaged picture") }
    var format = canvas_format(width: small.width, height: small.height, colours: 3)
    format.orientation = orientation
    let upright = isTurned ? (width: height, height: width) : (width: width, height: height)
    let canvas = try Canvas(format, source: upright, for: limits)
    canvas.setCoding(
      primaries: Int32(frame.pointee.color_primaries.rawValue),
      transfer: Int32(frame.pointee.color_trc.rawValue))
    canvas.put(room, count: small.height, stride: stride)
    return canvas.finish()
  }

  private func prepare(
    _ frame: UnsafeMutablePointer<AVFrame>, _ small: (width: Int, height: Int)
  ) throws(CodecError) {
    let shape = Shape(
      format: frame.pointee.format, source: [frame.pointee.width, frame.pointee.height],
      target: [Int32(small.width), Int32(small.height)])
    if shape == self.shape, converter != nil { return }
    sws_freeContext(converter)
    converter = tpick_av_converter(frame, Int32(small.width), Int32(small.height))
    self.shape = shape
    guard converter != nil else { throw .unreadable("a kind of picture that can't be converted") }
  }

  private func reserve(_ size: Int) throws(CodecError) {
    if roomSize >= size { return }
    free(room)
    room = nil
    roomSize = 0
    guard posix_memalign(&room, 64, size) == 0, room != nil else {
      throw .tooLarge("not enough memory for its pixels")
    }
    roomSize = size
  }
}
