/// Bytes that can be read at any place, as a file's.
///
/// Short answers mean the end; a read past it gives an empty array.
package protocol ByteSource {
  /// What a failed read throws.
  associatedtype Failure: Error

  /// Reads up to `count` bytes from `offset`.
  mutating func read(at offset: Int, count: Int) throws(Failure) -> [UInt8]

  /// Fills `buffer` with the bytes from `offset`, which spares an array for each read.
  /// - Returns: how many there were; fewer than asked for only at the end.
  mutating func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int

  /// How many of the `count` bytes from `offset` on are there, where parts of the file are yet to be fetched.
  ///
  /// Says nothing of where the file ends.
  func available(at offset: Int, count: Int) -> Int
}

extension ByteSource {
  /// What sources say that have all of their bytes.
  package func available(at offset: Int, count: Int) -> Int { count }

  /// What sources do that hand out arrays only.
  package mutating func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Failure) -> Int {
    let bytes = try read(at: offset, count: buffer.count).prefix(buffer.count)
    buffer.copyBytes(from: bytes)
    return bytes.count
  }
}

/// Bytes that are in memory already.
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
  /// The text without blanks and NULs at its ends.
  var trimmed: String {
    let isBlank = { (character: Character) in character.isWhitespace || character == "\0" }
    var rest = self[...]
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(rest.drop(while: isBlank))
  }
}
