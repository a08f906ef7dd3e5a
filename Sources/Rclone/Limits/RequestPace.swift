import Synchronization
import System

/// Keeps the requests of many threads within limits.
final class RequestPace: Sendable {
  private let requests: Mutex<TokenBucket?>
  private let bytes: Mutex<TokenBucket?>
  private let begin = ContinuousClock.now

  init(_ limits: RequestLimits) {
    requests = Mutex(limits.requestsPerSecond.map { TokenBucket(rate: $0, burst: max(1, $0)) })
    bytes = Mutex(limits.bytesPerSecond.map { TokenBucket(rate: $0, burst: $0) })
  }

  /// Waits until another request may be made.
  /// - Returns: false where the caller gave up.
  func waitForRequest(isCancelled: () -> Bool) -> Bool {
    let now = begin.duration(to: .now)
    return Self.wait(requests.withLock { $0?.take(1, at: now) } ?? .zero, isCancelled: isCancelled)
  }

  /// Waits until so many bytes, which have come, may have come.
  /// - Returns: false where the caller gave up.
  func waitForBytes(_ count: Int, isCancelled: () -> Bool) -> Bool {
    let now = begin.duration(to: .now)
    guard let pause = bytes.withLock({ $0?.take(Double(count), at: now) }) else { return true }
    return Self.wait(pause, isCancelled: isCancelled)
  }

  /// - Returns: false where the caller gave up.
  static func wait(_ pause: Duration, isCancelled: () -> Bool) -> Bool {
    if isCancelled() { return false }
    return !Waiting.until(.now + pause, every: .milliseconds(50), isCancelled)
  }
}

/// How much may be done in a time, with a reserve for what comes at once: requests, or bytes.
///
/// A value without a clock: moments are told by how long after some fixed one they are. It may be overdrawn by one taker, who
/// waits until what it took is there; whoever comes then waits behind it.
package struct TokenBucket: Hashable, Sendable {
  /// Tokens that come back in a second; more than 0.
  private let rate: Double
  private let capacity: Double
  private var level: Double
  private var filled: Duration = .zero

  /// A full bucket.
  /// - Parameters:
  ///   - rate: tokens a second.
  ///   - burst: tokens that may be taken at once.
  package init(rate: Double, burst: Double) {
    self.rate = max(rate, 1e-6)
    capacity = max(burst, 0)
    level = capacity
  }

  /// Takes tokens.
  /// - Parameter now: never earlier than in the call before; one that is counts as the same moment.
  /// - Returns: how long to wait before doing what they are for.
  package mutating func take(_ amount: Double, at now: Duration) -> Duration {
    if now > filled {
      level = min(capacity, level + (now - filled) / .seconds(1) * rate)
      filled = now
    }
    level -= amount
    return level >= 0 ? .zero : .seconds(-level / rate)
  }
}
