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
