import CPlatform
import System

/// Memory that tpick creates for the pixels of one answer and the helper fills.
///
/// Pages are allocated when they are written. The descriptor is closed with the last reference; mappings stay
/// valid.
final class SharedMemory: Sendable {
  let descriptor: Int32
  /// Capacity in bytes.
  let byteCount: Int

  /// Upper bound of the pixels in one answer: a helper's address space holds no more.
  private static let mostPixels = 1 << 30

  /// - Throws: `CodecError.noDescriptors` or `.noMemory`.
  init(pixels: Int) throws(CodecError) {
    let made = shared_memory_make(min(max(1, pixels), Self.mostPixels) * 4)
    guard made >= 0 else { throw [-EMFILE, -ENFILE].contains(made) ? .noDescriptors : .noMemory }
    descriptor = made
    byteCount = max(0, Int(lseek(made, 0, SEEK_END)))
  }

  deinit {
    close(descriptor)
  }

  /// Seals the memory against writing and truncates it to `count` bytes.
  /// - Returns: false if a writable mapping still exists.
  func seal(keeping count: Int) -> Bool { shared_memory_seal(descriptor, count) == 0 }

  /// Maps a part for reading.
  /// - Parameter offset: a multiple of the page size.
  /// - Returns: nil if the memory cannot be mapped.
  func map(_ count: Int, at offset: Int) -> UnsafeRawPointer? { shared_memory_map(descriptor, offset, count) }
}
