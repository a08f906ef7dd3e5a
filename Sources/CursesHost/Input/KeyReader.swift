import Dispatch
import PickerRuntime
import Synchronization
import System
import TerminalGraphics

/// Reads keys on a separate thread, so that a key is noticed while a frame is being written.
final class KeyReader: Sendable {
  /// How long after an escape character the rest of a sequence may take, in milliseconds.
  ///
  /// SSH links nearly always deliver the bytes of a key together.
  private static let escapePatience: Int32 = 40
  /// How long the rest of a late answer may take, in milliseconds; if it were cut short, it would be decoded as
  /// keys.
  private static let answerPatience: Int32 = 500
  /// How long the rest of a paste may take, in milliseconds, before its closing bracket counts as lost.
  private static let pastePatience: Int32 = 1000

  /// What a byte in the pipe tells the thread.
  private enum Order: UInt8 {
    case pause, stop
  }

  /// The ends of a pipe for orders; -1 if no pipe could be created.
  private let (reading, writing): (Int32, Int32)
  private let hasEnded = Mutex(false)
  private let paused = DispatchSemaphore(value: 0)
  private let resumed = DispatchSemaphore(value: 0)

  /// Reads from `descriptor`, after the bytes in `typed`, until it ends or fails; then calls `ended` once.
  /// - Throws: `TerminalError` if the thread cannot be created.
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
    if !isStarted { throw .unusable("the terminal: no thread available to read keys") }
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Stops reading, so that other programs can read from the terminal; nothing is read between its return and
  /// `resume`.
  func pause() {
    if hasEnded.withLock({ $0 }) { return }
    if give(.pause) { paused.wait() }
  }

  /// Stops reading for good: the rest of the input is for others, such as the next picker of the process.
  ///
  /// `ended` is called.
  func stop() {
    if hasEnded.withLock({ $0 }) { return }
    if give(.stop) { paused.wait() }
  }

  private func give(_ order: Order) -> Bool { write(writing, [order.rawValue], 1) == 1 }

  /// Resumes reading.
  func resume() { resumed.signal() }

  private func read(
    from descriptor: Int32, after typed: [UInt8], _ deliver: @Sendable (TerminalEvent) -> Void
  ) {
    var decoder = KeyDecoder()
    decoder.feed(typed).forEach(deliver)
    var buffer = [UInt8](repeating: 0, count: 4096)
    var order: UInt8 = 0
    while true {
      var waits = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&waits, 2, Self.patience(with: decoder))
      if ready > 0, waits[1].revents != 0, Glibc.read(reading, &order, 1) == 1 {
        if order == Order.stop.rawValue { return }
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
          // The terminal belongs to a shell, for example after Ctrl-Z until the whole job has stopped: because this
          // thread blocks SIGTTIN, the read fails instead of stopping the process. The terminal still exists.
          Waiting.pause(.milliseconds(20))
        } else {
          return
        }
      }
    }
  }

  /// Returns whether another process group is in the foreground; false if the terminal is gone.
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
