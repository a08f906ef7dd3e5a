import CAVFormat
import CCanvas
import CodecProtocol
import System

/// Makes pictures of frames as a video's codec leaves them, by libswscale, which shrinks them on the way.
///
/// Keeps what it has prepared for the next frame: most are alike.
final class FrameScaler {
  /// What libswscale shrinks by at most: more takes filters that are too long for it.
  private static let mostAtOnce = 32

  private var converter: OpaquePointer?
  private var room: UnsafeMutableRawPointer?
  private var roomSize = 0
  private var conversion: Conversion?

  /// What the converter was made for.
  private struct Conversion: Hashable {
    var format: Int32
    var source: [Int32]
    var target: [Int32]
    var space: UInt32
    var range: UInt32
  }

  deinit {
    sws_freeContext(converter)
    free(room)
  }

  /// - Parameters:
  ///   - video: how its frames are turned, and the shape of their pixels.
  ///   - size: the size that is wanted before the frame is turned; what shrinks it too much at once is left to the
  ///     canvas, or to the caller.
  ///   - request: the frame's limits, and what the canvas shrinks it to.
  func picture(
    of frame: VideoFrame, _ video: MovieContainer.Video, size: (width: Int, height: Int),
    for request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    try Limits.check(frame.width, frame.height, request)
    let (width, height) = frame.size(in: video.pixelShape)
    try Limits.check(width, height, request)
    let least = Self.mostAtOnce
    let small = (
      width: max(size.width, (width + least - 1) / least),
      height: max(size.height, (height + least - 1) / least)
    )
    try prepare(frame, small)
    // The converter writes whole vectors.
    let stride = (small.width * 3 + 63) / 64 * 64
    try reserve(stride * (small.height + 1))
    guard let room, let converter else { throw .unreadable("a damaged picture") }
    let rows = frame.withUnsafeFrame {
      tpick_av_convert(converter, $0, room.assumingMemoryBound(to: UInt8.self), Int32(stride))
    }
    guard rows == Int32(small.height) else { throw .unreadable("a damaged picture") }
    var format = canvas_format(width: small.width, height: small.height, colours: 3)
    format.orientation = video.orientation
    let upright = video.orientation >= 5 ? (width: height, height: width) : (width: width, height: height)
    let canvas = try Canvas(format, source: upright, for: request)
    canvas.setCoding(primaries: frame.coding.primaries, transfer: frame.coding.transfer)
    canvas.put(room, count: small.height, stride: stride)
    return canvas.finish()
  }

  private func prepare(
    _ frame: VideoFrame, _ small: (width: Int, height: Int)
  ) throws(CodecError) {
    let conversion = frame.withUnsafeFrame { frame in
      Conversion(
        format: frame.pointee.format, source: [frame.pointee.width, frame.pointee.height],
        target: [Int32(small.width), Int32(small.height)], space: frame.pointee.colorspace.rawValue,
        range: frame.pointee.color_range.rawValue)
    }
    if conversion == self.conversion, converter != nil { return }
    sws_freeContext(converter)
    converter = frame.withUnsafeFrame { tpick_av_converter($0, Int32(small.width), Int32(small.height)) }
    self.conversion = conversion
    guard converter != nil else { throw .unreadable("a kind of picture that can't be converted") }
  }

  private func reserve(_ size: Int) throws(CodecError) {
    if roomSize >= size { return }
    free(room)
    room = nil
    roomSize = 0
    guard posix_memalign(&room, 64, size) == 0, room != nil else {
      throw .noMemory
    }
    roomSize = size
  }
}
