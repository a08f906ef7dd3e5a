import CSPNG
import Pixels

/// Decodes a PNG, or of an animated one the picture that stands for it, with libspng, row by row.
///
/// Checksums are not asked for: what can be shown of a damaged file is shown.
struct PNGDecoder: ~Copyable {
  private let context: OpaquePointer
  private let stream: ByteStream
  private let header: spng_ihdr
  private let colors: ColorSource
  private let format: PNGSamples

  private var size: PixelSize { PixelSize(width: Int(header.width), height: Int(header.height)) }

  static func decode(
    _ job: DecodeJob, needed: (PixelSize) -> PixelSize
  ) throws(DecodeStop) -> DecodedImage {
    let decoder = try PNGDecoder(job)
    return try decoder.header.interlace_method == 0 ? decoder.rows(needed) : decoder.passes(needed)
  }

  deinit {
    spng_ctx_free(context)
  }

  /// Reads everything up to the picture itself.
  private init(_ job: DecodeJob) throws(DecodeStop) {
    let stream = try ByteStream(job)
    guard let context = spng_ctx_new(Int32(SPNG_CTX_IGNORE_ADLER32.rawValue)) else { throw .noMemory }
    var header = spng_ihdr()
    do throws(DecodeStop) {
      spng_set_crc_action(context, Int32(SPNG_CRC_USE.rawValue), Int32(SPNG_CRC_USE.rawValue))
      spng_set_chunk_limits(context, 16 << 20, 32 << 20)
      spng_set_png_stream(context, Self.read, Unmanaged.passUnretained(stream).toOpaque())
      try Self.check(spng_get_ihdr(context, &header), stream)
      let size = PixelSize(width: Int(header.width), height: Int(header.height))
      try job.budget.check(stored: size, decoded: .zero)
      colors = try PNGColors.coded(job) ?? PNGColors.source(of: context)
    } catch {
      spng_ctx_free(context)
      throw error
    }
    self.context = context
    self.stream = stream
    self.header = header
    var transparency = spng_trns()
    let hasAlpha = header.color_type & 4 != 0 || spng_get_trns(context, &transparency) == 0
    let needsAlpha = hasAlpha || header.interlace_method != 0
    format = PNGSamples(depth: Int(header.bit_depth), hasAlpha: needsAlpha)
  }

  /// Called by libspng; the memory is its own.
  private static let read:
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int
    ) -> Int32 = { _, user, target, count in
      guard let user else { return Int32(SPNG_IO_ERROR.rawValue) }
      let stream = Unmanaged<ByteStream>.fromOpaque(user).takeUnretainedValue()
      let found = stream.read(into: UnsafeMutableRawBufferPointer(start: target, count: count))
      return found == count ? 0 : Int32(SPNG_IO_EOF.rawValue)
    }

  // MARK: Rows

  private func start() throws(DecodeStop) {
    let flags = SPNG_DECODE_TRNS.rawValue | SPNG_DECODE_PROGRESSIVE.rawValue
    let status = spng_decode_image(context, nil, 0, Int32(format.spng.rawValue), Int32(flags))
    try Self.check(status, stream)
  }

  private func rows(_ needed: (PixelSize) -> PixelSize) throws(DecodeStop) -> DecodedImage {
    let job = stream.job
    let reduction = Reduction(of: size, covering: needed(size))
    try job.budget.check(
      stored: size, decoded: reduction.size,
      working: format.workingBytes(header) + RowAverager.workingBytes(reduction, format.layout))
    try start()
    let averager = RowAverager(reduction, format.layout)
    var row = [UInt8](repeating: 0, count: format.rowBytes(size.width))
    for y in 0..<size.height {
      try job.checkStopped()
      let status = row.withUnsafeMutableBytes { row in
        let status = spng_decode_scanline(context, row.baseAddress, row.count)
        if status == 0 || status == Self.end { averager.add(format.bytes(of: row, size.width), at: y) }
        return status
      }
      guard status != 0, status != Self.end else { continue }
      return try damaged(status, averager.finish(), reduction, rows: y)
    }
    return DecodedImage(
      averager.finish(), of: size, reduction: Double(reduction.factor), colors: colors)
  }

  private func passes(_ needed: (PixelSize) -> PixelSize) throws(DecodeStop) -> DecodedImage {
    let job = stream.job
    let reduction = Reduction(
      of: size, covering: needed(size), limit: InterlaceAverager.largestFactor)
    try job.budget.check(
      stored: size, decoded: reduction.size,
      working: format.workingBytes(header) + InterlaceAverager.workingBytes(reduction))
    try start()
    var averager = InterlaceAverager(reduction)
    var row = [UInt8](repeating: 0, count: format.rowBytes(size.width))
    var info = spng_row_info()
    var hasFirstPass = false
    while true {
      try job.checkStopped()
      var status = spng_get_row_info(context, &info)
      if status == 0 {
        let pass = Int(info.pass)
        let (x, step) = (Self.firstColumn[pass], Self.columnStep[pass])
        let count = (size.width - x + step - 1) / step
        status = row.withUnsafeMutableBytes { row in
          let status = spng_decode_scanline(context, row.baseAddress, row.count)
          if status == 0 || status == Self.end {
            averager.add(format.bytes(of: row, count), count: count, x: x, step: step, y: Int(info.row_num))
          }
          return status
        }
        hasFirstPass = hasFirstPass || pass > 0
      }
      if status == Self.end { break }
      guard status != 0 else { continue }
      // The first pass covers the whole picture, coarsely.
      return try damaged(
        status, averager.finish(), reduction, rows: hasFirstPass ? size.height : Int(info.row_num))
    }
    return DecodedImage(
      averager.finish(), of: size, reduction: Double(reduction.factor), colors: colors)
  }

  /// Adam7 (PNG third edition, 8.1).
  private static let firstColumn = [0, 4, 0, 2, 0, 1, 0]
  private static let columnStep = [8, 8, 4, 4, 2, 2, 1]

  private static let end = Int32(SPNG_EOI.rawValue)

  // MARK: Damage

  /// What there is of a picture whose data end or make no sense after `rows` rows.
  private func damaged(
    _ status: Int32, _ pixels: PixelBuffer, _ reduction: Reduction, rows: Int
  ) throws(DecodeStop) -> DecodedImage {
    if rows == 0 || stream.failure != nil { try Self.check(status, stream) }
    let words = status == Int32(SPNG_IO_EOF.rawValue) ? DecodeStop.cutShort : "the picture is damaged"
    return DecodedImage(
      pixels, of: size, reduction: Double(reduction.factor), colors: colors,
      visibleRows: (rows + reduction.factor - 1) / reduction.factor, complaint: words)
  }

  private static func check(_ status: Int32, _ stream: ByteStream) throws(DecodeStop) {
    if let failure = stream.failure { throw .unreadable(failure) }
    switch status {
    case 0: return
    case Int32(SPNG_IO_EOF.rawValue): throw .noEnd
    case Int32(SPNG_EMEM.rawValue): throw .noMemory
    default: throw .failed(spng_strerror(status).map { String(cString: $0) } ?? "the picture is damaged")
    }
  }
}
