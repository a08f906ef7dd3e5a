import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Which signals have come, noted on the thread of signals and looked at on others.
final class SignalNotes: Sendable {
  private struct State {
    var ending: Int32?
    var asksToStop = false
  }

  private let state = Mutex(State())

  /// The first signal that ends the process; nil when none has come.
  var ending: Int32? { state.withLock(\.ending) }

  /// Whether the process is to be stopped until it goes on, as Ctrl-Z asks for.
  var asksToStop: Bool { state.withLock(\.asksToStop) }

  /// The same, told once.
  func takeStop() -> Bool {
    state.withLock { state in
      defer { state.asksToStop = false }
      return state.asksToStop
    }
  }

  func note(_ number: Int32) {
    state.withLock { state in
      if number == SIGTSTP { state.asksToStop = true }
      if state.ending == nil, SignalWatch.ending.contains(number) { state.ending = number }
    }
  }
}
