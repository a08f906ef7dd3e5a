import Dispatch
import PickerRuntime
import Synchronization

/// A clock that goes on when somebody waits for it, and when a test says so.
final class TestClock: RuntimeClock {
  private struct State {
    var now: Duration = .seconds(1000)
    var timers: [(time: Duration, action: @Sendable () -> Void)] = []
    /// What happens while the next ones wait.
    var happenings: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  var now: Duration { state.withLock(\.now) }

  func call(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.timers.append(($0.now + delay, action)) }
  }

  /// Nobody really waits: either something happens at once, or it is the time that was waited for.
  func wait(for signal: DispatchSemaphore, until time: Duration) {
    if signal.wait(timeout: .now()) == .success { return }
    let happening = state.withLock { $0.happenings.isEmpty ? nil : $0.happenings.removeFirst() }
    if let happening { happening() } else { advance(to: time) }
  }

  /// Has something happen while somebody waits.
  func whileWaiting(_ happening: @escaping @Sendable () -> Void) {
    state.withLock { $0.happenings.append(happening) }
  }

  func advance(by time: Duration) { advance(to: now + time) }

  /// Calls what was to be called until then, in order.
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
