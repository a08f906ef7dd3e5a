import AssetLibrary
import Export

/// Reads a resource sequentially.
///
/// Normally keeps only one chunk in memory.
struct ByteStream {
  private static let chunkSize = 1 << 20

  private let reader: any ResourceReader
  private let cancellation: Cancellation
  private var chunk: [UInt8] = []
  /// The index of the next byte in the chunk.
  private var position = 0
  /// The offset in the file of the first byte after the chunk.
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

  /// Reads `count` bytes, fewer at the end of the file.
  ///
  /// Holds all of them in memory.
  mutating func bytes(_ count: Int) throws(AssetError) -> [UInt8] {
    while chunk.count - position < count, offset < reader.count { try load() }
    let end = min(chunk.count, position + count)
    defer { position = end }
    return Array(chunk[position..<end])
  }

  /// Copies `count` bytes, fewer at the end of the file.
  mutating func copy(_ count: Int, to output: OutputFile) throws(AssetError) {
    var left = count
    while left > 0 {
      let part = try bytes(min(left, Self.chunkSize))
      if part.isEmpty { return }
      try output.write(part)
      left -= part.count
    }
  }

  /// Skips `count` bytes.
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

  /// Reads up to the position that `find` returns, or to the end of the file.
  ///
  /// `find` receives the rest of the chunk. What it leaves is passed again with more bytes after it.
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
