import CAVFormat
import CCodecs
import CodecProtocol
import System

/// A decoded frame of a video; owns libavutil's memory for it.
///
/// Used by one thread.
final class VideoFrame {
  private let frame: UnsafeMutablePointer<AVFrame>

  /// Creates an empty frame.
  init() throws(CodecError) {
    guard let frame = av_frame_alloc() else { throw .noMemory }
    self.frame = frame
  }

  deinit {
    var freeing: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&freeing)
  }

  /// Size in pixels of the frame as stored.
  var width: Int { Int(frame.pointee.width) }
  var height: Int { Int(frame.pointee.height) }

  /// Returns the size in square pixels, before orientation.
  func size(in shape: PixelShape) -> (width: Int, height: Int) {
    (Int(shape.shownWidth(of: frame.pointee.width)), height)
  }

  var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Its presentation time in the units of its stream; nil if unknown.
  var timestamp: Int64? {
    let stamp = frame.pointee.best_effort_timestamp
    return stamp == tpick_av_no_time() ? nil : stamp
  }

  /// Its duration in the same units; 0 if unknown.
  var duration: Int64 { tpick_av_duration(frame) }

  /// Its color space by the code points of ITU-T H.273.
  var coding: (primaries: Int32, transfer: Int32) {
    (Int32(frame.pointee.color_primaries.rawValue), Int32(frame.pointee.color_trc.rawValue))
  }

  /// Releases its pixels.
  func clear() { av_frame_unref(frame) }

  /// Calls `body` with the libavutil frame.
  func withUnsafeFrame<Result>(_ body: (UnsafeMutablePointer<AVFrame>) -> Result) -> Result {
    withExtendedLifetime(self) { body(frame) }
  }
}

/// The aspect ratio of a video's pixels, which need not be square (the sample aspect ratio of ITU-T H.273).
///
/// AVCHD stores pictures of 1920x1080 as 1440x1080 pixels with a ratio of 4:3; DV stores 720x576 for both 4:3 and
/// 16:9.
struct PixelShape: Equatable {
  private let width: Int32
  private let height: Int32

  /// Creates a ratio; square if it is unknown, or so extreme that no camera and no broadcast has it.
  init(width: Int32, height: Int32) {
    let isReal = width > 0 && height > 0 && (0.25...4).contains(Double(width) / Double(height))
    (self.width, self.height) = isReal ? (width, height) : (1, 1)
  }

  /// Returns the width in square pixels of a row of stored pixels.
  func shownWidth(of stored: Int32) -> Int32 {
    if stored <= 0 || width == height { return stored }
    return Int32(clamping: max(1, (Int64(stored) * Int64(width) + Int64(height) / 2) / Int64(height)))
  }

  /// Whether frames of this size usually have non-square pixels.
  static func isUsuallyStretched(_ width: Int32, _ height: Int32) -> Bool {
    switch height {
    case 480, 486, 576: (352...720).contains(width) && width != 640
    case 720: width == 960
    case 1080: width == 1280 || width == 1440
    default: false
    }
  }
}

/// Converts decoded frames to pictures with libswscale, which scales them down in the same step.
///
/// Keeps the converter for the next frame: most frames are alike.
final class FrameScaler {
  /// The largest factor for libswscale: more needs filters that are too long for it.
  private static let mostAtOnce = 32

  private var converter: OpaquePointer?
  private var room: UnsafeMutableRawPointer?
  private var roomSize = 0
  private var conversion: Conversion?

  /// What the converter was created for.
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
  ///   - video: orientation and pixel aspect ratio of its frames.
  ///   - size: size before orientation; a reduction that is too large for one step is left to the canvas or the
  ///     caller.
  ///   - request: limits of the frame, and the reduction for the canvas.
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
    guard converter != nil else { throw .unreadable("an unsupported pixel format") }
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

/// Compares the aspect ratios of a picture and of a smaller version.
enum AspectRatio {
  /// Returns whether a smaller picture can show the whole of a larger one: the aspect ratios are the same, within
  /// rounding to whole pixels.
  static func match(_ width: Int, _ height: Int, _ wholeWidth: Int, _ wholeHeight: Int) -> Bool {
    guard width > 0, height > 0, wholeWidth > 0, wholeHeight > 0 else { return false }
    let expected = Double(width) * Double(wholeHeight) / Double(wholeWidth)
    let scale = Double(wholeHeight) / Double(wholeWidth)
    return abs(expected - Double(height)) <= 1.5 + scale
  }
}
