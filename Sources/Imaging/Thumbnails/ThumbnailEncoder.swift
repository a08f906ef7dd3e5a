import CSPNG
import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// Encodes thumbnails as PNG with libspng, quickly rather than small.
enum ThumbnailEncoder {
  /// What the standard's keyword `Software` says of thumbnails from here.
  static let software = "tpick"

  /// zlib's `Z_HUFFMAN_ONLY`.
  private static let huffmanOnly: Int32 = 2

  /// Bytes of a PNG file, eight bits a sample, with an alpha channel only where something shines through.
  /// - Parameter words: keywords and texts in ASCII, written before the picture in their order.
  /// - Returns: nil when libspng refuses (an empty picture, no memory).
  static func encode(_ picture: PixelBuffer, words: [(keyword: String, text: String)]) -> [UInt8]? {
    guard let context = spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else { return nil }
    defer { spng_ctx_free(context) }
    let isOpaque = picture.isOpaque
    var header = spng_ihdr()
    header.width = UInt32(clamping: picture.width)
    header.height = UInt32(clamping: picture.height)
    header.bit_depth = 8
    header.color_type = UInt8(
      (isOpaque ? SPNG_COLOR_TYPE_TRUECOLOR : SPNG_COLOR_TYPE_TRUECOLOR_ALPHA).rawValue)
    // Measured on photographs (Docs/Decisions/0009): without a search for repetitions the file is smaller, and
    // made in two thirds of the time.
    spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1)
    spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, 1)
    spng_set_option(context, SPNG_IMG_COMPRESSION_STRATEGY, huffmanOnly)
    spng_set_option(context, SPNG_FILTER_CHOICE, Int32(SPNG_FILTER_CHOICE_SUB.rawValue))
    guard spng_set_ihdr(context, &header) == 0, spng_set_srgb(context, 0) == 0 else { return nil }
    // libspng keeps the pointers until the picture is encoded.
    var texts = words.map { text($0.keyword, $0.text) }
    defer { for text in texts { free(text.text) } }
    guard spng_set_text(context, &texts, UInt32(texts.count)) == 0 else { return nil }
    let bytes = isOpaque ? picture.rgb : picture.bytes
    let status = bytes.withUnsafeBytes {
      spng_encode_image(
        context, $0.baseAddress, $0.count, Int32(SPNG_FMT_PNG.rawValue),
        Int32(SPNG_ENCODE_FINALIZE.rawValue))
    }
    guard status == 0 else { return nil }
    return encoded(context)
  }

  private static func encoded(_ context: OpaquePointer) -> [UInt8]? {
    var (count, status) = (0, Int32(0))
    guard let start = spng_get_png_buffer(context, &count, &status) else { return nil }
    defer { free(start) }
    return status == 0 ? Array(UnsafeRawBufferPointer(start: start, count: count)) : nil
  }

  private static func text(_ keyword: String, _ value: String) -> spng_text {
    var text = spng_text()
    withUnsafeMutableBytes(of: &text.keyword) { $0.copyBytes(from: keyword.utf8.prefix($0.count - 1)) }
    text.type = Int32(SPNG_TEXT.rawValue)
    text.length = value.utf8.count
    text.text = strdup(value)
    return text
  }
}
