import AssetLibrary
import Pixels

/// The frames of an animated WebP, put together by libwebp's own animation decoder.
///
/// Format: RFC 9649, 2.7. The file is held in memory: libwebp needs its bytes until the end.
final class WebPAnimation: AnimationDecoder {
  private(set) var canvas: PixelBuffer
  private let decoder: WebPAnimationDecoder
  private var time: Int32 = 0

  init(_ job: DecodeJob) throws(DecodeStop) {
    decoder = try WebPAnimationDecoder(job)
    canvas = AnimationCanvas(size: decoder.size).pixels
  }

  var size: PixelSize { decoder.size }
  var colors: ColorSource { decoder.colors }
  var playCount: Int? { decoder.playCount }

  func rewind(_ job: DecodeJob) throws(DecodeStop) {
    decoder.rewind()
    time = 0
  }

  func advance(_ job: DecodeJob) throws(DecodeStop) -> Duration? {
    try job.checkStopped()
    guard let end = try decoder.next(into: &canvas) else { return nil }
    // Times are sums of what the file says, and may overflow.
    let delay = Duration.milliseconds(max(0, Int(end) - Int(time)))
    time = end
    return AnimationFrame.displayDuration(delay)
  }
}
