import Pixels

/// Encodes thumbnails as PNG, quickly rather than small.
enum ThumbnailEncoder {
  /// What the standard's keyword `Software` says of thumbnails from here.
  static let software = "tpick"

  /// Bytes of a PNG file, eight bits a sample, with an alpha channel only where something shines through.
  /// - Parameter words: keywords and texts in ASCII, written before the picture in their order.
  /// - Returns: nil when libspng refuses (an empty picture, no memory).
  static func encode(_ picture: PixelBuffer, words: [(keyword: String, text: String)]) -> [UInt8]? {
    PNGEncoder.encode(
      picture, effort: .quick, texts: words.map { PNGEncoder.Text($0.keyword, Array($0.text.utf8)) })
  }
}
