/// When what failed is tried again: after pauses that grow, of a length left to chance, so that many who failed together do not
/// come back together ("full jitter", https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
package struct RetryPolicy: Hashable, Sendable {
  /// Tries in all.
  package var tries: Int
  /// The longest that the pause after the first failure can be; each further one can be twice as long.
  package var firstPause: Duration
  /// The longest pause.
  package var longestPause: Duration
  /// The longest that a server is let say when to come back (Retry-After); who says more is not asked again.
  package var longestWish: Duration

  package init(
    tries: Int = 4, firstPause: Duration = .milliseconds(250), longestPause: Duration = .seconds(8),
    longestWish: Duration = .seconds(30)
  ) {
    self.tries = tries
    self.firstPause = firstPause
    self.longestPause = longestPause
    self.longestWish = longestWish
  }

  /// The pause before the next try.
  /// - Parameters:
  ///   - failures: how many tries have failed, one after the other.
  ///   - wish: how long the server wants to be left alone; nil where it does not say.
  /// - Returns: nil where there is no next try.
  package func pause(
    afterFailures failures: Int, isTransient: Bool, wish: Duration? = nil,
    using generator: inout some RandomNumberGenerator
  ) -> Duration? {
    guard isTransient, failures >= 1, failures < tries, wish ?? .zero <= longestWish else { return nil }
    let doublings = min(failures - 1, 30)
    let longest = min(longestPause, firstPause * (1 << doublings))
    let pause = longest * Double.random(in: 0...1, using: &generator)
    return max(pause, wish ?? .zero)
  }
}
