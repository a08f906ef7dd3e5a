import Dispatch
import Synchronization

/// The helpers that do one kind of work, so many at a time.
///
/// A helper is started for the first file and kept until it dies, or until the pool goes.
final class HelperPool: Sendable {
  private struct State {
    /// The path of the helper; nil where there is none, or none that works.
    var program: String?
    var isSearched: Bool
    var idle: [HelperProcess] = []
    /// Starts that failed, one after the other.
    var failures = 0
  }

  /// What asking for a helper gives.
  enum Acquired {
    case process(HelperProcess, isNew: Bool)
    case missing
    case cancelled
  }

  /// A program that failed to start as often as this is not started again.
  private static let mostFailedStarts = 3

  private let state: Mutex<State>
  private let slots: DispatchSemaphore
  private let startDeadline: Duration

  init(program: String?, processes: Int, startDeadline: Duration) {
    state = Mutex(State(program: program, isSearched: program != nil))
    slots = DispatchSemaphore(value: max(1, processes))
    self.startDeadline = startDeadline
  }

  /// Waits until fewer callers are at work than there may be helpers.
  /// - Returns: false when the caller gave up; else it has to release its slot again.
  func acquireSlot(isCancelled: (() -> Bool)? = nil) -> Bool {
    guard let isCancelled else {
      slots.wait()
      return true
    }
    while slots.wait(timeout: .now() + .milliseconds(8)) == .timedOut {
      if isCancelled() { return false }
    }
    return true
  }

  func releaseSlot() {
    slots.signal()
  }

  /// An idle helper, or a new one.
  func acquire(isCancelled: (() -> Bool)? = nil) -> Acquired {
    let (idle, program) = state.withLock { state -> (HelperProcess?, String?) in
      if let process = state.idle.popLast() { return (process, nil) }
      if !state.isSearched {
        state.isSearched = true
        state.program = HelperProgram.find()
      }
      return (nil, state.program)
    }
    if idle == nil, program == nil { return .missing }
    let process = idle ?? program.flatMap { HelperProcess(program: $0) }
    switch process?.waitForGreeting(within: startDeadline, isCancelled: isCancelled) {
    case .helper:
      guard let process else { return .missing }
      state.withLock { $0.failures = 0 }
      return .process(process, isNew: idle == nil)
    case .cancelled:
      // It may greet the next caller.
      if let process { release(process) }
      return .cancelled
    case .stranger, nil:
      state.withLock { state in
        state.failures += 1
        if state.failures >= Self.mostFailedStarts { state.program = nil }
      }
      return .missing
    }
  }

  /// Keeps a helper that has answered everything.
  func release(_ process: HelperProcess) {
    state.withLock { $0.idle.append(process) }
  }
}
