import System

/// Pixels that the helper writes and tpick reads.
///
/// They lie in the memory that tpick sent with the request; those of a further picture, and those that no request asks
/// for, lie in memory of their own until `move(into:)`. Used by one thread. Unmapped with the last reference.
package final class PictureMemory {
  package var facts: PictureFacts
  private let byteCount: Int
  /// What they lie in; nil for memory of their own.
  private let output: PictureOutput?
  private var base: UnsafeMutableRawPointer?

  /// Memory for a picture; every byte is 0, every pixel so transparent.
  /// - Throws: `CodecError.noMemory` when there is not as much, `.tooLarge` for a picture of no possible size, or of
  ///   more pixels than were asked for.
  package init(_ facts: PictureFacts) throws(CodecError) {
    self.facts = facts
    guard let byteCount = facts.byteCount else { throw .tooLarge("a picture of no possible size") }
    self.byteCount = byteCount
    let current = PictureOutput.current
    if let current, byteCount > current.byteCount {
      throw .tooLarge(width: facts.sourceWidth, height: facts.sourceHeight)
    }
    if let current, let base = try current.map(byteCount) {
      (output, self.base) = (current, base)
      return
    }
    output = nil
    guard
      let base = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      base != MAP_FAILED
    else { throw .noMemory }
    self.base = base
  }

  deinit {
    release()
  }

  /// Rows of RGBA pixels from the top, straight alpha, without padding; empty once they were moved.
  package var bytes: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base, count: base == nil ? 0 : byteCount)
  }

  /// Ends the writing: the pixels lie in the output then, and nothing of it is mapped.
  func move(into output: PictureOutput) throws(CodecError) {
    defer { release() }
    guard self.output !== output, let base else { return }
    guard byteCount <= output.byteCount, let room = try output.map(byteCount) else { throw .noMemory }
    room.copyMemory(from: base, byteCount: byteCount)
    output.unmap(room, byteCount)
  }

  private func release() {
    guard let base else { return }
    self.base = nil
    if let output { output.unmap(base, byteCount) } else { munmap(base, byteCount) }
  }
}
