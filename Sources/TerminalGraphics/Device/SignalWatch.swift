import CPlatform
import Dispatch
import Synchronization
import System

/// Turns signals into callbacks.
///
/// One watch at a time; a process has one pipe for them and one thread that reads it.
package enum SignalWatch {
  /// Signals that end the process after the terminal is restored.
  package static let ending: [Int32] = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]

  private static let relayed = ending + [SIGWINCH, SIGTSTP, SIGCONT]
  private static let receiver = Mutex<(@Sendable (Int32) -> Void)?>(nil)
  /// Signaled when everything before a mark in the pipe has been delivered.
  private static let delivered = DispatchSemaphore(value: 0)

  /// The pipe's end that the signal handler writes to; nil if no pipe could be created.
  private static let writeEnd: Int32? = {
    guard let (readEnd, writeEnd) = try? ChildProcess.pipe() else { return nil }
    _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
    let isRead = WorkerThread.start(takesSignals: false) {
      var number: UInt8 = 0
      while true {
        let n = read(readEnd, &number, 1)
        if n == 1, number == mark {
          delivered.signal()
        } else if n == 1 {
          receiver.withLock { $0 }?(Int32(number))
        } else if n == 0 || errno != EINTR {
          return
        }
      }
    }
    guard isRead else {
      close(readEnd)
      close(writeEnd)
      return nil
    }
    return writeEnd
  }()

  /// No signal has this number.
  private static let mark: UInt8 = 0

  /// Calls `deliver` with the number of each signal from now on, on a separate thread.
  package static func start(_ deliver: @escaping @Sendable (Int32) -> Void) throws(TerminalError) {
    guard let writeEnd else { throw .unusable("the terminal: no pipe or thread for signals") }
    receiver.withLock { $0 = deliver }
    signal_relay_install(relayed, Int32(relayed.count), writeEnd)
  }

  /// Restores the previous handlers; signals that arrived before are delivered when this returns.
  package static func stop() {
    guard let writeEnd, receiver.withLock({ $0 != nil }) else { return }
    signal_relay_uninstall(relayed, Int32(relayed.count))
    if write(writeEnd, [mark], 1) == 1 { delivered.wait() }
    receiver.withLock { $0 = nil }
  }

  /// Ends the process as the signal would.
  package static func die(by number: Int32) -> Never {
    signal_relay_remove(number)
    raise(number)
    exit(128 + number)
  }

  /// Runs `work` while Ctrl-Z stops the whole job at once, because another program uses the terminal.
  package static func withDefaultSuspend(_ work: () -> Void) {
    signal_relay_remove(SIGTSTP)
    work()
    if receiver.withLock({ $0 != nil }) { signal_relay_restore(SIGTSTP) }
  }

  /// Stops the whole job, as the shell expects for Ctrl-Z; returns when it is resumed.
  ///
  /// In an orphaned process group the kernel ignores the signal, and this returns at once.
  package static func stopJob() {
    signal_relay_remove(SIGTSTP)
    kill(0, SIGTSTP)
    if receiver.withLock({ $0 != nil }) { signal_relay_restore(SIGTSTP) }
  }
}

/// Signals that have arrived, noted on the signal thread and read on others.
package final class SignalNotes: Sendable {
  private struct State {
    var ending: Int32?
    var asksToStop = false
  }

  private let state = Mutex(State())
  /// The end of a pipe that becomes and stays readable once a signal that ends the process has arrived, for `poll`;
  /// negative if no pipe could be created.
  package let interruption: Int32
  private let interrupting: Int32

  package init() {
    (interruption, interrupting) = (try? ChildProcess.pipe()) ?? (-1, -1)
  }

  deinit {
    for end in [interruption, interrupting] where end >= 0 { close(end) }
  }

  /// The first signal that ends the process; nil if none has arrived.
  package var ending: Int32? { state.withLock(\.ending) }

  /// Whether the process should stop, as Ctrl-Z requests.
  package var asksToStop: Bool { state.withLock(\.asksToStop) }

  /// Returns whether the process should stop, and clears the request.
  package func takeStop() -> Bool {
    state.withLock { state in
      defer { state.asksToStop = false }
      return state.asksToStop
    }
  }

  package func note(_ number: Int32) {
    let isInterrupting = state.withLock { state in
      if number == SIGTSTP { state.asksToStop = true }
      guard state.ending == nil, SignalWatch.ending.contains(number) else { return false }
      state.ending = number
      return true
    }
    if isInterrupting { _ = write(interrupting, [1 as UInt8], 1) }
  }
}
