/// What is to be known of a rendered picture beside its pixels.
package struct RenderingFacts: Hashable, Sendable {
  /// The picture; its pixels are the first of the memory.
  package var picture: PictureFacts
  /// The thumbnail that is made as well, whose pixels begin at `thumbnailOffset`.
  package var thumbnail: PictureFacts?
  /// How many pixels the decoder gave.
  package var decodedPixels: Int

  package init(picture: PictureFacts, thumbnail: PictureFacts? = nil, decodedPixels: Int) {
    self.picture = picture
    self.thumbnail = thumbnail
    self.decodedPixels = decodedPixels
  }
}

extension RenderingFacts {
  /// Where the pixels of the pictures begin in the memory that both share, in bytes.
  package var offsets: [Int] {
    guard thumbnail != nil else { return [0] }
    // A mapping begins at a page.
    return [0, ((picture.byteCount ?? 0) + Self.page - 1) / Self.page * Self.page]
  }

  /// No memory that is shared is as large.
  private static let mostBytes = 1 << 40

  /// A multiple of every page size that Linux has for programs.
  private static let page = 1 << 16

  /// As many pixels as there has to be room for in the memory of a picture and a thumbnail of so many at most.
  static func room(_ picture: Int, thumbnail: Int) -> Int {
    thumbnail == 0 ? picture : picture + page / 4 + thumbnail
  }

  func write(to wire: inout WireWriter) {
    picture.write(to: &wire)
    wire.put(thumbnail) { $1.write(to: &$0) }
    wire.put(UInt64(clamping: decodedPixels))
  }

  init(from wire: inout WireReader) throws(WireError) {
    picture = try PictureFacts(from: &wire)
    thumbnail = try wire.optional { reader throws(WireError) in try PictureFacts(from: &reader) }
    decodedPixels = Int(clamping: try wire.integer(UInt64.self))
    // What is worked out of them does not overflow.
    guard [picture, thumbnail].allSatisfy({ ($0?.byteCount ?? 0) <= Self.mostBytes }) else {
      throw WireError()
    }
  }
}
