import CNcurses
import PickerRuntime
import TerminalGraphics
import System

/// The stream that ncurses writes to: what it writes is taken up in memory and handed over whole.
///
/// ncurses sends every move of the cursor by itself: a hundred small writes for a screen, each of which wakes
/// the terminal, and between which half a frame may be seen. And it waits for a terminal that takes nothing without
/// minding signals. Used by the thread of the run loop only.
final class CursesOutput {
  let stream: UnsafeMutablePointer<FILE>
  /// Another descriptor of the terminal behind the stream.
  private let terminal: Int32
  /// Nothing here outlives a frame.
  private let memory: Int32

  /// - Parameter terminal: the terminal's descriptor, of which others are made.
  /// - Throws: `TerminalError` where there are no more descriptors.
  init(to terminal: Int32) throws(TerminalError) {
    self.terminal = fcntl(terminal, F_DUPFD_CLOEXEC, 0)
    memory = tpick_memory()
    let copy = fcntl(terminal, F_DUPFD_CLOEXEC, 0)
    guard self.terminal >= 0, memory >= 0, copy >= 0, let stream = fdopen(copy, "w") else {
      let reason = String(cString: strerror(errno))
      for descriptor in [self.terminal, memory, copy] where descriptor >= 0 { close(descriptor) }
      throw .unusable("the terminal: \(reason)")
    }
    self.stream = stream
  }

  deinit {
    fclose(stream)
    close(terminal)
    close(memory)
  }

  /// The bytes that ncurses sends while `body` runs; meanwhile it can't change the modes of the terminal.
  func bytes(of body: () -> Void) -> [UInt8] {
    dup2(memory, fileno(stream))
    body()
    dup2(terminal, fileno(stream))
    let count = Int(max(0, lseek(memory, 0, SEEK_CUR)))
    lseek(memory, 0, SEEK_SET)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, taken in
      taken = max(0, pread(memory, buffer.baseAddress, count, 0))
    }
  }
}
