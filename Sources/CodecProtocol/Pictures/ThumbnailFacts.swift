/// What a thumbnail says of its original, and of its own picture.
package struct ThumbnailFacts: Hashable, Sendable {
  /// The most words that are told of one, and bytes of each.
  static let mostWords = 16
  static let longestWord = 1 << 16

  /// Texts by their keywords.
  package var words: [String: String]
  /// The picture; nil where it was not asked for.
  package var picture: PictureFacts?

  package init(words: [String: String], picture: PictureFacts? = nil) {
    self.words = words
    self.picture = picture
  }
}

extension ThumbnailFacts {
  func write(to wire: inout WireWriter) {
    let told = words.filter { $0.key.utf8.count + $0.value.utf8.count <= Self.longestWord }
      .sorted { $0.key < $1.key }.prefix(Self.mostWords)
    wire.put(UInt32(told.count))
    for (keyword, text) in told {
      wire.put(keyword)
      wire.put(text)
    }
    wire.put(picture) { $1.write(to: &$0) }
  }

  init(from wire: inout WireReader) throws(WireError) {
    words = [:]
    let count = try wire.count(ofElements: 8)
    guard count <= Self.mostWords else { throw WireError() }
    for _ in 0..<count {
      let keyword = try wire.string()
      words[keyword] = try wire.string()
    }
    picture = try wire.optional { reader throws(WireError) in try PictureFacts(from: &reader) }
  }
}
