import CPlatform
import Dispatch
import Synchronization
import System

/// Turns signals into messages.
///
/// One watch at a time; all of a process share one pipe and the thread that reads it.
package enum SignalWatch {
  /// Signals that end the process after the terminal was given back.
  package static let ending: [Int32] = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]

  private static let relayed = ending + [SIGWINCH, SIGTSTP, SIGCONT]
  private static let receiver = Mutex<(@Sendable (Int32) -> Void)?>(nil)
  /// Signalled when all that came before a mark in the pipe has been delivered.
  private static let delivered = DispatchSemaphore(value: 0)

  /// The end of the pipe that the handler writes to; nil where there is none to be had.
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

  /// From now on `deliver` is called with each signal's number, on a thread of its own.
  package static func start(_ deliver: @escaping @Sendable (Int32) -> Void) throws(TerminalError) {
    guard let writeEnd else { throw .unusable("the terminal: no pipe or thread for signals") }
    receiver.withLock { $0 = deliver }
    signal_relay_install(relayed, Int32(relayed.count), writeEnd)
  }

  /// Signals do again what they did before; what had come is delivered when this returns.
  package static func stop() {
    guard let writeEnd, receiver.withLock({ $0 != nil }) else { return }
    signal_relay_uninstall(relayed, Int32(relayed.count))
    if write(writeEnd, [mark], 1) == 1 { delivered.wait() }
    receiver.withLock { $0 = nil }
  }

  /// Ends the process as the signal would have done.
  package static func die(by number: Int32) -> Never {
    signal_relay_remove(number)
    raise(number)
    exit(128 + number)
  }

  /// Does something during which Ctrl-Z stops the whole job at once: somebody else has the terminal.
  package static func whileStoppable(_ work: () -> Void) {
    signal_relay_remove(SIGTSTP)
    work()
    if receiver.withLock({ $0 != nil }) { signal_relay_restore(SIGTSTP) }
  }

  /// Stops the whole job, as the shell expects of Ctrl-Z; comes back when it goes on.
  ///
  /// In a group that no shell watches the kernel ignores the signal, and this comes back at once.
  package static func stopJob() {
    signal_relay_remove(SIGTSTP)
    kill(0, SIGTSTP)
    if receiver.withLock({ $0 != nil }) { signal_relay_restore(SIGTSTP) }
  }
}

/// Which signals have come, noted on the thread of signals and looked at on others.
package final class SignalNotes: Sendable {
  private struct State {
    var ending: Int32?
    var asksToStop = false
  }

  private let state = Mutex(State())
  /// The end of a pipe that becomes readable, and stays so, once a signal that ends the process has come: for
  /// `poll`; negative where there was no pipe to be had.
  package let interruption: Int32
  private let interrupting: Int32

  package init() {
    (interruption, interrupting) = (try? ChildProcess.pipe()) ?? (-1, -1)
  }

  deinit {
    for end in [interruption, interrupting] where end >= 0 { close(end) }
  }

  /// The first signal that ends the process; nil when none has come.
  package var ending: Int32? { state.withLock(\.ending) }

  /// Whether the process is to be stopped until it goes on, as Ctrl-Z asks for.
  package var asksToStop: Bool { state.withLock(\.asksToStop) }

  /// The same, told once.
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
