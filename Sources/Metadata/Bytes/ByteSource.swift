/// Bytes with random access, such as those of a file.
///
/// A read returns fewer bytes than requested at the end, and none beyond it.
package protocol ByteSource {
  /// The error type of a failed read.
  associatedtype Failure: Error

  /// Reads up to `count` bytes from `offset`.
  mutating func read(at offset: Int, count: Int) throws(Failure) -> [UInt8]

  /// Fills `buffer` with the bytes from `offset`, without allocating an array for each read.
  /// - Returns: the number of bytes, less than requested only at the end.
  mutating func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int

  /// Returns how many of the `count` bytes from `offset` are available, if parts of the file must still be
  /// downloaded.
  ///
  /// This does not reveal the end of the file.
  func available(at offset: Int, count: Int) -> Int
}

extension ByteSource {
  /// Returns `count`: the default of sources that have all bytes.
  package func available(at offset: Int, count: Int) -> Int { count }

  /// Copies from an array: the default of sources that only return arrays.
  package mutating func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Failure) -> Int {
    let bytes = try read(at: offset, count: buffer.count).prefix(buffer.count)
    buffer.copyBytes(from: bytes)
    return bytes.count
  }
}

/// A source of bytes in memory.
package struct MemoryByteSource: ByteSource {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  package func read(at offset: Int, count: Int) throws(Never) -> [UInt8] {
    guard offset < bytes.count else { return [] }
    return Array(bytes[offset..<min(bytes.count, offset + count)])
  }

  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(Never) -> Int {
    guard offset < bytes.count else { return 0 }
    let found = bytes[offset..<min(bytes.count, offset + buffer.count)]
    buffer.copyBytes(from: found)
    return found.count
  }
}

extension StringProtocol {
  /// The text without whitespace and NULs at its ends.
  var trimmed: String {
    let isBlank = { (character: Character) in character.isWhitespace || character == "\0" }
    var rest = self[...]
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(rest.drop(while: isBlank))
  }
}
