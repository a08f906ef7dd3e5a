/// Walks the boxes of an ISO base media file (ISO/IEC 14496-12, 4.2) over a file.
///
/// Bounded: a walk looks at so many boxes and no more, never leaves the box that it is in, and never goes
/// deeper than its caller does.
struct BoxReader {
  struct Box {
    var type: String
    /// The bytes behind the header.
    var content: Range<Int>
  }

  let file: InputFile

  /// Boxes that one list may have.
  private static let most = 512

  /// Every box of the file, from its first.
  var topLevel: [Box] { boxes(in: 0..<file.byteCount) }

  /// The boxes that stand in a range, up to the first that does not fit.
  func boxes(in range: Range<Int>) -> [Box] {
    var found: [Box] = []
    var offset = range.lowerBound
    while found.count < Self.most, range.upperBound - offset >= 8 {
      let header = file.bytes(at: offset, count: 16)
      guard header.count >= 8 else { break }
      var size = Int(Self.integer(header[0..<4]))
      var headerSize = 8
      if size == 1, header.count == 16 {
        guard let large = Int(exactly: Self.integer(header[8..<16])) else { break }
        (size, headerSize) = (large, 16)
      } else if size == 0 {
        size = range.upperBound - offset
      }
      guard size >= headerSize, size <= range.upperBound - offset else { break }
      let type = String(decoding: header[4..<8], as: UTF8.self)
      found.append(Box(type: type, content: offset + headerSize..<offset + size))
      offset += size
    }
    return found
  }

  /// The boxes inside a box, `skipping` bytes of fields before the first.
  func children(of box: Box, skipping fields: Int = 0) -> [Box] {
    fields <= box.content.count ? boxes(in: box.content.dropFirst(fields)) : []
  }

  /// The first box at the end of a path of types.
  func first(_ path: String..., in box: Box) -> Box? {
    var found = box
    for type in path {
      guard let next = children(of: found).first(where: { $0.type == type }) else { return nil }
      found = next
    }
    return found
  }

  /// Up to `count` bytes of a box's content.
  func bytes(of box: Box, at offset: Int = 0, count: Int) -> [UInt8] {
    file.bytes(at: box.content.lowerBound + offset, count: min(count, max(0, box.content.count - offset)))
  }

  /// A number of 32 bits in a box's content.
  func integer(of box: Box, at offset: Int) -> Int? {
    let bytes = bytes(of: box, at: offset, count: 4)
    return bytes.count == 4 ? Int(Self.integer(bytes[...])) : nil
  }

  /// Big-endian, up to 64 bits.
  static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
