import CGIF
import Pixels

/// Decodes the first picture of a GIF with giflib, line by line, on a transparent canvas.
struct GIFDecoder: ~Copyable {
  /// The colours of the first picture, as RGBA in memory.
  private struct Palette {
    /// What an index stands for that has no colour is black.
    var colors = [UInt32](repeating: UInt32(bigEndian: 0x0000_00FF), count: 256)

    /// Writes the colours of a line of the picture to where it lies in the row.
    func look(up indices: [UInt8], into row: inout [UInt32], _ frame: GIFFrame) {
      let columns = frame.columns
      // Bounds are checked once and not for each pixel.
      precondition(
        columns.upperBound <= row.count && columns.upperBound - frame.left <= indices.count
          && colors.count == 256)
      row.withUnsafeMutableBufferPointer { row in
        indices.withUnsafeBufferPointer { indices in
          colors.withUnsafeBufferPointer { colors in
            for x in columns { row[x] = colors[Int(indices[x - frame.left])] }
          }
        }
      }
    }
  }

  private let file: UnsafeMutablePointer<GifFileType>
  private let stream: ByteStream
  private var transparentIndex = NO_TRANSPARENT_COLOR

  static func decode(
    _ job: DecodeJob, needed: (PixelSize) -> PixelSize
  ) throws(DecodeStop) -> DecodedImage {
    var decoder = try GIFDecoder(job)
    try decoder.findPicture()
    return try decoder.picture(needed)
  }

  private init(_ job: DecodeJob) throws(DecodeStop) {
    let stream = try job.stream()
    var status: Int32 = 0
    let user = Unmanaged.passUnretained(stream).toOpaque()
    let file = DGifOpen(
      user,
      { file, target, count in
        guard let user = file?.pointee.UserData, count > 0 else { return 0 }
        let stream = Unmanaged<ByteStream>.fromOpaque(user).takeUnretainedValue()
        return Int32(stream.read(into: UnsafeMutableRawBufferPointer(start: target, count: Int(count))))
      }, &status)
    guard let file else { throw Self.stop(status, stream) }
    self.file = file
    self.stream = stream
  }

  deinit {
    var status: Int32 = 0
    DGifCloseFile(file, &status)
  }

  // MARK: Blocks

  /// Reads up to the first picture's descriptor.
  private mutating func findPicture() throws(DecodeStop) {
    while true {
      try stream.job.goOn()
      var kind = UNDEFINED_RECORD_TYPE
      try check(DGifGetRecordType(file, &kind))
      switch kind {
      case IMAGE_DESC_RECORD_TYPE:
        return try check(DGifGetImageDesc(file))
      case EXTENSION_RECORD_TYPE: try readExtension()
      case TERMINATE_RECORD_TYPE: throw .failed("there is no picture in it")
      default: break
      }
    }
  }

  private mutating func readExtension() throws(DecodeStop) {
    var code: Int32 = 0
    var block: UnsafeMutablePointer<GifByteType>?
    try check(DGifGetExtension(file, &code, &block))
    while let bytes = block {
      if code == GRAPHICS_EXT_FUNC_CODE {
        var control = GraphicsControlBlock()
        // The first byte is the block's length.
        if DGifExtensionToGCB(Int(bytes[0]), bytes + 1, &control) == GIF_OK {
          transparentIndex = control.TransparentColor
        }
      }
      try stream.job.goOn()
      try check(DGifGetExtensionNext(file, &block))
    }
  }

  private func palette() -> Palette {
    var palette = Palette()
    let map = file.pointee.Image.ColorMap ?? file.pointee.SColorMap
    if let map, let colors = map.pointee.Colors {
      for index in 0..<min(256, max(0, Int(map.pointee.ColorCount))) {
        let color = colors[index]
        palette.colors[index] = UInt32(
          bigEndian: UInt32(color.Red) << 24 | UInt32(color.Green) << 16 | UInt32(color.Blue) << 8 | 255)
      }
    }
    if (0..<256).contains(transparentIndex) {
      palette.colors[Int(transparentIndex)] = 0
    }
    return palette
  }

  // MARK: The picture

  private func picture(_ needed: (PixelSize) -> PixelSize) throws(DecodeStop) -> DecodedImage {
    let job = stream.job
    let description = file.pointee.Image
    let frame = GIFFrame(
      canvas: PixelSize(width: Int(file.pointee.SWidth), height: Int(file.pointee.SHeight)),
      left: Int(description.Left), top: Int(description.Top),
      size: PixelSize(width: Int(description.Width), height: Int(description.Height)))
    guard !frame.size.isEmpty, !frame.canvas.isEmpty else { throw .failed("there is no picture in it") }
    let palette = palette()
    let size = frame.canvas
    let reduction = Reduction(
      of: size, covering: needed(size),
      limit: description.Interlace ? InterlaceAverager.largestFactor : 4096)
    try job.budget.check(
      stored: PixelSize(
        width: max(size.width, frame.size.width), height: max(size.height, frame.size.height)),
      decoded: reduction.size,
      working: description.Interlace ? InterlaceAverager.workingBytes(reduction) : 0)
    var indices = [UInt8](repeating: 0, count: frame.size.width)
    var row = [UInt32](repeating: 0, count: size.width)
    /// Decodes the next line into `row`; false where there is none any more.
    func readLine() throws(DecodeStop) -> Bool {
      try job.goOn()
      guard DGifGetLine(file, &indices, Int32(indices.count)) == GIF_OK else { return false }
      palette.look(up: indices, into: &row, frame)
      return true
    }
    var lines = 0
    let pixels: PixelBuffer
    // What lies outside of the picture is transparent, and counts where a square is only partly covered.
    let covered = frame.top..<frame.top + frame.size.height
    if description.Interlace {
      var averager = InterlaceAverager(reduction)
      for y in 0..<size.height where !covered.contains(y) {
        row.withUnsafeBytes { averager.add($0, count: size.width, x: 0, step: 1, y: y) }
      }
      for line in frame.interlacedLines {
        guard try readLine() else { break }
        lines += 1
        row.withUnsafeBytes { averager.add($0, count: size.width, x: 0, step: 1, y: frame.top + line) }
      }
      pixels = averager.finish()
    } else {
      let averager = RowAverager(reduction, .rgba)
      for y in 0..<min(frame.top, size.height) { row.withUnsafeBytes { averager.add($0, at: y) } }
      for line in 0..<frame.size.height {
        guard try readLine() else { break }
        lines += 1
        let y = frame.top + line
        if y < size.height { row.withUnsafeBytes { averager.add($0, at: y) } }
      }
      if lines == frame.size.height {
        for x in row.indices { row[x] = 0 }
        for y in min(covered.upperBound, size.height)..<size.height {
          row.withUnsafeBytes { averager.add($0, at: y) }
        }
      }
      pixels = averager.finish()
    }
    if lines == frame.size.height {
      return DecodedImage(pixels, of: size, reduction: Double(reduction.factor))
    }
    if let failure = stream.failure { throw .unreadable(failure) }
    let isCut = file.pointee.Error == D_GIF_ERR_READ_FAILED || file.pointee.Error == D_GIF_ERR_EOF_TOO_SOON
    guard lines > 0 else { throw isCut ? .noEnd : .damaged }
    // An interlaced picture's first pass covers all of it, coarsely.
    let rows = description.Interlace ? size.height : min(size.height, frame.top + lines)
    return DecodedImage(
      pixels, of: size, reduction: Double(reduction.factor),
      visibleRows: (rows + reduction.factor - 1) / reduction.factor,
      complaint: isCut ? DecodeStop.cutShort : "the picture is damaged")
  }

  // MARK: Errors

  private func check(_ status: Int32) throws(DecodeStop) {
    guard status != GIF_OK else { return }
    throw Self.stop(file.pointee.Error, stream)
  }

  private static func stop(_ status: Int32, _ stream: ByteStream) -> DecodeStop {
    if let failure = stream.failure { return .unreadable(failure) }
    return switch status {
    case D_GIF_ERR_READ_FAILED, D_GIF_ERR_EOF_TOO_SOON: .noEnd
    case D_GIF_ERR_NOT_ENOUGH_MEM: .noMemory
    default: .failed(GifErrorString(status).map { String(cString: $0) } ?? "the picture is damaged")
    }
  }
}

/// Where the first picture of a GIF lies on its canvas.
struct GIFFrame {
  var canvas: PixelSize
  var left: Int
  var top: Int
  var size: PixelSize

  /// The columns of the canvas that the picture covers.
  var columns: Range<Int> {
    let first = min(max(0, left), canvas.width)
    return first..<min(canvas.width, max(first, left + size.width))
  }

  /// The picture's lines in the order in which an interlaced one stores them (GIF89a, appendix E).
  var interlacedLines: [Int] {
    [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { first, step in
      Array(stride(from: first, to: size.height, by: step))
    }
  }
}
