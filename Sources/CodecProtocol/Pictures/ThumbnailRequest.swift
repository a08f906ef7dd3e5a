/// What is read of a file of a thumbnail: the words in it, and its picture.
package struct ThumbnailRequest: Hashable, Sendable {
  /// The longest side that its picture may have, in pixels.
  package var longestSide: Int
  /// The most bytes that the file may have.
  package var longestFile: Int
  /// Whether the picture is wanted, and not only the words.
  package var wantsPicture: Bool

  package init(longestSide: Int, longestFile: Int, wantsPicture: Bool) {
    self.longestSide = longestSide
    self.longestFile = longestFile
    self.wantsPicture = wantsPicture
  }
}

extension ThumbnailRequest {
  /// Whether an answer is one to this request: a picture if one was asked for, and none that is too large.
  func allows(_ facts: ThumbnailFacts) -> Bool {
    guard let picture = facts.picture else { return !wantsPicture }
    return wantsPicture && max(picture.width, picture.height) <= longestSide
  }

  func write(to wire: inout WireWriter) {
    wire.put(UInt32(clamping: longestSide))
    wire.put(UInt32(clamping: longestFile))
    wire.put(wantsPicture)
  }

  init(from wire: inout WireReader) throws(WireError) {
    longestSide = Int(try wire.integer(UInt32.self))
    longestFile = Int(try wire.integer(UInt32.self))
    wantsPicture = try wire.bool()
  }
}

/// What a thumbnail says of its original, and of its own picture.
package struct ThumbnailFacts: Hashable, Sendable {
  /// The most words that are told of one, and bytes of each.
  static let mostWords = 16
  private static let longestWord = 1 << 16

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
