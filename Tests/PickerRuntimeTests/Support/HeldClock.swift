import Dispatch
import PickerRuntime
import Synchronization

/// A clock that stands still until a test advances it.
final class HeldClock: RuntimeClock {
  private struct State {
    var now: Duration = .seconds(1000)
    var waiting: [DispatchSemaphore] = []
  }

  /// A wait of a thread: when it began, and how long it is to last.
  private struct Wait: Sendable {
    var began: Duration
    var left: Duration
  }

  private let state = Mutex(State())
  private let waits: AsyncStream<Wait>
  private let wait: AsyncStream<Wait>.Continuation

  init() {
    (waits, wait) = AsyncStream.makeStream()
  }

  var now: Duration { state.withLock(\.now) }

  func call(after delay: Duration, _ action: @escaping @Sendable () -> Void) {}

  func wait(for signal: DispatchSemaphore, until time: Duration) {
    let began = state.withLock { state -> Duration? in
      guard time > state.now else { return nil }
      state.waiting.append(signal)
      return state.now
    }
    guard let began else { return }
    wait.yield(Wait(began: began, left: time - began))
    signal.wait()
  }

  /// Waits until a thread waits for the clock at its current time.
  ///
  /// A thread that is signalled waits again for the same time: what is left of such waits when the clock has been
  /// advanced says nothing about the next one.
  /// - Returns: The requested duration.
  func nextWait() async -> Duration {
    for await wait in waits where wait.began == now { return wait.left }
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
