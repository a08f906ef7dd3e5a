import Synchronization
import System

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
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (interruption, interrupting) = (ends[0], ends[1])
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
