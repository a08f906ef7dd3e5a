import CodecProtocol

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

// Files of which only parts are there: what a library would ask for piece by piece is asked for at once.
extension BoxReader {
  /// Has the box be there that tells all of a video; does nothing where the file is all there.
  /// - Throws: `CodecError` where it is not; the file knows what is missing.
  func requireMovie() throws(CodecError) {
    guard let boxes = try require("moov") else { return }
    // The times of a video in fragments are in all of them.
    if !boxes.contains(where: { $0.type == "moof" }) { endBehindData(boxes) }
  }

  /// Has the boxes be there that tell all of a HEIC or AVIF file.
  /// - Returns: the file's `meta` box; nil where it has none.
  /// - Throws: `CodecError` where they are not; the file knows what is missing.
  func requirePicture() throws(CodecError) -> Box? {
    guard let boxes = try require("meta") else { return nil }
    let brands = boxes.first { $0.type == "ftyp" }.map { bytes(of: $0, count: 256) } ?? []
    // Behind the data of a sequence there may be its tracks (ISO/IEC 23008-12, 10.3; AV1 Image File Format 1.1, 6.2).
    let isSequence = stride(from: 0, to: brands.count - 3, by: 4).contains { place in
      ["msf1", "hevc", "hevx", "avis"].contains(String(decoding: brands[place..<place + 4], as: UTF8.self))
    }
    if !isSequence { endBehindData(boxes) }
    return boxes.first { $0.type == "meta" }
  }

  /// Has all boxes of a type be there, and one at least.
  /// - Returns: the file's boxes as far as their headers are there; nil where the file is all there.
  private func require(_ type: String) throws(CodecError) -> [Box]? {
    guard file.isPartial else { return nil }
    let boxes = file.optional { topLevel }
    let found = boxes.filter { $0.type == type }
    for box in found where !file.requires(box.content.lowerBound, box.content.count) { throw .notThere }
    // Where the first one begins shows with the next header.
    if found.isEmpty, !file.requires(boxes.last?.content.upperBound ?? 0, 16) { throw .notThere }
    return boxes
  }

  /// Lets what stands behind the media data be: makers put trailers there, videos and thumbnails, none of which is a fact.
  private func endBehindData(_ boxes: [Box]) {
    if let last = boxes.last, last.type == "mdat" { file.optionalPlace = last.content.upperBound }
  }
}

extension CodecError {
  /// Of a file that knows what of it is missing.
  static let notThere = CodecError.unreadable("parts of the file are missing")
}
