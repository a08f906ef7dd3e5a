import CWebP
import Pixels

/// The container of a WebP, taken apart by libwebp's demuxer, which it owns.
struct WebPContainer: ~Copyable {
  private let demuxer: OpaquePointer
  /// Whether nothing of the file is missing.
  private let isWhole: Bool

  /// - Parameters:
  ///   - bytes: the file; they have to stay as long as the container.
  ///   - allowsPartial: whether a file that ends early is of use.
  init(_ bytes: UnsafeRawBufferPointer, allowsPartial: Bool) throws(DecodeStop) {
    var data = WebPData(
      bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: bytes.count)
    var state = WEBP_DEMUX_PARSE_ERROR
    guard let demuxer = allowsPartial ? WebPDemuxPartial(&data, &state) : WebPDemux(&data) else {
      throw state == WEBP_DEMUX_PARSING_HEADER ? .noEnd : .damaged
    }
    self.demuxer = demuxer
    isWhole = !allowsPartial || state == WEBP_DEMUX_DONE
  }

  deinit {
    WebPDemuxDelete(demuxer)
  }

  var canvas: PixelSize {
    PixelSize(
      width: Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH)),
      height: Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT)))
  }

  /// What the colours of the file mean.
  var colors: ColorSource {
    var chunk = WebPChunkIterator()
    guard WebPDemuxGetI(demuxer, WEBP_FF_FORMAT_FLAGS) & ICCP_FLAG.rawValue != 0,
      WebPDemuxGetChunk(demuxer, "ICCP", 1, &chunk) != 0
    else { return .sRGB }
    defer { WebPDemuxReleaseChunkIterator(&chunk) }
    return ColorSource(profile: UnsafeRawBufferPointer(start: chunk.chunk.bytes, count: chunk.chunk.size))
  }

  /// Decodes the first picture.
  func decode(_ job: DecodeJob, needed: (PixelSize) -> PixelSize) throws(DecodeStop) -> DecodedImage {
    let canvas = canvas
    var iterator = WebPIterator()
    guard WebPDemuxGetFrame(demuxer, 1, &iterator) != 0 else { throw isWhole ? .damaged : .noEnd }
    defer { WebPDemuxReleaseIterator(&iterator) }
    let frame = try WebPFrame(iterator, canvas)
    var image = try frame.decode(job, covering: needed(canvas))
    image.colors = colors
    return image
  }
}
