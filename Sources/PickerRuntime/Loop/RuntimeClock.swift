package import Dispatch
import System

/// The runtime's clock: waiting and timers.
///
/// Tests provide their own. Safe to use from several threads.
package protocol RuntimeClock: Sendable {
  /// Time elapsed since a fixed moment.
  var now: Duration { get }

  /// Calls `action` once after a delay, on another thread.
  func call(after delay: Duration, _ action: @escaping @Sendable () -> Void)

  /// Waits for a signal until `time` at most; may also return early without either.
  func wait(for signal: DispatchSemaphore, until time: Duration)
}

/// The system's clock, which continues while the machine sleeps.
struct SystemClock: RuntimeClock {
  private static let start = ContinuousClock.now

  init() {}

  var now: Duration { Self.start.duration(to: .now) }

  func call(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
    WorkerThread.call(after: delay, action)
  }

  func wait(for signal: DispatchSemaphore, until time: Duration) {
    _ = signal.wait(timeout: .now() + (time - now).dispatched)
  }
}

extension Duration {
  /// The duration for Dispatch, which counts nanoseconds; 0 if negative.
  fileprivate var dispatched: DispatchTimeInterval {
    // More than a century would overflow.
    .nanoseconds(Int(max(.zero, min(self, .seconds(3_000_000_000))) / .nanoseconds(1)))
  }
}
