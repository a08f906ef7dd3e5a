package import Dispatch
import System

/// The time that the runtime goes by: what it waits for, and when it is called again.
///
/// Tests bring their own. Safe from several threads.
package protocol RuntimeClock: Sendable {
  /// The time since any fixed moment.
  var now: Duration { get }

  /// Calls `action` once after a while, on another thread.
  func call(after delay: Duration, _ action: @escaping @Sendable () -> Void)

  /// Waits for a signal until a time at most; a wait may also end early without either.
  func wait(for signal: DispatchSemaphore, until time: Duration)
}

/// The clock of the system, which goes on while the machine sleeps.
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
  /// The same for Dispatch, which counts nanoseconds; 0 where it is negative.
  fileprivate var dispatched: DispatchTimeInterval {
    // More than a century would not fit.
    .nanoseconds(Int(max(.zero, min(self, .seconds(3_000_000_000))) / .nanoseconds(1)))
  }
}
