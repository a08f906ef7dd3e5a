import AssetLibrary
import CWebP
import Pixels
import Rendering

/// Decodes the frames of an animated WebP with libwebp's animation decoder.
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
    // Times are sums of values from the file and may overflow.
    let delay = Duration.milliseconds(max(0, Int(end) - Int(time)))
    time = end
    return AnimationFrame.displayDuration(delay)
  }
}

/// libwebp's animation decoder and the file's bytes that it reads; owns both.
private struct WebPAnimationDecoder: ~Copyable {
  let size: PixelSize
  let colors: ColorSource
  /// How often the animation is played; nil means endlessly.
  let playCount: Int?
  /// libwebp keeps a pointer to them.
  private let bytes: UnsafeMutableRawBufferPointer
  private let decoder: OpaquePointer

  init(_ job: DecodeJob) throws(DecodeStop) {
    try job.checkHeld()
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: job.reader.count, alignment: 1)
    let found: (size: PixelSize, colors: ColorSource)
    let decoder: OpaquePointer
    do throws(DecodeStop) {
      try job.read(into: bytes)
      // Checked before the decoder allocates the canvas.
      let container = try WebPContainer(UnsafeRawBufferPointer(bytes), allowsPartial: false)
      found = (container.canvas, container.colors)
      try AnimationBudget.check(found.size)
      decoder = try Self.open(bytes)
    } catch {
      bytes.deallocate()
      throw error
    }
    (self.bytes, self.decoder) = (bytes, decoder)
    (size, colors) = found
    var info = WebPAnimInfo()
    // Fails only if arguments are missing.
    _ = WebPAnimDecoderGetInfo(decoder, &info)
    playCount = info.loop_count == 0 ? nil : Int(info.loop_count)
  }

  deinit {
    WebPAnimDecoderDelete(decoder)
    bytes.deallocate()
  }

  private static func open(_ bytes: UnsafeMutableRawBufferPointer) throws(DecodeStop) -> OpaquePointer {
    var data = WebPData(
      bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: bytes.count)
    var options = WebPAnimDecoderOptions()
    guard WebPAnimDecoderOptionsInit(&options) != 0 else { throw .noMemory }
    options.color_mode = MODE_RGBA
    options.use_threads = 0
    guard let decoder = WebPAnimDecoderNew(&data, &options) else { throw .damaged }
    return decoder
  }

  /// Rewinds to before the first frame.
  func rewind() { WebPAnimDecoderReset(decoder) }

  /// Decodes the next frame into the canvas.
  /// - Returns: the end of the frame in milliseconds from the start; nil after the last frame.
  func next(into canvas: inout PixelBuffer) throws(DecodeStop) -> Int32? {
    guard WebPAnimDecoderHasMoreFrames(decoder) != 0 else { return nil }
    var picture: UnsafeMutablePointer<UInt8>?
    var end: Int32 = 0
    guard WebPAnimDecoderGetNext(decoder, &picture, &end) != 0, let picture else { throw .damaged }
    canvas.withBytes {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: picture, count: $0.count))
    }
    return end
  }
}
