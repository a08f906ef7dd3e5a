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
