import AssetLibrary
import CWebP
import Pixels

/// The container of a WebP, parsed by libwebp's demuxer, which it owns.
struct WebPContainer: ~Copyable {
  private let demuxer: OpaquePointer
  /// Whether the file is complete.
  private let isWhole: Bool

  /// - Parameters:
  ///   - bytes: the file; must outlive the container.
  ///   - allowsPartial: whether to accept a truncated file.
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

  /// Color space of the file.
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

/// Decodes a WebP, or the first picture of an animated one, with libwebp, which reduces it while decoding.
///
/// The file is held in memory: libwebp needs its bytes until the end.
enum WebPDecoder {
  static func decode(
    _ job: DecodeJob, needed: (PixelSize) -> PixelSize
  ) throws(DecodeStop) -> DecodedImage {
    let bytes = try job.bytes()
    if bytes.count < job.reader.count { throw .noEnd }
    // The array's storage does not move during the closure, and libwebp does not keep the pointer.
    let result: Result<DecodedImage, DecodeStop> = bytes.withUnsafeBytes { bytes in
      do throws(DecodeStop) {
        return .success(try WebPContainer(bytes, allowsPartial: true).decode(job, needed: needed))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// One picture of a WebP: its bytes and its position on the canvas.
private struct WebPFrame {
  private let data: UnsafeBufferPointer<UInt8>
  private let canvas: PixelSize
  private let left: Int
  private let top: Int
  private let size: PixelSize
  private let isLossless: Bool
  private let hasAlpha: Bool

  /// - Parameter iterator: owns the bytes, which must outlive the frame.
  init(_ iterator: WebPIterator, _ canvas: PixelSize) throws(DecodeStop) {
    data = UnsafeBufferPointer(start: iterator.fragment.bytes, count: iterator.fragment.size)
    var features = WebPBitstreamFeatures()
    let status = WebPGetFeatures(data.baseAddress, data.count, &features)
    guard status == VP8_STATUS_OK else { throw status == VP8_STATUS_NOT_ENOUGH_DATA ? .noEnd : .damaged }
    self.canvas = canvas
    left = Int(iterator.x_offset)
    top = Int(iterator.y_offset)
    size = PixelSize(width: Int(features.width), height: Int(features.height))
    isLossless = features.format == 2
    hasAlpha = features.has_alpha != 0
    guard !size.isEmpty, !canvas.isEmpty, left >= 0, top >= 0, left + size.width <= canvas.width,
      top + size.height <= canvas.height
    else { throw .damaged }
  }

  /// Returns the canvas with the picture on it, no smaller than `needed`.
  func decode(_ job: DecodeJob, covering needed: PixelSize) throws(DecodeStop) -> DecodedImage {
    // libwebp scales the colors of a lossy picture without weighting them by alpha.
    let isWeighed = isLossless || !hasAlpha
    if size == canvas, isWeighed || needed == canvas {
      try job.budget.check(stored: canvas, decoded: needed, working: workingBytes)
      let (pixels, rows, complaint) = try decode(job, scaledTo: needed)
      return DecodedImage(pixels, of: canvas, visibleRows: rows, complaint: complaint)
    }
    return try reduced(job, Reduction(of: canvas, covering: needed))
  }

  /// Memory of libwebp besides the result: all pixels of a lossless picture, otherwise the alpha.
  private var workingBytes: Int { isLossless ? size.area * 4 : hasAlpha ? size.area : 0 }

  /// Decodes in full size, draws onto the canvas and reduces the result.
  private func reduced(_ job: DecodeJob, _ reduction: Reduction) throws(DecodeStop) -> DecodedImage {
    try job.budget.check(
      stored: canvas, decoded: reduction.size,
      working: workingBytes + (size.area + canvas.width) * PixelBuffer.bytesPerPixel
        + RowAverager.workingBytes(reduction, .rgba))
    let (pixels, rows, complaint) = try decode(job, scaledTo: size)
    let averager = RowAverager(reduction, .rgba)
    var line = [UInt8](repeating: 0, count: canvas.width * PixelBuffer.bytesPerPixel)
    let rowBytes = size.width * PixelBuffer.bytesPerPixel
    let visible = complaint.isEmpty ? canvas.height : top + rows
    for y in 0..<visible {
      if (top..<top + size.height).contains(y) {
        let start = left * PixelBuffer.bytesPerPixel
        let row = pixels.bytes[((y - top) * rowBytes)..<((y - top + 1) * rowBytes)]
        line.replaceSubrange(start..<start + rowBytes, with: row)
      } else if y == top + size.height {
        line = [UInt8](repeating: 0, count: line.count)
      }
      line.withUnsafeBytes { averager.add($0, at: y) }
    }
    return DecodedImage(
      averager.finish(), of: canvas, reduction: Double(reduction.factor),
      visibleRows: (visible + reduction.factor - 1) / reduction.factor, complaint: complaint)
  }

  /// Bytes decoded between two checks for cancellation.
  private static let step = 1 << 17

  private func decode(
    _ job: DecodeJob, scaledTo target: PixelSize
  ) throws(DecodeStop) -> (PixelBuffer, rows: Int, complaint: String) {
    // Allocated on the heap, because libwebp keeps a pointer to it while decoding.
    let config = UnsafeMutablePointer<WebPDecoderConfig>.allocate(capacity: 1)
    defer { config.deallocate() }
    guard WebPInitDecoderConfig(config) != 0 else { throw .noMemory }
    if target != size {
      config.pointee.options.use_scaling = 1
      config.pointee.options.scaled_width = Int32(target.width)
      config.pointee.options.scaled_height = Int32(target.height)
    }
    config.pointee.output.colorspace = MODE_RGBA
    config.pointee.output.is_external_memory = 1
    var rows = 0
    var status = VP8_STATUS_SUSPENDED
    let pixels = try PixelBuffer(size: target) { output throws(DecodeStop) in
      let stride = target.width * PixelBuffer.bytesPerPixel
      config.pointee.output.u.RGBA = WebPRGBABuffer(
        rgba: output.baseAddress, stride: Int32(stride), size: output.count)
      guard let decoder = WebPIDecode(nil, 0, config) else { throw .noMemory }
      defer { WebPIDelete(decoder) }
      var end = 0
      repeat {
        try job.checkStopped()
        end = min(data.count, end + Self.step)
        status = WebPIUpdate(decoder, data.baseAddress, end)
      } while status == VP8_STATUS_SUSPENDED && end < data.count
      var last: Int32 = 0
      let hasRows = WebPIDecGetRGB(decoder, &last, nil, nil, nil) != nil
      rows = status == VP8_STATUS_OK ? target.height : hasRows ? min(target.height, max(0, Int(last))) : 0
      output[(rows * stride)...].update(repeating: 0)
    }
    if status == VP8_STATUS_OUT_OF_MEMORY { throw .noMemory }
    let isCut = status == VP8_STATUS_SUSPENDED || status == VP8_STATUS_NOT_ENOUGH_DATA
    if rows == 0 { throw isCut ? .noEnd : .damaged }
    return (pixels, rows, rows == target.height ? "" : isCut ? DecodeStop.cutShort : "the picture is damaged")
  }
}
