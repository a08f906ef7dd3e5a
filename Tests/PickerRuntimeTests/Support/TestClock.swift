import Dispatch
import PickerRuntime
import Synchronization

/// A clock that advances when a thread waits for it, or on a test's command.
final class TestClock: RuntimeClock {
  private struct State {
    var now: Duration = .seconds(1000)
    var timers: [(time: Duration, action: @Sendable () -> Void)] = []
    /// Actions to run during the next waits.
    var happenings: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  var now: Duration { state.withLock(\.now) }

  func call(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.timers.append(($0.now + delay, action)) }
  }

  /// No thread really waits: either an action runs at once, or the time advances.
  func wait(for signal: DispatchSemaphore, until time: Duration) {
    if signal.wait(timeout: .now()) == .success { return }
    let happening = state.withLock { $0.happenings.isEmpty ? nil : $0.happenings.removeFirst() }
    if let happening { happening() } else { advance(to: time) }
  }

  /// Runs an action during the next wait.
  func whileWaiting(_ happening: @escaping @Sendable () -> Void) {
    state.withLock { $0.happenings.append(happening) }
  }

  func advance(by time: Duration) { advance(to: now + time) }

  /// Runs the callbacks due until then, in order.
  private func advance(to time: Duration) {
    while let action = next(until: time) { action() }
    state.withLock { $0.now = max($0.now, time) }
  }

  private func next(until time: Duration) -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard let index = state.timers.indices.min(by: { state.timers[$0].time < state.timers[$1].time }),
        state.timers[index].time <= time
      else { return nil }
      let timer = state.timers.remove(at: index)
      state.now = max(state.now, timer.time)
      return timer.action
    }
  }
}
