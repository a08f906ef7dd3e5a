/// Bytes that can be read at any place, as a file's.
///
/// Short answers mean the end; a read past it gives an empty array.
public protocol ByteSource {
  /// What a failed read throws.
  associatedtype Failure: Error

  /// Reads up to `count` bytes from `offset`.
  mutating func read(at offset: Int, count: Int) throws(Failure) -> [UInt8]
}

/// Bytes that are in memory already.
public struct MemoryByteSource: ByteSource {
  private let bytes: [UInt8]

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  public func read(at offset: Int, count: Int) throws(Never) -> [UInt8] {
    guard offset < bytes.count else { return [] }
    return Array(bytes[offset..<min(bytes.count, offset + count)])
  }
}

/// A window onto a source that grows or moves as a parser asks, so that a file's head is read once.
struct ByteWindow<Source: ByteSource> {
  private var source: Source
  private var bytes: [UInt8]
  private var start = 0

  init(_ source: Source, head: Int) throws(Source.Failure) {
    self.source = source
    bytes = try self.source.read(at: 0, count: head)
  }

  /// The bytes from `offset`, fewer than `count` only at the end of the source.
  mutating func slice(at offset: Int, count: Int) throws(Source.Failure) -> ArraySlice<UInt8> {
    if offset < start || offset + count > start + bytes.count {
      bytes = try source.read(at: offset, count: max(count, 4096))
      start = offset
    }
    let low = min(offset - start, bytes.count)
    return bytes[low..<min(bytes.count, low + count)]
  }
}
