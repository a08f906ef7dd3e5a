import AssetLibrary
import CWebP
import Pixels

/// The pictures of an animated WebP, put together by libwebp's own animation decoder.
///
/// Format: RFC 9649, 2.7. The file is held in memory: libwebp needs its bytes until the end.
final class WebPAnimation: AnimationDecoder {
  let size: PixelSize
  let colors: ColorSource
  let playCount: Int?
  private(set) var canvas: PixelBuffer
  /// libwebp keeps a pointer to them.
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let decoder: OpaquePointer
  private var time: Int32 = 0

  init(_ job: DecodeJob) throws(DecodeStop) {
    bytes = try job.allocatedBytes()
    var data = WebPData(bytes: bytes.baseAddress, size: bytes.count)
    var options = WebPAnimDecoderOptions()
    var info = WebPAnimInfo()
    do throws(DecodeStop) {
      // Before the decoder is made, which takes memory for the canvas.
      let found = try Self.look(at: &data)
      guard WebPAnimDecoderOptionsInit(&options) != 0 else { throw .noMemory }
      options.color_mode = MODE_RGBA
      options.use_threads = 0
      guard let decoder = WebPAnimDecoderNew(&data, &options), WebPAnimDecoderGetInfo(decoder, &info) != 0
      else { throw .damaged }
      self.decoder = decoder
      (size, colors) = found
    } catch {
      bytes.deallocate()
      throw error
    }
    playCount = info.loop_count == 0 ? nil : Int(info.loop_count)
    canvas = AnimationCanvas(size: size).pixels
  }

  deinit {
    WebPAnimDecoderDelete(decoder)
    bytes.deallocate()
  }

  /// The size of the canvas and its profile.
  private static func look(at data: inout WebPData) throws(DecodeStop) -> (PixelSize, ColorSource) {
    guard let demuxer = WebPDemux(&data) else { throw .damaged }
    defer { WebPDemuxDelete(demuxer) }
    let size = PixelSize(
      width: Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH)),
      height: Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT)))
    try AnimationBudget.check(size)
    return (size, WebPDecoder.colors(of: demuxer))
  }

  func rewind(_ job: DecodeJob) throws(DecodeStop) {
    WebPAnimDecoderReset(decoder)
    time = 0
  }

  func advance(_ job: DecodeJob) throws(DecodeStop) -> Duration? {
    try job.goOn()
    guard WebPAnimDecoderHasMoreFrames(decoder) != 0 else { return nil }
    var picture: UnsafeMutablePointer<UInt8>?
    var end: Int32 = 0
    guard WebPAnimDecoderGetNext(decoder, &picture, &end) != 0, let picture else { throw .damaged }
    canvas.withBytes {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: picture, count: $0.count))
    }
    // Times are sums of what the file says, and may overflow.
    let delay = Duration.milliseconds(max(0, Int(end) - Int(time)))
    time = end
    return AnimationPiece.shownDelay(delay)
  }
}
