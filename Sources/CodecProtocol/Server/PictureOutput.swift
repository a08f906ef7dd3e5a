import Synchronization
import System

/// Memory that tpick created for the pixels of one answer and the helper fills.
///
/// During a request its output is `current`: the first `PictureMemory` is allocated there, so that nothing is
/// copied. Closed with the last reference.
package final class PictureOutput: Sendable {
  /// The output of the request in progress on this thread; nil outside of requests for pictures.
  @TaskLocal package static var current: PictureOutput?

  /// Capacity in bytes.
  package let byteCount: Int
  private let descriptor: Int32
  private let state = Mutex(State())

  private struct State {
    var isMapped = false
    /// Number of bytes from the start that may be nonzero.
    var written = 0
  }

  /// - Parameter descriptor: owned by the output from now on.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    byteCount = max(0, Int(lseek(descriptor, 0, SEEK_END)))
  }

  deinit {
    close(descriptor)
  }

  /// Runs `work` with this as the current output.
  func lend<Result>(_ work: () throws(CodecError) -> Result) throws(CodecError) -> Result {
    let result = Self.$current.withValue(self) { () -> Swift.Result<Result, CodecError> in
      do throws(CodecError) { return .success(try work()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Maps the first `count` bytes for writing, all of them 0.
  /// - Returns: nil if the memory is already mapped.
  /// - Throws: `CodecError.noMemory` if the memory cannot be mapped.
  package func map(_ count: Int) throws(CodecError) -> UnsafeMutableRawPointer? {
    let (isFree, written) = state.withLock { state in
      let before = state
      state.isMapped = true
      state.written = max(state.written, count)
      return (!before.isMapped, before.written)
    }
    guard isFree else { return nil }
    guard
      let base = mmap(
        nil, count, PROT_READ | PROT_WRITE, MAP_SHARED | Int32(MAP_POPULATE), descriptor, 0),
      base != MAP_FAILED
    else {
      state.withLock { $0.isMapped = false }
      throw .noMemory
    }
    // An earlier picture of the same request may have been discarded.
    memset(base, 0, min(count, written))
    return base
  }

  /// Unmaps what `map` returned.
  package func unmap(_ base: UnsafeMutableRawPointer, _ count: Int) {
    munmap(base, count)
    state.withLock { $0.isMapped = false }
  }
}

/// Pixels that the helper writes and tpick reads.
///
/// They are in the memory that tpick sent with the request. A second picture, or one outside of a request, has
/// memory of its own until `move(into:)`. Used by one thread. Unmapped with the last reference.
package final class PictureMemory {
  package var facts: PictureFacts
  private let byteCount: Int
  /// The output that holds the pixels; nil for memory of their own.
  private let output: PictureOutput?
  private var base: UnsafeMutableRawPointer?

  /// Allocates a picture; every byte is 0, so every pixel is transparent.
  /// - Throws: `CodecError.noMemory` if memory is short, `.tooLarge` if the size is invalid or has more pixels than
  ///   were requested.
  package init(_ facts: PictureFacts) throws(CodecError) {
    self.facts = facts
    guard let byteCount = facts.byteCount else { throw .tooLarge("an impossible picture size") }
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

  /// Rows of RGBA pixels from the top, straight alpha, without padding; empty after `move(into:)`.
  package var bytes: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base, count: base == nil ? 0 : byteCount)
  }

  /// Ends writing: copies the pixels into the output unless they are there already, and unmaps them.
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
