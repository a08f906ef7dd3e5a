import CSPNG
package import Pixels

/// Reads a thumbnail file in memory with libspng: its text fields and its picture.
///
/// Other programs write them too, so they are not trusted: sides, chunks and the file itself are bounded. Checksums
/// are verified, because a damaged thumbnail can be made again from the original.
package struct ThumbnailReader: ~Copyable {
  private let context: OpaquePointer
  /// Text fields by keyword: those before the picture; a few programs write them after it.
  package private(set) var words: [String: String] = [:]
  private let size: PixelSize

  private static let longestText = 1 << 20

  /// Reads everything up to the picture; nil if it is not a PNG whose sides are at most `longestSide` pixels.
  /// - Parameter bytes: must outlive the reader.
  package init?(_ bytes: UnsafeRawBufferPointer, longestSide: Int) {
    guard let context = spng_ctx_new(0) else { return nil }
    let longest = UInt32(clamping: longestSide)
    var header = spng_ihdr()
    guard spng_set_image_limits(context, longest, longest) == 0,
      spng_set_chunk_limits(context, Self.longestText, 2 * Self.longestText) == 0,
      spng_set_png_buffer(context, bytes.baseAddress, bytes.count) == 0,
      spng_get_ihdr(context, &header) == 0
    else {
      spng_ctx_free(context)
      return nil
    }
    self.context = context
    self.size = PixelSize(width: Int(header.width), height: Int(header.height))
    words = Self.words(context)
  }

  deinit {
    spng_ctx_free(context)
  }

  private static func words(_ context: OpaquePointer) -> [String: String] {
    var count: UInt32 = 0
    guard spng_get_text(context, nil, &count) == 0, count > 0 else { return [:] }
    var texts = [spng_text](repeating: spng_text(), count: Int(count))
    guard spng_get_text(context, &texts, &count) == 0 else { return [:] }
    var words: [String: String] = [:]
    for text in texts.prefix(Int(count)) {
      let keyword = withUnsafeBytes(of: text.keyword) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard keyword.hasPrefix("Thumb::") || keyword.hasPrefix("Tpick::") || keyword == "Comment",
        let start = text.text
      else { continue }
      words[keyword] = String(
        decoding: UnsafeRawBufferPointer(start: start, count: text.length), as: UTF8.self)
    }
    return words
  }

  /// Decodes the picture and reads the text fields after it; nil if anything is damaged.
  package mutating func picture() -> PixelBuffer? {
    struct Damage: Error {}
    let context = context
    let picture = try? PixelBuffer(size: size) { buffer throws(Damage) in
      let status = spng_decode_image(
        context, buffer.baseAddress, buffer.count, Int32(SPNG_FMT_RGBA8.rawValue),
        Int32(SPNG_DECODE_TRNS.rawValue))
      if status != 0 { throw Damage() }
    }
    guard let picture else { return nil }
    if words["Thumb::URI"] == nil, spng_decode_chunks(context) == 0 { words = Self.words(context) }
    return picture
  }
}
