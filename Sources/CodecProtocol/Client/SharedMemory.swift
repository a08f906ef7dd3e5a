import CPlatform
import System

/// Memory that tpick makes for the pixels of one answer, and the helper fills.
///
/// It takes nothing from the system before it is written. Closed with the last reference; mappings of it stay.
final class SharedMemory: Sendable {
  let descriptor: Int32
  /// Room for pixels, in bytes.
  let byteCount: Int

  /// No answer has more pixels: a helper has no more addresses for them.
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

  /// Ends the writing, and gives back what lies behind the picture.
  /// - Returns: false while somebody still may write it.
  func seal(keeping count: Int) -> Bool { shared_memory_seal(descriptor, count) == 0 }

  /// Maps a part for reading.
  /// - Parameter offset: where it begins, a multiple of a page.
  /// - Returns: nil where there is no room for it.
  func map(_ count: Int, at offset: Int) -> UnsafeRawPointer? { shared_memory_map(descriptor, offset, count) }
}
