import CSPNG
import Pixels
import SystemPackage

/// A thumbnail in memory as libspng reads it: what it says of its original, and its picture.
///
/// Made by other programs too, and so not to be trusted: sides, chunks and the file itself are bounded. Checksums
/// are verified, because there is always the original to make another one of.
struct ThumbnailReader: ~Copyable {
  /// What the text chunks say (Thumbnail Managing Standard 0.9, "Thumbnail Attributes").
  struct Attributes {
    private var values: [String: String] = [:]

    var uri: String? { values["Thumb::URI"] }
    /// What the program that wrote it has to say.
    var comment: String? { values["Comment"] }
    /// In how many runs of tpick reading the original stalled; nil where that is not what the entry is about.
    var stalledRuns: Int? { number(Self.stalledRunsKeyword) }
    static let stalledRunsKeyword = "Tpick::StalledRuns"
    /// The upright size of the original in pixels, where both sides are told.
    var sourceSize: PixelSize? {
      guard let width = number("Thumb::Image::Width"), let height = number("Thumb::Image::Height") else {
        return nil
      }
      return PixelSize(width: width, height: height)
    }

    /// Whether this is a thumbnail of the file as it is now.
    func match(_ subject: ThumbnailSubject, _ name: ThumbnailName) -> Bool {
      guard uri == name.uri, number("Thumb::MTime") == subject.modificationTime else { return false }
      return values["Thumb::Size"] == nil || number("Thumb::Size") == subject.fileSize
    }

    private func number(_ keyword: String) -> Int? { values[keyword].flatMap { Int($0) } }

    fileprivate mutating func add(_ text: spng_text) {
      let keyword = withUnsafeBytes(of: text.keyword) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard keyword.hasPrefix("Thumb::") || keyword == "Comment" || keyword == Self.stalledRunsKeyword,
        let start = text.text
      else { return }
      let value = UnsafeRawBufferPointer(start: start, count: text.length)
      values[keyword] = String(decoding: value, as: UTF8.self)
    }
  }

  private let context: OpaquePointer
  /// What stands before the picture; a few programs write it after.
  private(set) var attributes = Attributes()
  let size: PixelSize

  /// The most bytes that the file of a thumbnail may have.
  static func longestFile(_ size: ThumbnailSize) -> Int {
    longestSide(size) * longestSide(size) * PixelBuffer.bytesPerPixel + longestText
  }

  /// Some programs take a size for that of the shorter side.
  private static func longestSide(_ size: ThumbnailSize) -> Int { size.side * 2 }

  private static let longestText = 1 << 20

  /// Reads everything up to the picture; nil where it is no PNG that could be a thumbnail of this size.
  /// - Parameter bytes: have to live as long as the reader.
  init?(_ bytes: UnsafeRawBufferPointer, size: ThumbnailSize) {
    guard let context = spng_ctx_new(0) else { return nil }
    let longest = UInt32(Self.longestSide(size))
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
    attributes = Self.attributes(context)
  }

  deinit {
    spng_ctx_free(context)
  }

  private static func attributes(_ context: OpaquePointer) -> Attributes {
    var attributes = Attributes()
    var count: UInt32 = 0
    guard spng_get_text(context, nil, &count) == 0, count > 0 else { return attributes }
    var texts = [spng_text](repeating: spng_text(), count: Int(count))
    guard spng_get_text(context, &texts, &count) == 0 else { return attributes }
    for text in texts.prefix(Int(count)) { attributes.add(text) }
    return attributes
  }

  /// Decodes the picture and reads what stands after it; nil where anything is damaged.
  mutating func picture() -> PixelBuffer? {
    struct Damage: Error {}
    let context = context
    let picture = try? PixelBuffer(size: size) { buffer throws(Damage) in
      let status = spng_decode_image(
        context, buffer.baseAddress, buffer.count, Int32(SPNG_FMT_RGBA8.rawValue),
        Int32(SPNG_DECODE_TRNS.rawValue))
      if status != 0 { throw Damage() }
    }
    guard let picture else { return nil }
    if attributes.uri == nil, spng_decode_chunks(context) == 0 { attributes = Self.attributes(context) }
    return picture
  }
}
