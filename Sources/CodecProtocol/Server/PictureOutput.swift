import Synchronization
import System

/// Memory that tpick made for the pixels of one answer, and that the helper only fills.
///
/// While a request is worked on its output is the `current` one: the first `PictureMemory` lies in it, so that nothing is
/// copied. Closed with the last reference.
package final class PictureOutput: Sendable {
  /// That of the request in hand on this thread; nil outside of requests for pictures.
  @TaskLocal package static var current: PictureOutput?

  /// Room for pixels, in bytes.
  package let byteCount: Int
  private let descriptor: Int32
  private let state = Mutex(State())

  private struct State {
    var isMapped = false
    /// Bytes from the beginning that may not be 0 any more.
    var written = 0
  }

  /// - Parameter descriptor: belongs to the output from now on.
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

  /// Maps the beginning for writing, every byte of which is 0.
  /// - Returns: nil while it is mapped already.
  /// - Throws: `CodecError.noMemory` when there is no room for it.
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
    // An earlier picture of the same request may have been given up.
    memset(base, 0, min(count, written))
    return base
  }

  /// Gives back what `map` gave.
  package func unmap(_ base: UnsafeMutableRawPointer, _ count: Int) {
    munmap(base, count)
    state.withLock { $0.isMapped = false }
  }
}
