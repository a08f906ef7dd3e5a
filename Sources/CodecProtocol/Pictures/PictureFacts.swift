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
    wire.put(note) { $0.put(words: $1) }
  }

  init(from wire: inout WireReader) throws(WireError) {
    width = Int(try wire.integer(UInt32.self))
    height = Int(try wire.integer(UInt32.self))
    sourceWidth = Int(try wire.integer(UInt32.self))
    sourceHeight = Int(try wire.integer(UInt32.self))
    isOpaque = try wire.bool()
    note = try wire.optional { reader throws(WireError) in try reader.words() }
    guard byteCount != nil, sourceWidth > 0, sourceHeight > 0 else { throw WireError() }
  }
}
