public import AssetLibrary
import CJPEG
public import Pixels

/// Decodes JPEGs with libjpeg-turbo, as small as the purpose allows.
///
/// Owns one libjpeg object; use it from one thread at a time and again for the next picture.
public struct JPEGDecoder: ~Copyable {
  /// A decoded picture, still stored as the file stores it (not turned upright).
  public struct Picture {
    public var pixels: PixelBuffer
    /// The rows from the top that show something of the picture.
    public var visibleRows: Int
    /// What libjpeg had to say about damage; empty for a whole picture.
    public var complaint: String
  }

  /// What a file may cost before it is refused, whatever its header announces.
  public struct Budget: Sendable {
    /// Stored pixels: entropy decoding reads every one of them, about 0.8 Gpixel/s.
    public var storedPixels = 1_000_000_000
    /// Pixels of the decoded result.
    public var decodedPixels = 64_000_000
    /// Bytes of coefficients that a file of several scans keeps in memory.
    public var coefficientBytes: UInt64 = 256 << 20

    public init() {}
  }

  private let decoder: OpaquePointer
  private let budget: Budget

  /// Makes a decoder; nil only when there is no memory left.
  public init?(budget: Budget = Budget()) {
    guard let decoder = cjpeg_decoder_create() else { return nil }
    self.decoder = decoder
    self.budget = budget
  }

  deinit {
    cjpeg_decoder_destroy(decoder)
  }

  /// Decodes at the smallest of 1/8, 1/4, 1/2 and 1 that is no smaller than `needed` gives for the stored size.
  /// - Parameters:
  ///   - name: what error messages call the file.
  ///   - needed: from the stored size to the least size the caller can use.
  ///   - cancellation: asked often; once it answers true, the decode ends with nil.
  public mutating func decode(
    _ bytes: [UInt8], name: String, needed: (PixelSize) -> PixelSize,
    cancellation: Cancellation = Cancellation()
  ) throws(AssetError) -> Picture? {
    // Array storage stays in place and alive for the closure; libjpeg keeps no pointer beyond it.
    let outcome: Result<Picture?, AssetError> = bytes.withUnsafeBufferPointer { buffer in
      do throws(AssetError) {
        return .success(try decode(buffer, name: name, needed: needed, cancellation: cancellation))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  private func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, name: String, needed: (PixelSize) -> PixelSize,
    cancellation: Cancellation
  ) throws(AssetError) -> Picture? {
    var info = cjpeg_info()
    try check(cjpeg_read_header(decoder, bytes.baseAddress, bytes.count, &info), name)
    let stored = PixelSize(width: Int(info.width), height: Int(info.height))
    let eighths = Self.eighths(of: stored, covering: needed(stored))
    var width: UInt32 = 0
    var height: UInt32 = 0
    cjpeg_scaled_size(decoder, eighths, &width, &height)
    let size = PixelSize(width: Int(width), height: Int(height))
    guard stored.area <= budget.storedPixels, size.area <= budget.decodedPixels,
      info.coefficient_bytes <= budget.coefficientBytes
    else { throw AssetError(name, "too large to be shown (\(stored) pixels)") }
    var result = cjpeg_result()
    var status = CJPEG_OK
    let pixels = PixelBuffer(size: size) { output in
      status = withExtendedLifetime(cancellation) {
        cjpeg_decode(
          decoder, eighths, output.baseAddress, output.count,
          { $0.map { Unmanaged<Cancellation>.fromOpaque($0).takeUnretainedValue().isCancelled } ?? false },
          Unmanaged.passUnretained(cancellation).toOpaque(), &result)
      }
    }
    if status == CJPEG_CANCELLED { return nil }
    try check(status, name)
    guard result.visible_rows > 0 else { throw AssetError(name, Self.words(for: message)) }
    return Picture(
      pixels: pixels, visibleRows: Int(result.visible_rows),
      complaint: result.damaged ? Self.words(for: message) : "")
  }

  /// The smallest DCT scale, in eighths, whose result is at least `needed`.
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

  private var message: String { String(cString: cjpeg_message(decoder)) }

  private func check(_ status: cjpeg_status, _ name: String) throws(AssetError) {
    switch status {
    case CJPEG_OK, CJPEG_CANCELLED: break
    case CJPEG_NO_MEMORY: throw AssetError(name, "not enough memory")
    default: throw AssetError(name, Self.words(for: message))
    }
  }

  /// libjpeg's words in ours, where ours are plainer.
  private static func words(for message: String) -> String {
    if message.contains("premature end") || message.contains("Premature end") {
      return "the file ends in the middle of the picture"
    }
    return message.isEmpty ? "the picture is damaged" : message
  }
}
