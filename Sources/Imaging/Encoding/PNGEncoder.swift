import CSPNG
package import Pixels
import System

/// Encodes images as PNG with libspng: 8 bits per sample, sRGB.
package enum PNGEncoder {
  /// The trade-off between encoding time and file size.
  package enum Effort: Sendable {
    /// Huffman coding only. For photos this takes two thirds of the time of a fast search for repetitions,
    /// and the file is smaller (measured in Docs/Decisions/0009).
    case quick
    /// libpng's default.
    case usual
  }

  /// A text chunk.
  package struct Text: Sendable {
    package var keyword: String
    package var text: [UInt8]
    /// Whether the text is UTF-8 in an iTXt chunk; otherwise it is ASCII in a tEXt chunk.
    package var isInternational: Bool

    package init(_ keyword: String, _ text: [UInt8], isInternational: Bool = false) {
      self.keyword = keyword
      self.text = text
      self.isInternational = isInternational
    }
  }

  /// zlib's `Z_HUFFMAN_ONLY`.
  private static let huffmanOnly: Int32 = 2

  /// Encodes an image as a PNG file, with an alpha channel only if a pixel is transparent.
  /// - Parameters:
  ///   - picture: the image.
  ///   - effort: the trade-off between encoding time and file size.
  ///   - texts: text chunks, which are written before the image data in this order.
  ///   - exif: an EXIF structure, from its TIFF header on.
  /// - Returns: nil if libspng fails (an empty image, insufficient memory).
  package static func encode(
    _ picture: PixelBuffer, effort: Effort = .usual, texts: [Text] = [], exif: [UInt8] = []
  ) -> [UInt8]? {
    guard let context = spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else { return nil }
    defer { spng_ctx_free(context) }
    let isOpaque = picture.isOpaque
    var header = spng_ihdr()
    header.width = UInt32(clamping: picture.width)
    header.height = UInt32(clamping: picture.height)
    header.bit_depth = 8
    header.color_type = UInt8(
      (isOpaque ? SPNG_COLOR_TYPE_TRUECOLOR : SPNG_COLOR_TYPE_TRUECOLOR_ALPHA).rawValue)
    spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1)
    if effort == .quick {
      spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, 1)
      spng_set_option(context, SPNG_IMG_COMPRESSION_STRATEGY, huffmanOnly)
      spng_set_option(context, SPNG_FILTER_CHOICE, Int32(SPNG_FILTER_CHOICE_SUB.rawValue))
    }
    guard spng_set_ihdr(context, &header) == 0, spng_set_srgb(context, 0) == 0 else { return nil }
    // libspng keeps the pointers until the image is encoded.
    let kept = UnsafeMutableRawBufferPointer.allocate(byteCount: exif.count, alignment: 1)
    kept.copyBytes(from: exif)
    defer { kept.deallocate() }
    if !exif.isEmpty {
      var block = spng_exif()
      block.length = exif.count
      block.data = kept.baseAddress?.assumingMemoryBound(to: CChar.self)
      guard spng_set_exif(context, &block) == 0 else { return nil }
    }
    var texts = texts.map(text)
    defer {
      for text in texts {
        for part in [text.text, text.language_tag, text.translated_keyword] { free(part) }
      }
    }
    guard texts.isEmpty || spng_set_text(context, &texts, UInt32(texts.count)) == 0 else { return nil }
    func encode(_ pixels: UnsafeRawBufferPointer) -> Int32 {
      spng_encode_image(
        context, pixels.baseAddress, pixels.count, Int32(SPNG_FMT_PNG.rawValue),
        Int32(SPNG_ENCODE_FINALIZE.rawValue))
    }
    let status =
      isOpaque ? picture.rgb.withUnsafeBytes { encode($0) } : picture.withUnsafeBytes { encode($0) }
    guard status == 0 else { return nil }
    return encoded(context)
  }

  private static func encoded(_ context: OpaquePointer) -> [UInt8]? {
    var (count, status) = (0, Int32(0))
    guard let start = spng_get_png_buffer(context, &count, &status) else { return nil }
    defer { free(start) }
    return status == 0 ? Array(UnsafeRawBufferPointer(start: start, count: count)) : nil
  }

  private static func text(_ value: Text) -> spng_text {
    var text = spng_text()
    withUnsafeMutableBytes(of: &text.keyword) { $0.copyBytes(from: value.keyword.utf8.prefix($0.count - 1)) }
    text.type = Int32((value.isInternational ? SPNG_ITXT : SPNG_TEXT).rawValue)
    text.length = value.text.count
    if value.isInternational {
      // There is no language tag and no translated keyword.
      (text.language_tag, text.translated_keyword) = (strdup(""), strdup(""))
    }
    let copy = malloc(value.text.count + 1)?.assumingMemoryBound(to: CChar.self)
    value.text.withUnsafeBytes { bytes in
      if let copy, let start = bytes.baseAddress { memcpy(copy, start, bytes.count) }
    }
    copy?[value.text.count] = 0
    text.text = copy
    return text
  }
}
