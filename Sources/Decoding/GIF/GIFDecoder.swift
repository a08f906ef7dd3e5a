import Pixels

/// Decodes the first picture of a GIF with giflib, line by line, on a transparent canvas.
enum GIFDecoder {
  static func decode(
    _ job: DecodeJob, needed: (PixelSize) -> PixelSize
  ) throws(DecodeStop) -> DecodedImage {
    let file = try GIFFile(job)
    guard try file.findPicture() else { throw .failed("it contains no picture") }
    return try picture(of: file, job, needed)
  }

  private static func picture(
    of file: GIFFile, _ job: DecodeJob, _ needed: (PixelSize) -> PixelSize
  ) throws(DecodeStop) -> DecodedImage {
    let frame = try file.frame()
    let palette = file.palette()
    let size = frame.canvas
    let reduction = Reduction(
      of: size, covering: needed(size),
      limit: file.isInterlaced ? InterlaceAverager.largestFactor : 4096)
    try job.budget.check(
      stored: PixelSize(
        width: max(size.width, frame.size.width), height: max(size.height, frame.size.height)),
      decoded: reduction.size,
      working: frame.size.width + size.width * PixelBuffer.bytesPerPixel
        + (file.isInterlaced
          ? InterlaceAverager.workingBytes(reduction) : RowAverager.workingBytes(reduction, .rgba)))
    var indices = [UInt8](repeating: 0, count: frame.size.width)
    var row = [UInt32](repeating: 0, count: size.width)
    /// Decodes the next line into `row`; false after the last line.
    func readLine() throws(DecodeStop) -> Bool {
      guard try file.readLine(into: &indices) else { return false }
      palette.look(up: indices, into: &row, frame)
      return true
    }
    var lines = 0
    let pixels: PixelBuffer
    // The canvas outside of the picture is transparent, and counts in squares that are only partly covered.
    let covered = frame.top..<frame.top + frame.size.height
    if file.isInterlaced {
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
    if let failure = file.stream.failure { throw .unreadable(failure) }
    let isCut = file.isCut
    guard lines > 0 else { throw isCut ? .noEnd : .damaged }
    // The first pass of an interlaced picture covers all of it, coarsely.
    let rows = file.isInterlaced ? size.height : min(size.height, frame.top + lines)
    return DecodedImage(
      pixels, of: size, reduction: Double(reduction.factor),
      visibleRows: (rows + reduction.factor - 1) / reduction.factor,
      complaint: isCut ? DecodeStop.cutShort : "the picture is damaged")
  }
}
