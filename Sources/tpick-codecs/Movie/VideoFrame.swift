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
