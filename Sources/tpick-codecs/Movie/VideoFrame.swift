import CAVFormat
import CodecProtocol

/// A decoded frame of a video; owns libavutil's memory for it.
///
/// Used by one thread.
final class VideoFrame {
  private let frame: UnsafeMutablePointer<AVFrame>

  /// An empty frame.
  init() throws(CodecError) {
    guard let frame = av_frame_alloc() else { throw .noMemory }
    self.frame = frame
  }

  deinit {
    var freeing: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&freeing)
  }

  /// Pixels of the frame as it is stored.
  var width: Int { Int(frame.pointee.width) }
  var height: Int { Int(frame.pointee.height) }

  /// The size in square pixels, before the frame is turned.
  func size(in shape: PixelShape) -> (width: Int, height: Int) {
    (Int(shape.shownWidth(of: frame.pointee.width)), height)
  }

  var isEmpty: Bool { width <= 0 || height <= 0 }

  /// When it is shown, in the units of its stream; nil = not known.
  var timestamp: Int64? {
    let stamp = frame.pointee.best_effort_timestamp
    return stamp == tpick_av_no_time() ? nil : stamp
  }

  /// How long it is shown, in the same units; 0 = not known.
  var duration: Int64 { tpick_av_duration(frame) }

  /// What the colours mean, by the code points of ITU-T H.273.
  var coding: (primaries: Int32, transfer: Int32) {
    (Int32(frame.pointee.color_primaries.rawValue), Int32(frame.pointee.color_trc.rawValue))
  }

  /// Gives its pixels back.
  func clear() { av_frame_unref(frame) }

  /// Lends the frame to a library.
  func withUnsafeFrame<Result>(_ body: (UnsafeMutablePointer<AVFrame>) -> Result) -> Result {
    withExtendedLifetime(self) { body(frame) }
  }
}

/// The shape of a video's pixels, which need not be square (the sample aspect ratio of ITU-T H.273).
///
/// AVCHD keeps 1440x1080 pixels of 4:3 for pictures of 1920x1080, DV 720x576 for 4:3 and for 16:9 alike.
struct PixelShape: Equatable {
  private let width: Int32
  private let height: Int32

  /// Square where a shape is not known, or so narrow that no camera and no broadcast has it.
  init(width: Int32, height: Int32) {
    let isReal = width > 0 && height > 0 && (0.25...4).contains(Double(width) / Double(height))
    (self.width, self.height) = isReal ? (width, height) : (1, 1)
  }

  /// How many square pixels a row of stored ones is wide.
  func shownWidth(of stored: Int32) -> Int32 {
    if stored <= 0 || width == height { return stored }
    return Int32(clamping: max(1, (Int64(stored) * Int64(width) + Int64(height) / 2) / Int64(height)))
  }

  /// Whether frames of this size are mostly shown wider or narrower than they are stored.
  static func isUsuallyStretched(_ width: Int32, _ height: Int32) -> Bool {
    switch height {
    case 480, 486, 576: (352...720).contains(width) && width != 640
    case 720: width == 960
    case 1080: width == 1280 || width == 1440
    default: false
    }
  }
}
