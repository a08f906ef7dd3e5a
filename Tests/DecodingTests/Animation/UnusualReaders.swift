import AssetLibrary
import Fixtures
import Decoding
import Imaging
import Synchronization
import Glibc

/// A long file that is almost entirely zero, with a count of the bytes read.
final class SparseReader: ResourceReader {
  let count: Int
  private let pieces: [Int: [UInt8]]
  private let total = Mutex(0)

  /// - Parameter pieces: The non-zero parts, by offset.
  init(count: Int, _ pieces: [Int: [UInt8]]) {
    (self.count, self.pieces) = (count, pieces)
  }

  var bytesRead: Int { total.withLock { $0 } }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    let range = offset..<min(count, offset + buffer.count)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    for (start, bytes) in pieces {
      let shared = range.clamped(to: start..<start + bytes.count)
      for place in shared { buffer[place - offset] = bytes[place - start] }
    }
    total.withLock { $0 += range.count }
    return range.count
  }
}

/// A file that is another one once it has been read to its end.
final class ReplacedReader: ResourceReader {
  private let (first, second): ([UInt8], [UInt8])
  private let isReplaced = Mutex(false)

  init(_ first: [UInt8], then second: [UInt8]) { (self.first, self.second) = (first, second) }

  var count: Int { first.count }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    let isSecond = isReplaced.withLock { isReplaced in
      defer { isReplaced = isReplaced || offset + buffer.count >= first.count }
      return isReplaced
    }
    return try MemoryReader(isSecond ? second : first).read(at: offset, into: buffer)
  }
}

/// A file that may be replaced while it is open.
final class ChangingReader: ResourceReader {
  private let bytes: Mutex<[UInt8]>

  init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

  var count: Int { bytes.withLock { $0.count } }

  func become(_ bytes: [UInt8]) { self.bytes.withLock { $0 = bytes } }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    try MemoryReader(bytes.withLock { $0 }).read(at: offset, into: buffer)
  }
}
