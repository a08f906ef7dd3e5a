/// What is to be known of decoded pixels beside the pixels.
package struct PictureFacts: Hashable, Sendable {
  /// Pixels of the decoded picture, which stands upright.
  package var width: Int
  package var height: Int
  /// Whether no pixel lets anything shine through.
  package var isOpaque = true
  /// Pixels of the whole picture in the file as it stands upright.
  package var sourceWidth: Int
  package var sourceHeight: Int
  /// What is missing, as words after a colon; nil where nothing is.
  package var note: String?

  /// Facts of a picture that is decoded in its own size until something else is said.
  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
    sourceWidth = width
    sourceHeight = height
  }
}

extension PictureFacts {
  /// Bytes of the pixels, four each; nil where the size is none.
  var byteCount: Int? {
    guard width > 0, height > 0 else { return nil }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= Int.max / 4 else { return nil }
    return pixels * 4
  }

  func write(to wire: inout WireWriter) {
    for number in [width, height, sourceWidth, sourceHeight] { wire.put(UInt32(clamping: number)) }
    wire.put(isOpaque)
    wire.put(note) { $0.put($1, upTo: WireWriter.mostWords) }
  }

  init(from wire: inout WireReader) throws(WireError) {
    width = Int(try wire.integer(UInt32.self))
    height = Int(try wire.integer(UInt32.self))
    sourceWidth = Int(try wire.integer(UInt32.self))
    sourceHeight = Int(try wire.integer(UInt32.self))
    isOpaque = try wire.bool()
    note = try wire.optional { reader throws(WireError) in try reader.string(upTo: WireWriter.mostWords) }
    guard byteCount != nil, sourceWidth > 0, sourceHeight > 0 else { throw WireError() }
  }
}

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
