import Rendering
import AssetLibrary

/// Walks the chunks of a PNG (PNG third edition, 5.3); a chunk that the file cuts ends with the file.
struct PNGChunks {
  struct Chunk {
    var type: String
    /// Where its content lies in the file.
    var content: Range<Int>
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private var position = Self.signature.count

  /// The next chunk; nil at the end, `IEND` included.
  mutating func next(_ job: DecodeJob) throws(DecodeStop) -> Chunk? {
    try job.checkStopped()
    let count = job.reader.count
    guard count - position >= 8 else { return nil }
    let head = try job.bytes(in: position..<position + 8)
    guard head.count == 8 else { return nil }
    let start = position + 8
    let end = start + head.number(at: 0)
    let type = String(decoding: head[4...], as: UTF8.self)
    position = min(count, end + 4)
    return type == "IEND" ? nil : Chunk(type: type, content: start..<min(end, count))
  }

  /// Makes a chunk the next one again.
  mutating func stepBack(to chunk: Chunk) { position = chunk.content.lowerBound - 8 }

  func bytes(of chunk: Chunk, _ job: DecodeJob) throws(DecodeStop) -> [UInt8] {
    guard chunk.content.count <= AnimationBudget.heldBytes else {
      throw .failed("the file is too large to be shown")
    }
    return try job.bytes(in: chunk.content)
  }

  /// The content of a chunk that has to have just so many bytes; nil, unread, where it has others.
  func bytes(of chunk: Chunk, count: Int, _ job: DecodeJob) throws(DecodeStop) -> [UInt8]? {
    guard chunk.content.count == count else { return nil }
    let bytes = try job.bytes(in: chunk.content)
    return bytes.count == count ? bytes : nil
  }

  /// A chunk without a checksum that anybody should look at.
  static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    head(type, content.count) + content + checksum
  }

  /// What stands before so many bytes of content, and behind them.
  static func head(_ type: String, _ count: Int) -> [UInt8] { count.bigEndianBytes + Array(type.utf8) }
  static let checksum: [UInt8] = [0, 0, 0, 0]
}

extension [UInt8] {
  /// The 32-bit number at an offset, the highest byte first.
  func number(at offset: Int) -> Int { self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
}

extension Int {
  /// The number as 32 bits, the highest byte first.
  var bigEndianBytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }
}
