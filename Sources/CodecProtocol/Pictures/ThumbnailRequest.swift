/// What to read from a thumbnail file: its text fields and its picture.
package struct ThumbnailRequest: Hashable, Sendable {
  /// Upper bound of the picture's longest side, in pixels.
  package var longestSide: Int
  /// Upper bound of the file's length, in bytes.
  package var longestFile: Int
  /// Whether to decode the picture as well as the text fields.
  package var wantsPicture: Bool

  package init(longestSide: Int, longestFile: Int, wantsPicture: Bool) {
    self.longestSide = longestSide
    self.longestFile = longestFile
    self.wantsPicture = wantsPicture
  }
}

extension ThumbnailRequest {
  /// Returns whether an answer fits this request: a picture exactly if one was requested, and none that is too
  /// large.
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

/// The text fields of a thumbnail file and the properties of its picture.
package struct ThumbnailFacts: Hashable, Sendable {
  /// Upper bounds of the number of text fields and of the bytes of each.
  static let mostWords = 16
  private static let longestWord = 1 << 16

  /// Text fields by keyword.
  package var words: [String: String]
  /// The picture; nil if it was not requested.
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
