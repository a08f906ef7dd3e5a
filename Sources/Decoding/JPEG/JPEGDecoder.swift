import CDecoders
import Pixels
import Rendering

/// Decodes JPEGs with libjpeg-turbo, at the smallest sufficient scale.
///
/// Owns one libjpeg object; use it from one thread at a time, and reuse it for the next picture.
struct JPEGDecoder: ~Copyable {
  private let decoder: OpaquePointer

  /// Creates a decoder; nil only if memory is short.
  init?() {
    guard let decoder = cjpeg_decoder_create() else { return nil }
    self.decoder = decoder
  }

  deinit {
    cjpeg_decoder_destroy(decoder)
  }

  /// Decodes at the smallest scale of 1/8, 1/4, 1/2 and 1 that is no smaller than `needed` returns for the stored
  /// size.
  ///
  /// Four inks are converted to sRGB; other colors are returned with their profile. For a part, little more than
  /// the part is decoded, with the same pixels as in the whole.
  mutating func decode(
    _ job: DecodeJob, part: NormalizedRect = .whole, needed: (PixelSize) -> PixelSize
  ) throws(DecodeStop) -> DecodedImage {
    let stream = try ByteStream(job)
    let context = UnsafeRawPointer(Unmanaged.passUnretained(stream).toOpaque())
    var info = cjpeg_info()
    try check(cjpeg_read_header_of_stream(decoder, Self.read, context, &info), stream)
    let stored = PixelSize(width: Int(info.width), height: Int(info.height))
    let needed = needed(stored)
    let least = Self.eighths(of: stored, covering: needed)
    let eighths = info.is_lopsided ? min(8, 2 * least) : least
    var (width, height) = (UInt32(0), UInt32(0))
    cjpeg_scaled_size(decoder, eighths, &width, &height)
    let whole = PixelSize(width: Int(width), height: Int(height))
    let window = DecodeWindow(part, of: stored, reduction: 8 / Double(eighths), in: whole, needed: needed)
    let size = window?.size ?? whole
    try job.budget.check(
      stored: stored, decoded: size,
      working: Int(clamping: min(info.coefficient_bytes, 1 << 48)) + stored.width * Self.columnBytes)
    let colors = profile()
    if info.is_cmyk { cjpeg_keep_inks(decoder) }
    var result = cjpeg_result()
    var status = CJPEG_OK
    let pixels = PixelBuffer(size: size) { output in
      status = withUnsafePointer(to: window.map(cjpeg_area.init) ?? cjpeg_area()) { area in
        cjpeg_decode(
          decoder, eighths, window == nil ? nil : area, output.baseAddress, output.count, Self.mustStop,
          context,
          &result)
      }
      if info.is_cmyk, status == CJPEG_OK {
        job.colors.mix(output, from: colors, isInverted: info.is_inverted)
      }
    }
    try check(status, stream)
    // It may be read a second time, and be another file by then: some of the pixels would not be set.
    guard Int(result.width) == size.width, Int(result.height) == size.height else {
      throw .failed("the file changed while it was read")
    }
    guard result.visible_rows > 0 else { throw .failed(Self.words(for: message)) }
    let visible = min(size.height, Int(result.visible_rows) - (window?.y ?? 0))
    return DecodedImage(
      pixels, of: stored, reduction: 8 / Double(eighths), window: window,
      colors: info.is_cmyk ? .sRGB : colors, visibleRows: max(1, visible),
      complaint: result.damaged ? Self.words(for: message) : "")
  }

  /// Returns the smallest DCT scale, in eighths, whose result is at least `needed`.
  ///
  /// Only the four scales for which libjpeg-turbo has vector code.
  static func eighths(of stored: PixelSize, covering needed: PixelSize) -> Int32 {
    for eighths in [1, 2, 4] {
      let width = (stored.width * eighths + 7) / 8
      let height = (stored.height * eighths + 7) / 8
      if width >= needed.width, height >= needed.height { return Int32(eighths) }
    }
    return 8
  }

  /// Bytes that libjpeg keeps per column: for up to four components, 16 to 48 rows of blocks, before and after
  /// upsampling.
  private static let columnBytes = 4 * 2 * 48

  // MARK: Called by libjpeg

  private static let read: cjpeg_read = { context, offset, buffer, length in
    guard let context else { return 0 }
    let stream = Unmanaged<ByteStream>.fromOpaque(context).takeUnretainedValue()
    return stream.read(at: offset, into: UnsafeMutableRawBufferPointer(start: buffer, count: length))
  }

  private static let mustStop: cjpeg_cancelled = { context in
    context.map { Unmanaged<ByteStream>.fromOpaque($0).takeUnretainedValue().job.isStopped } ?? false
  }

  // MARK: Results from libjpeg

  private func profile() -> ColorSource {
    var length = 0
    guard let start = cjpeg_profile(decoder, &length), length > 0 else { return .sRGB }
    return ColorSource(profile: UnsafeRawBufferPointer(start: start, count: length))
  }

  private var message: String { String(cString: cjpeg_message(decoder)) }

  private func check(_ status: cjpeg_status, _ stream: ByteStream) throws(DecodeStop) {
    if let failure = stream.failure { throw .unreadable(failure) }
    switch status {
    case CJPEG_OK: break
    case CJPEG_CANCELLED:
      try stream.job.checkStopped()
      throw .cancelled
    case CJPEG_NO_MEMORY: throw .noMemory
    default: throw .failed(Self.words(for: message))
    }
  }

  /// Returns a plainer message for one of libjpeg's, where there is one.
  private static func words(for message: String) -> String {
    if message.contains("premature end") || message.contains("Premature end") { return DecodeStop.cutShort }
    // JPEG processes that few programs support, by the marker of the frame (T.81, table B.1).
    if message.hasPrefix("Unsupported JPEG process") {
      let isLossless = ["c3", "c7", "cb", "cf"].contains { message.hasSuffix($0) }
      return "\(isLossless ? "lossless" : "hierarchical") JPEGs can't be decoded"
    }
    if message == "Unsupported marker type 0xde" { return "hierarchical JPEGs can't be decoded" }
    if message.hasPrefix("Unsupported JPEG data precision") {
      return "JPEGs of \(message.split(separator: " ").last ?? "more than 8") bits per color can't be decoded"
    }
    return message.isEmpty ? "the picture is damaged" : message
  }
}

extension cjpeg_area {
  fileprivate init(_ window: DecodeWindow) {
    self.init(
      x: UInt32(window.x), y: UInt32(window.y), width: UInt32(window.size.width),
      height: UInt32(window.size.height))
  }
}
