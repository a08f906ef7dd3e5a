/// A box of a file that consists of boxes: HEIF, MP4 and QuickTime, JPEG XL, JPEG 2000.
///
/// Format: ISO/IEC 14496-12, 4.2; JPEG 2000 defines the same in ISO/IEC 15444-1, I.4.
package struct Box: Hashable, Sendable {
  /// The type: four letters; other bytes are decoded as UTF-8, with replacement.
  package let type: String
  /// The range of the content after the header, in bytes from the start of the file; may extend beyond the
  /// parent.
  package let content: Range<Int>
  /// Whether the header states no length, so that the box extends to the end of its parent.
  package let isOpenEnded: Bool

  /// The length in bytes of a header with a 64-bit length; all others have eight bytes.
  package static let longestHeader = 16

  /// The maximum length of a valid box: no disk is as large, and the sum of an offset and a length can't
  /// overflow.
  private static let longest = 1 << 56

  /// Parses a header.
  /// - Parameters:
  ///   - header: the bytes from `offset` on; bytes after the header are ignored.
  ///   - offset: where the header starts, below 2^56.
  ///   - end: where the parent ends.
  /// - Returns: nil if the header is truncated, or its length is less than its own or greater than any
  ///   file's.
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

/// Reads the boxes of a file, or of a part of one in memory.
///
/// The work is bounded: a list has a maximum number of boxes, never extends beyond its parent, and is never
/// read deeper than the caller requests.
package struct BoxReader {
  private let byteCount: Int
  private let read: (_ offset: Int, _ count: Int) -> [UInt8]

  /// The default maximum number of boxes in a list.
  private static let most = 512

  /// Creates a reader.
  /// - Parameters:
  ///   - byteCount: the length of the file.
  ///   - read: returns up to `count` bytes from `offset`; fewer at the end of the file or after an error.
  package init(byteCount: Int, read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) {
    (self.byteCount, self.read) = (byteCount, read)
  }

  /// Creates a reader of boxes in memory.
  package init(_ bytes: [UInt8]) {
    self.init(byteCount: bytes.count) { offset, count in
      guard count > 0, bytes.indices.contains(offset) else { return [] }
      return Array(bytes[offset..<offset + min(count, bytes.count - offset)])
    }
  }

  /// All top-level boxes of the file.
  package var topLevel: [Box] { boxes(in: 0..<byteCount) }

  /// Returns the boxes in a range, up to the first that does not fit.
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

  /// Returns the box at an offset, which may extend beyond `end`; nil if its header is truncated or invalid.
  package func box(at offset: Int, end: Int) -> Box? {
    guard end - offset >= 8 else { return nil }
    return Box(read(offset, min(Box.longestHeader, end - offset))[...], at: offset, end: end)
  }

  /// Returns the boxes inside a box, after `skipping` bytes of fields.
  package func children(of box: Box, skipping fields: Int = 0) -> [Box] {
    fields <= box.content.count ? boxes(in: box.content.dropFirst(fields)) : []
  }

  /// Returns the first box at the end of a path of types.
  package func first(_ path: String..., in box: Box) -> Box? {
    var found = box
    for type in path {
      guard let next = children(of: found).first(where: { $0.type == type }) else { return nil }
      found = next
    }
    return found
  }

  /// Returns up to `count` bytes of a box's content.
  package func bytes(of box: Box, at offset: Int = 0, count: Int) -> [UInt8] {
    read(box.content.lowerBound + offset, min(count, max(0, box.content.count - offset)))
  }

  /// Returns a 32-bit number in a box's content.
  package func integer(of box: Box, at offset: Int) -> Int? {
    let bytes = bytes(of: box, at: offset, count: 4)
    return bytes.count == 4 ? Int(Self.integer(bytes[...])) : nil
  }

  /// Decodes a big-endian number of up to 64 bits.
  package static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension ByteWindow {
  /// Returns the box at an offset, which may extend beyond the end of the file, so that a truncated file can
  /// be read as far as possible.
  mutating func box(at offset: Int) -> Box? {
    guard let stated = bigEndian32(at: offset) else { return nil }
    let length = stated == 1 ? Box.longestHeader : 8
    guard let at = index(of: offset, length) else { return nil }
    return Box(bytes[at..<at + length], at: offset, end: end)
  }
}
