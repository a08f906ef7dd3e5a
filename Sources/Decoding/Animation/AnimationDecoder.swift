import AssetLibrary
import Pixels

/// Decodes the frames of one animation in order, each drawn over what was there before.
protocol AnimationDecoder: AnyObject {
  /// The size of the canvas.
  var size: PixelSize { get }
  /// What the colours of the canvas mean.
  var colors: ColorSource { get }
  /// How often all is shown; nil = again and again. Asked right after the last frame of a pass.
  var playCount: Int? { get }
  /// The whole picture after `advance`.
  var canvas: PixelBuffer { get }

  /// Goes on to the next frame.
  /// - Parameter job: how long that may take.
  /// - Returns: how long it is shown; nil where there is none any more.
  func advance(_ job: DecodeJob) throws(DecodeStop) -> Duration?

  /// Begins anew before the first frame.
  func rewind(_ job: DecodeJob) throws(DecodeStop)
}
