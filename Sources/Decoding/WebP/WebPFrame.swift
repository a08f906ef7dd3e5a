import CWebP
import Pixels

/// One picture of a WebP: its bytes, and where it lies on the canvas.
struct WebPFrame {
  private let data: UnsafeBufferPointer<UInt8>
  private let canvas: PixelSize
  private let left: Int
  private let top: Int
  private let size: PixelSize
  private let isLossless: Bool
  private let hasAlpha: Bool

  /// - Parameter iterator: lends its bytes; they have to stay.
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

  /// The canvas with the picture on it, no smaller than `needed`.
  func decode(_ job: DecodeJob, covering needed: PixelSize) throws(DecodeStop) -> DecodedImage {
    // libwebp shrinks the colours of a lossy picture without regard to its alpha.
    let isWeighed = isLossless || !hasAlpha
    if size == canvas, isWeighed || needed == canvas {
      try job.budget.check(stored: canvas, decoded: needed, working: workingBytes)
      let (pixels, rows, complaint) = try decode(job, scaledTo: needed)
      return DecodedImage(pixels, of: canvas, visibleRows: rows, complaint: complaint)
    }
    return try reduced(job, Reduction(of: canvas, covering: needed))
  }

  /// What libwebp keeps of the picture besides its result: all pixels without loss, else all of the alpha.
  private var workingBytes: Int { isLossless ? size.area * 4 : hasAlpha ? size.area : 0 }

  /// Decoded in its own size, laid on the canvas and shrunk.
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

  /// As many bytes are decoded between two looks at whether somebody still wants the picture.
  private static let step = 1 << 17

  private func decode(
    _ job: DecodeJob, scaledTo target: PixelSize
  ) throws(DecodeStop) -> (PixelBuffer, rows: Int, complaint: String) {
    // libwebp holds on to it for as long as it decodes.
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
