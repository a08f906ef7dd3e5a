import CSPNG
import Pixels

/// Decodes a PNG with libspng, row by row; of an animated one the default image.
///
/// Checksums are ignored, so that the usable parts of a damaged file are shown.
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

  /// Called by libspng, which owns the memory.
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

  /// Returns the usable part of a picture whose data ends or is invalid after `rows` rows.
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

/// The sample format requested from libspng, and its conversion to bytes.
private struct PNGSamples {
  let spng: spng_format
  let layout: RowAverager.Layout

  /// - Parameters:
  ///   - depth: bits per sample, 1 to 16.
  ///   - hasAlpha: whether pixels may be transparent.
  init(depth: Int, hasAlpha: Bool) {
    if depth == 16 {
      spng = SPNG_FMT_RGBA16
      layout = .rgba
    } else {
      // Three bytes per pixel are read and summed up faster than four.
      spng = hasAlpha ? SPNG_FMT_RGBA8 : SPNG_FMT_RGB8
      layout = hasAlpha ? .rgba : .rgb
    }
  }

  /// Returns the working memory in bytes: one row as libspng outputs it, two for an interlaced picture, and
  /// the packed forms of the row and of the one above.
  /// - Parameter header: the file's header, whose samples may differ from the output.
  func workingBytes(_ header: spng_ihdr) -> Int {
    let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][Int(header.color_type)] ?? 4
    let packed = (Int(header.width) * samples * Int(header.bit_depth) + 7) / 8 + 1
    return rowBytes(Int(header.width)) * (header.interlace_method == 0 ? 1 : 2) + 2 * packed
  }

  /// Returns the bytes of a row as libspng outputs it.
  func rowBytes(_ width: Int) -> Int { width * (spng == SPNG_FMT_RGBA16 ? 8 : layout.rawValue) }

  /// Returns the row as 8-bit samples; 16-bit samples are converted in place.
  func bytes(of row: UnsafeMutableRawBufferPointer, _ width: Int) -> UnsafeRawBufferPointer {
    if spng == SPNG_FMT_RGBA16 {
      for x in 0..<width {
        let wide = row.loadUnaligned(fromByteOffset: x * 8, as: SIMD4<UInt16>.self)
        // The nearest of 255 levels: exactly the sample times 255/65535, rounded.
        let narrow = (SIMD4<UInt32>(truncatingIfNeeded: wide) &* 255 &+ 32895) &>> 16
        row.storeBytes(
          of: SIMD4<UInt8>(truncatingIfNeeded: narrow), toByteOffset: x * 4, as: SIMD4<UInt8>.self)
      }
    }
    return UnsafeRawBufferPointer(rebasing: row[..<(width * layout.rawValue)])
  }
}

/// The color information of a PNG.
///
/// cICP takes precedence over iCCP, that over sRGB, that over gAMA and cHRM (PNG third edition, 4.3).
private enum PNGColors {
  /// The most chunks examined before the palette and the picture; the standard defines fewer than twenty of them.
  private static let most = 64

  /// Reads cICP (PNG third edition, 11.3.2.6), which libspng does not support; nil if there is none or its values
  /// are unsupported.
  static func coded(_ job: DecodeJob) throws(DecodeStop) -> ColorSource? {
    var chunks = PNGChunks()
    for _ in 0..<most {
      guard let chunk = try chunks.next(job), chunk.type != "PLTE", chunk.type != "IDAT" else { return nil }
      guard chunk.type == "cICP" else { continue }
      // Primaries, transfer, matrix, range; the matrix of a PNG must be RGB.
      guard let bytes = try chunks.bytes(of: chunk, count: 4, job), bytes[2] == 0,
        let colors = CodedColors(primaries: bytes[0], transfer: bytes[1])
      else { return nil }
      return colors.isSRGB ? .sRGB : .coded(colors)
    }
    return nil
  }

  /// Returns the color information from the chunks that libspng supports.
  static func source(of context: OpaquePointer) -> ColorSource {
    var profile = spng_iccp()
    if spng_get_iccp(context, &profile) == 0, let start = profile.profile {
      return ColorSource(
        profile: UnsafeRawBufferPointer(start: UnsafeRawPointer(start), count: profile.profile_len))
    }
    var intent: UInt8 = 0
    var gamma = 0.0
    guard spng_get_srgb(context, &intent) != 0, spng_get_gama(context, &gamma) == 0, gamma > 0 else {
      return .sRGB
    }
    var colors = Chromaticities(exponent: 1 / gamma)
    var primaries = spng_chrm()
    if spng_get_chrm(context, &primaries) == 0 {
      colors.white = [primaries.white_point_x, primaries.white_point_y]
      colors.red = [primaries.red_x, primaries.red_y]
      colors.green = [primaries.green_x, primaries.green_y]
      colors.blue = [primaries.blue_x, primaries.blue_y]
    }
    return colors.isSRGB ? .sRGB : .chromaticities(colors)
  }
}
