import CDescriptorPassing

#if canImport(Glibc)
  import Glibc
#endif

/// Pixels that the helper writes and tpick reads: memory behind a descriptor.
///
/// Used by one thread. Unmapped and closed with the last reference.
package final class PictureMemory {
  package var facts: PictureFacts
  private let descriptor: Int32
  private let byteCount: Int
  private var base: UnsafeMutableRawPointer?

  /// Memory for a picture; every byte is 0, every pixel so transparent.
  /// - Throws: `CodecError.noMemory` when there is not as much, `.tooLarge` for a size that no picture has.
  package init(_ facts: PictureFacts) throws(CodecError) {
    self.facts = facts
    guard let byteCount = facts.byteCount else { throw .tooLarge("a picture of no possible size") }
    self.byteCount = byteCount
    var base: UnsafeMutableRawPointer?
    descriptor = shared_memory_make(byteCount, &base)
    guard descriptor >= 0, base != nil else { throw .noMemory }
    self.base = base
  }

  deinit {
    if let base { munmap(base, byteCount) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Rows of RGBA pixels from the top, straight alpha, without padding; empty once they are sealed.
  package var bytes: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base, count: base == nil ? 0 : byteCount)
  }

  /// Ends the writing.
  /// - Returns: the descriptor, which stays this object's; nil where the kernel refuses to seal it.
  func seal() -> Int32? {
    guard let base else { return nil }
    self.base = nil
    return shared_memory_seal(descriptor, base, byteCount) == 0 ? descriptor : nil
  }
}
