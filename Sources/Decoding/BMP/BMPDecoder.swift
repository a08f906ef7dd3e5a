import AssetLibrary
import Pixels

/// Decodes Windows bitmaps of 1 to 32 bits a pixel, row by row: plain, with bit fields, or run-length coded.
///
/// Format: see `BMPHeader`. Bitmaps that hold a JPEG or a PNG are for printers only.
struct BMPDecoder {
  private let header: BMPHeader
  private let stream: ByteStream
  private let pixels: BMPPixels
  private let colors: ColorSource

  static func decode(
    _ job: DecodeJob, needed: (PixelSize) -> PixelSize
  ) throws(DecodeStop) -> DecodedImage {
    try BMPDecoder(job).decode(needed)
  }

  private init(_ job: DecodeJob) throws(DecodeStop) {
    let stream = try ByteStream(job)
    let header = try BMPHeader(try job.head(BMPHeader.mostBytes))
    try job.budget.check(stored: header.size, decoded: .zero)
    var palette = [UInt8](repeating: 0, count: 3 << 8)
    var entry = [UInt8](repeating: 0, count: header.paletteStride)
    stream.skip(to: header.paletteStart)
    for index in 0..<header.paletteCount {
      guard entry.withUnsafeMutableBytes({ stream.read(into: $0) }) == entry.count else { break }
      palette.replaceSubrange(index * 3..<index * 3 + 3, with: [entry[2], entry[1], entry[0]])
    }
    self.stream = stream
    self.header = header
    pixels = BMPPixels(header, palette: palette)
    colors = try Self.colors(header, job)
  }

  private static func colors(_ header: BMPHeader, _ job: DecodeJob) throws(DecodeStop) -> ColorSource {
    guard let range = header.profile, range.upperBound <= job.reader.count,
      range.count <= ColorProfile.mostBytes
    else { return .sRGB }
    return try job.bytes(in: range).withUnsafeBytes { ColorSource(profile: $0) }
  }

  private func decode(_ needed: (PixelSize) -> PixelSize) throws(DecodeStop) -> DecodedImage {
    let job = stream.job
    let reduction = Reduction(of: header.size, covering: needed(header.size))
    let rowBytes = header.size.width * pixels.layout.rawValue
    try job.budget.check(
      stored: header.size, decoded: reduction.size,
      working: header.rowBytes + rowBytes + RowAverager.workingBytes(reduction, pixels.layout))
    let averager = RowAverager(reduction, pixels.layout)
    stream.skip(to: header.start)
    var row = [UInt8](repeating: 0, count: rowBytes)
    var stored = [UInt8](repeating: 0, count: header.rowBytes)
    var runs = BMPRuns(header, stream)
    var rows = 0
    while rows < header.size.height {
      try job.checkStopped()
      let isThere =
        switch header.compression {
        case .rle4, .rle8: runs.next(into: &stored)
        default: stored.withUnsafeMutableBytes { stream.read(into: $0) } == stored.count
        }
      guard isThere else { break }
      row.withUnsafeMutableBytes { row in
        stored.withUnsafeBytes { pixels.convert($0, into: row) }
        averager.add(
          UnsafeRawBufferPointer(row), at: header.isTopDown ? rows : header.size.height - 1 - rows)
      }
      rows += 1
    }
    if let failure = stream.failure { throw .unreadable(failure) }
    if rows == 0 { throw .noEnd }
    let isWhole = rows == header.size.height
    let picture = averager.finish()
    // What is there of a picture that is stored from its bottom up is its lower part.
    let visible = isWhole || !header.isTopDown ? header.size.height : rows
    return DecodedImage(
      picture, of: header.size, reduction: Double(reduction.factor), colors: colors,
      visibleRows: (visible + reduction.factor - 1) / reduction.factor,
      complaint: isWhole ? "" : DecodeStop.cutShort)
  }
}
