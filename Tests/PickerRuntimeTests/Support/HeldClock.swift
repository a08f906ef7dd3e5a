import Dispatch
import PickerRuntime
import Synchronization

/// A clock that stands still until a test advances it.
final class HeldClock: RuntimeClock {
  private struct State {
    var now: Duration = .seconds(1000)
    var waiting: [DispatchSemaphore] = []
  }

  private let state = Mutex(State())
  private let waits: AsyncStream<Duration>
  private let wait: AsyncStream<Duration>.Continuation

  init() {
    (waits, wait) = AsyncStream.makeStream()
  }

  var now: Duration { state.withLock(\.now) }

  func call(after delay: Duration, _ action: @escaping @Sendable () -> Void) {}

  func wait(for signal: DispatchSemaphore, until time: Duration) {
    let left = state.withLock { state in
      if time > state.now { state.waiting.append(signal) }
      return time - state.now
    }
    guard left > .zero else { return }
    wait.yield(left)
    signal.wait()
  }

  /// Waits until a thread waits for the clock.
  /// - Returns: The requested duration.
  func nextWait() async -> Duration {
    for await left in waits { return left }
    return .zero
  }

  func advance(by time: Duration) {
    let waiting = state.withLock { state in
      state.now += time
      defer { state.waiting = [] }
      return state.waiting
    }
    for signal in waiting { signal.signal() }
  }
}
