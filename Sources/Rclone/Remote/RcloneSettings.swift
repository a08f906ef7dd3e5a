/// How a remote is reached.
package struct RcloneSettings: Sendable {
  /// The path of rclone; nil has it looked for.
  package var program: String?
  /// A file with the only certificates that its servers may show (PEM); nil leaves it to the system's.
  package var caCertificate: String?
  package var limits: RequestLimits
  package var retries: RetryPolicy
  /// How long a file may go without a byte, and a server without any answer before it is given up.
  package var patience: Duration
  /// How long a connection to the server may take.
  package var connectTimeout: Duration = .seconds(10)
  /// How long a server may be silent before it answers: some take long to list a large folder.
  package var answerTimeout: Duration = .seconds(30)
  /// After how long a server that was given up is asked again, the first time; nil = never.
  package var recovery: Duration?
  /// Adds to an error what can be done: `CertificateTrust.settings`.
  var explain: (@Sendable (RcloneError) -> RcloneError)?

  package init(
    program: String? = nil, caCertificate: String? = nil, limits: RequestLimits = RequestLimits(),
    retries: RetryPolicy = RetryPolicy(), patience: Duration = .seconds(15), recovery: Duration? = nil
  ) {
    self.program = program
    self.caCertificate = caCertificate
    self.limits = limits
    self.retries = retries
    self.patience = patience
    self.recovery = recovery
  }

  /// Has the connection, answers and bytes of files wait no longer than this, in whole seconds.
  package mutating func setTimeout(_ timeout: Duration) {
    (patience, connectTimeout, answerTimeout) = (timeout, timeout, timeout)
  }
}

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

/// How much is asked of a server.
package struct RequestLimits: Hashable, Sendable {
  /// Requests a second; nil = as many as there are.
  package var requestsPerSecond: Double?
  /// Bytes of files a second, of all requests together; nil = as fast as they come.
  package var bytesPerSecond: Double?
  /// Requests under way at once.
  package var concurrentRequests: Int

  package init(
    requestsPerSecond: Double? = 50, bytesPerSecond: Double? = nil, concurrentRequests: Int = 16
  ) {
    self.requestsPerSecond = requestsPerSecond
    self.bytesPerSecond = bytesPerSecond
    self.concurrentRequests = max(1, concurrentRequests)
  }
}
