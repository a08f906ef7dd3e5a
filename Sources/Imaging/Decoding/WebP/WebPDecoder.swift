import AssetLibrary
import CWebP
import Pixels

/// Decodes a WebP, or the first picture of an animated one, with libwebp, which shrinks it on the way.
///
/// The file is held in memory: libwebp needs its bytes until the end.
enum WebPDecoder {
  static func decode(
    _ job: DecodeJob, needed: (PixelSize) -> PixelSize
  ) throws(DecodeStop) -> DecodedImage {
    let bytes = try job.bytes()
    if bytes.count < job.reader.count { throw .noEnd }
    // Array storage stays in place for the closure; nothing of libwebp outlives it.
    let result: Result<DecodedImage, DecodeStop> = bytes.withUnsafeBufferPointer { bytes in
      do throws(DecodeStop) {
        return .success(try WebPFile(bytes).decode(job, needed))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// What the colours of a file mean.
  static func colors(of demuxer: OpaquePointer) -> ColorSource {
    var chunk = WebPChunkIterator()
    guard WebPDemuxGetI(demuxer, WEBP_FF_FORMAT_FLAGS) & ICCP_FLAG.rawValue != 0,
      WebPDemuxGetChunk(demuxer, "ICCP", 1, &chunk) != 0
    else { return .sRGB }
    defer { WebPDemuxReleaseChunkIterator(&chunk) }
    return ColorSource(profile: UnsafeRawBufferPointer(start: chunk.chunk.bytes, count: chunk.chunk.size))
  }
}

/// A WebP's container, taken apart by libwebp's demuxer.
private struct WebPFile: ~Copyable {
  private let demuxer: OpaquePointer
  private let isWhole: Bool

  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(DecodeStop) {
    var data = WebPData(bytes: bytes.baseAddress, size: bytes.count)
    var state = WEBP_DEMUX_PARSE_ERROR
    guard let demuxer = WebPDemuxPartial(&data, &state) else {
      throw state == WEBP_DEMUX_PARSING_HEADER ? .noEnd : .damaged
    }
    self.demuxer = demuxer
    isWhole = state == WEBP_DEMUX_DONE
  }

  deinit {
    WebPDemuxDelete(demuxer)
  }

  func decode(_ job: DecodeJob, _ needed: (PixelSize) -> PixelSize) throws(DecodeStop) -> DecodedImage {
    let canvas = PixelSize(
      width: Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH)),
      height: Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT)))
    var iterator = WebPIterator()
    guard WebPDemuxGetFrame(demuxer, 1, &iterator) != 0 else { throw isWhole ? .damaged : .noEnd }
    defer { WebPDemuxReleaseIterator(&iterator) }
    let frame = try WebPFrame(iterator, canvas)
    var image = try frame.decode(job, covering: needed(canvas))
    image.colors = WebPDecoder.colors(of: demuxer)
    return image
  }
}
