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
