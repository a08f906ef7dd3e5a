import Dispatch
import PickerRuntime
import Synchronization
import System
import TerminalGraphics

/// Waits for keys on a thread of its own, so that a key is noticed while a frame is being written.
final class KeyReader: Sendable {
  /// How long after an escape character the rest of a sequence may take, in milliseconds.
  ///
  /// Links over SSH deliver a key's bytes together nearly always.
  private static let escapePatience: Int32 = 40
  /// How long the rest of a late answer may take; cut short, it would come out as keys.
  private static let answerPatience: Int32 = 500
  /// How long the rest of a paste may take; then its last bracket is taken for lost.
  private static let pastePatience: Int32 = 1000

  /// The ends of a pipe in which a byte asks the thread to pause; none where there was none to be had.
  private let (reading, writing): (Int32, Int32)
  private let hasEnded = Mutex(false)
  private let paused = DispatchSemaphore(value: 0)
  private let resumed = DispatchSemaphore(value: 0)

  /// Reads from `descriptor`, after the bytes in `typed`, until it ends or fails; then `ended` is called once.
  /// - Throws: `TerminalError` where the system has no thread left to read keys on.
  init(
    on descriptor: Int32, after typed: [UInt8], deliver: @escaping @Sendable (TerminalEvent) -> Void,
    ended: @escaping @Sendable () -> Void
  ) throws(TerminalError) {
    (reading, writing) = (try? ChildProcess.pipe()) ?? (-1, -1)
    let isStarted = WorkerThread.start(takesSignals: false) { [self] in
      read(from: descriptor, after: typed, deliver)
      hasEnded.withLock { $0 = true }
      paused.signal()
      ended()
    }
    if !isStarted { throw .unusable("the terminal: no thread to read keys on") }
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Lets others read from the terminal: when this returns, and until `resume`, nothing is read.
  func pause() {
    if hasEnded.withLock({ $0 }) { return }
    if write(writing, [0], 1) == 1 { paused.wait() }
  }

  /// Reads again; what was typed for others is not seen.
  func resume() { resumed.signal() }

  private func read(
    from descriptor: Int32, after typed: [UInt8], _ deliver: @Sendable (TerminalEvent) -> Void
  ) {
    var decoder = KeyDecoder()
    decoder.feed(typed).forEach(deliver)
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var waits = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&waits, 2, Self.patience(with: decoder))
      if ready > 0, waits[1].revents != 0, Glibc.read(reading, &buffer, 1) == 1 {
        paused.signal()
        resumed.wait()
        decoder = KeyDecoder()
      } else if ready == 0 {
        decoder.timeOut().forEach(deliver)
      } else if ready > 0 {
        let n = Glibc.read(descriptor, &buffer, buffer.count)
        if n > 0 {
          decoder.feed(buffer[..<n]).forEach(deliver)
        } else if n < 0, errno == EINTR || errno == EAGAIN {
          continue
        } else if n < 0, errno == EIO, Self.isInBackground(descriptor) {
          // A shell has the terminal, as after Ctrl-Z before all of the job has stopped: a read from a thread that blocks
          // SIGTTIN, as this one does, fails in place of stopping the process. The terminal is still there.
          Waiting.pause(.milliseconds(20))
        } else {
          return
        }
      }
    }
  }

  /// Whether another group of processes has the terminal; false where that is gone.
  private static func isInBackground(_ descriptor: Int32) -> Bool {
    let foreground = tcgetpgrp(descriptor)
    return foreground > 0 && foreground != getpgrp()
  }

  private static func patience(with decoder: KeyDecoder) -> Int32 {
    if decoder.isPasting { return pastePatience }
    if decoder.isAwaitingAnswer { return answerPatience }
    return decoder.isPending ? escapePatience : -1
  }
}
