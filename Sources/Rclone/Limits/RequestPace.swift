import Synchronization
import System

/// Limits the rates of requests and bytes across threads.
final class RequestPace: Sendable {
  private let requests: Mutex<TokenBucket?>
  private let bytes: Mutex<TokenBucket?>
  private let begin = ContinuousClock.now

  init(_ limits: RequestLimits) {
    requests = Mutex(limits.requestsPerSecond.map { TokenBucket(rate: $0, burst: max(1, $0)) })
    bytes = Mutex(limits.bytesPerSecond.map { TokenBucket(rate: $0, burst: $0) })
  }

  /// Waits until the rate limit permits another request.
  /// - Returns: false if cancelled.
  func waitForRequest(isCancelled: () -> Bool) -> Bool {
    let now = begin.duration(to: .now)
    return Self.wait(requests.withLock { $0?.take(1, at: now) } ?? .zero, isCancelled: isCancelled)
  }

  /// Waits until `count` received bytes fit the rate limit.
  /// - Returns: false if cancelled.
  func waitForBytes(_ count: Int, isCancelled: () -> Bool) -> Bool {
    let now = begin.duration(to: .now)
    guard let pause = bytes.withLock({ $0?.take(Double(count), at: now) }) else { return true }
    return Self.wait(pause, isCancelled: isCancelled)
  }

  /// - Returns: false if cancelled.
  static func wait(_ pause: Duration, isCancelled: () -> Bool) -> Bool {
    if isCancelled() { return false }
    return !Waiting.until(.now + pause, every: .milliseconds(50), isCancelled)
  }
}

/// A token bucket: limits the rate of requests or bytes, and allows bursts.
///
/// A value without a clock: callers pass the time since a fixed moment. The level may become negative: the
/// caller then waits until its tokens have been refilled, and later callers wait longer.
package struct TokenBucket: Hashable, Sendable {
  /// Refill rate in tokens per second, more than 0.
  private let rate: Double
  private let capacity: Double
  private var level: Double
  private var filled: Duration = .zero

  /// Creates a full bucket.
  /// - Parameters:
  ///   - rate: tokens per second.
  ///   - burst: the capacity in tokens.
  package init(rate: Double, burst: Double) {
    self.rate = max(rate, 1e-6)
    capacity = max(burst, 0)
    level = capacity
  }

  /// Takes tokens.
  /// - Parameter now: must not decrease between calls; an earlier time counts as the latest one.
  /// - Returns: how long to wait before using the tokens.
  package mutating func take(_ amount: Double, at now: Duration) -> Duration {
    if now > filled {
      level = min(capacity, level + (now - filled) / .seconds(1) * rate)
      filled = now
    }
    level -= amount
    return level >= 0 ? .zero : .seconds(-level / rate)
  }
}
