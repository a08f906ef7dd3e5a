import AssetLibrary
import Export

/// The bytes of a resource one after the other, with no more than a chunk of them in memory.
struct ByteStream {
  private static let chunkSize = 1 << 20

  private let reader: any ResourceReader
  private let cancellation: Cancellation
  private var chunk: [UInt8] = []
  /// The next byte of the chunk.
  private var position = 0
  /// Where in the file the byte behind the chunk stands.
  private var offset = 0

  init(_ reader: any ResourceReader, cancellation: Cancellation) {
    self.reader = reader
    self.cancellation = cancellation
  }

  private mutating func load() throws(AssetError) {
    if cancellation.isCancelled { throw .cancelled }
    chunk.removeFirst(position)
    position = 0
    guard offset < reader.count else { return }
    let more = try reader.bytes(in: offset..<min(reader.count, offset + Self.chunkSize))
    offset += more.count
    chunk += more
  }

  mutating func next() throws(AssetError) -> UInt8? {
    if position == chunk.count { try load() }
    guard position < chunk.count else { return nil }
    defer { position += 1 }
    return chunk[position]
  }

  /// So many bytes, fewer at the end.
  ///
  /// They are in memory at once.
  mutating func bytes(_ count: Int) throws(AssetError) -> [UInt8] {
    while chunk.count - position < count, offset < reader.count { try load() }
    let end = min(chunk.count, position + count)
    defer { position = end }
    return Array(chunk[position..<end])
  }

  /// Passes over so many bytes.
  mutating func skip(_ count: Int) throws(AssetError) {
    var left = count
    while left > 0 {
      if position == chunk.count { try load() }
      let step = min(left, chunk.count - position)
      if step == 0 { return }
      position += step
      left -= step
    }
  }

  /// The bytes up to where `find` says, or at the end of the file all that are left.
  ///
  /// It sees the rest of the chunk; what it leaves it sees again with more behind it.
  mutating func part(
    _ find: (ArraySlice<UInt8>) -> (end: Int, isEnd: Bool)
  ) throws(AssetError) -> (bytes: ArraySlice<UInt8>, isEnd: Bool) {
    if chunk.count - position < 2 { try load() }
    let rest = chunk[position...]
    if rest.count < 2 {
      position = chunk.count
      return (rest, true)
    }
    let found = find(rest)
    position = found.end
    return (rest[..<found.end], found.isEnd)
  }
}
