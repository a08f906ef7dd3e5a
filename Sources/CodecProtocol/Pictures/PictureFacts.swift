/// Properties of decoded pixels.
package struct PictureFacts: Hashable, Sendable {
  /// Size in pixels of the decoded, upright picture.
  package var width: Int
  package var height: Int
  /// Whether every pixel is opaque.
  package var isOpaque = true
  /// Size in pixels of the whole upright picture in the file.
  package var sourceWidth: Int
  package var sourceHeight: Int
  /// What is missing from the picture, as words after a colon; nil if it is complete.
  package var note: String?

  /// Creates properties of an opaque picture in its native size.
  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
    sourceWidth = width
    sourceHeight = height
  }
}

extension PictureFacts {
  /// Bytes of the pixels, four each; nil if the size is invalid.
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

/// Properties of a rendered picture and its thumbnail.
package struct RenderingFacts: Hashable, Sendable {
  /// The picture; its pixels are at the start of the memory.
  package var picture: PictureFacts
  /// The thumbnail, if one was requested; its pixels follow the picture's at the second of `offsets`.
  package var thumbnail: PictureFacts?
  /// Number of pixels that the decoder produced.
  package var decodedPixels: Int

  package init(picture: PictureFacts, thumbnail: PictureFacts? = nil, decodedPixels: Int) {
    self.picture = picture
    self.thumbnail = thumbnail
    self.decodedPixels = decodedPixels
  }
}

extension RenderingFacts {
  /// Offsets of the pictures' pixels in the shared memory, in bytes.
  package var offsets: [Int] {
    guard thumbnail != nil else { return [0] }
    // A mapping starts at a page.
    return [0, ((picture.byteCount ?? 0) + Self.page - 1) / Self.page * Self.page]
  }

  /// Upper bound of the bytes of a picture; no shared memory is as large.
  private static let mostBytes = 1 << 40

  /// A multiple of every page size that Linux uses for processes.
  private static let page = 1 << 16

  /// Returns the capacity in pixels for a picture and a thumbnail of at most these sizes.
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
    // Prevents overflow in what is computed from the sizes.
    guard [picture, thumbnail].allSatisfy({ ($0?.byteCount ?? 0) <= Self.mostBytes }) else {
      throw WireError()
    }
  }
}
