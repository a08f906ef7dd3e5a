import CodecProtocol
import System

/// A whole file in memory, of which only those bytes are read that are looked at; unmapped with the last reference.
///
/// A file that shrinks meanwhile costs the helper its life, and is then one broken asset.
final class FileMapping {
  private let bytes: UnsafeRawBufferPointer

  /// - Parameter descriptor: not needed any more afterwards.
  /// - Returns: nil where the file can't be mapped.
  init?(descriptor: Int32, byteCount: Int) {
    guard let start = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
      return nil
    }
    bytes = UnsafeRawBufferPointer(start: start, count: byteCount)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }

  /// Lends the bytes, which stay in their place as long as the mapping.
  func withUnsafeBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    try withExtendedLifetime(self) { () throws(CodecError) in try body(bytes) }
  }
}
