/// One box of a file that is built of boxes: HEIF, MP4 and QuickTime, JPEG XL, JPEG 2000.
///
/// Format: ISO/IEC 14496-12, 4.2; JPEG 2000 has the same in ISO/IEC 15444-1, I.4.
package struct Box: Hashable, Sendable {
  /// Four letters; anything else reads as what UTF-8 makes of it.
  package let type: String
  /// The bytes behind the header, from the file's first byte on; may reach beyond what the box lies in.
  package let content: Range<Int>
  /// Whether it states no length, and goes on to the end of what it lies in.
  package let isOpenEnded: Bool

  /// Bytes of a header with a length of 64 bits; of all others eight.
  package static let longestHeader = 16

  /// The longest box that is believed: no disk holds as much, and a sum of a place and a length can't overflow.
  private static let longest = 1 << 56

  /// Reads a header.
  /// - Parameters:
  ///   - header: the bytes from `offset` on; more than its own are of no interest.
  ///   - offset: where it begins, below 2^56.
  ///   - end: where what the box lies in ends.
  /// - Returns: nil where the header is cut off, or its length is shorter than itself or longer than any file.
  package init?(_ header: ArraySlice<UInt8>, at offset: Int, end: Int) {
    guard header.count >= 8 else { return nil }
    let first = header.startIndex
    let stated = BoxReader.integer(header[first..<first + 4])
    type = String(decoding: header[first + 4..<first + 8], as: UTF8.self)
    isOpenEnded = stated == 0
    switch stated {
    case 0: content = offset + 8..<max(offset + 8, end)
    case 1:
      guard header.count >= Self.longestHeader else { return nil }
      let long = BoxReader.integer(header[first + 8..<first + Self.longestHeader])
      guard long >= UInt64(Self.longestHeader), long <= UInt64(Self.longest) else { return nil }
      content = offset + Self.longestHeader..<offset + Int(long)
    default:
      guard stated >= 8 else { return nil }
      content = offset + 8..<offset + Int(stated)
    }
  }
}

/// Walks the boxes of a file, or of a part of one that is in memory.
///
/// Bounded: a walk looks at so many boxes and no more, never leaves the box that it is in, and never goes
/// deeper than its caller does.
package struct BoxReader {
  private let byteCount: Int
  private let read: (_ offset: Int, _ count: Int) -> [UInt8]

  /// Boxes that one list may have unless its caller knows better.
  private static let most = 512

  /// - Parameters:
  ///   - byteCount: the file's length.
  ///   - read: gives up to `count` bytes from `offset` on, fewer where the file ends or can't be read.
  package init(byteCount: Int, read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) {
    (self.byteCount, self.read) = (byteCount, read)
  }

  /// Makes a reader of boxes in memory.
  package init(_ bytes: [UInt8]) {
    self.init(byteCount: bytes.count) { offset, count in
      guard count > 0, bytes.indices.contains(offset) else { return [] }
      return Array(bytes[offset..<offset + min(count, bytes.count - offset)])
    }
  }

  /// Every box of the file, from its first.
  package var topLevel: [Box] { boxes(in: 0..<byteCount) }

  /// The boxes that stand in a range, up to the first that does not fit.
  package func boxes(in range: Range<Int>, most: Int = Self.most) -> [Box] {
    var found: [Box] = []
    var offset = range.lowerBound
    while found.count < most, let box = box(at: offset, end: range.upperBound),
      box.content.upperBound <= range.upperBound
    {
      found.append(box)
      offset = box.content.upperBound
    }
    return found
  }

  /// The box at a place, which may reach beyond `end`; nil where its header is cut off or makes no sense.
  package func box(at offset: Int, end: Int) -> Box? {
    guard end - offset >= 8 else { return nil }
    return Box(read(offset, min(Box.longestHeader, end - offset))[...], at: offset, end: end)
  }

  /// The boxes inside a box, `skipping` bytes of fields before the first.
  package func children(of box: Box, skipping fields: Int = 0) -> [Box] {
    fields <= box.content.count ? boxes(in: box.content.dropFirst(fields)) : []
  }

  /// The first box at the end of a path of types.
  package func first(_ path: String..., in box: Box) -> Box? {
    var found = box
    for type in path {
      guard let next = children(of: found).first(where: { $0.type == type }) else { return nil }
      found = next
    }
    return found
  }

  /// Up to `count` bytes of a box's content.
  package func bytes(of box: Box, at offset: Int = 0, count: Int) -> [UInt8] {
    read(box.content.lowerBound + offset, min(count, max(0, box.content.count - offset)))
  }

  /// A number of 32 bits in a box's content.
  package func integer(of box: Box, at offset: Int) -> Int? {
    let bytes = bytes(of: box, at: offset, count: 4)
    return bytes.count == 4 ? Int(Self.integer(bytes[...])) : nil
  }

  /// Big-endian, up to 64 bits.
  package static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension ByteWindow {
  /// The box at a place, which may reach beyond the file's end: what is left of a file that was cut is read.
  mutating func box(at offset: Int) -> Box? {
    guard let stated = bigEndian32(at: offset) else { return nil }
    let length = stated == 1 ? Box.longestHeader : 8
    guard let at = index(of: offset, length) else { return nil }
    return Box(bytes[at..<at + length], at: offset, end: end)
  }
}
