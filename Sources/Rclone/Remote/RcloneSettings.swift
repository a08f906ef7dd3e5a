/// Settings for connections to a remote.
package struct RcloneSettings: Sendable {
  /// The path of rclone; nil = search for it.
  package var program: String?
  /// A PEM file with the only certificates accepted from the remote's servers; nil = the system's CA
  /// certificates.
  package var caCertificate: String?
  package var limits: RequestLimits
  package var retries: RetryPolicy
  /// The maximum time without a byte while a file is read, and the maximum silence before a server is
  /// considered down.
  package var patience: Duration
  /// The timeout for connecting to the server.
  package var connectTimeout: Duration = .seconds(10)
  /// The timeout for a response: some servers need long to list a large folder.
  package var answerTimeout: Duration = .seconds(30)
  /// The first pause before a server that is down is tried again; nil = never.
  package var recovery: Duration?
  /// Adds to an error what the user can do about it: `CertificateTrust.settings`.
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

  /// Sets the timeouts for connections, responses and bytes of files; rounded down to whole seconds.
  package mutating func setTimeout(_ timeout: Duration) {
    (patience, connectTimeout, answerTimeout) = (timeout, timeout, timeout)
  }
}

/// Exponential backoff with full jitter: random pauses keep clients that failed together from retrying
/// together (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
package struct RetryPolicy: Hashable, Sendable {
  /// The maximum number of attempts.
  package var tries: Int
  /// The upper bound of the pause after the first failure; it doubles with each further one.
  package var firstPause: Duration
  /// The upper bound of all pauses.
  package var longestPause: Duration
  /// The longest Retry-After that is respected; if a server asks for more, the request is not retried.
  package var longestRetryAfter: Duration

  package init(
    tries: Int = 4, firstPause: Duration = .milliseconds(250), longestPause: Duration = .seconds(8),
    longestRetryAfter: Duration = .seconds(30)
  ) {
    self.tries = tries
    self.firstPause = firstPause
    self.longestPause = longestPause
    self.longestRetryAfter = longestRetryAfter
  }

  /// Returns the pause before the next attempt.
  /// - Parameters:
  ///   - failures: the number of consecutive failed attempts.
  ///   - wish: the delay the server asked for; nil if none.
  /// - Returns: nil if the request must not be retried.
  package func pause(
    afterFailures failures: Int, isTransient: Bool, wish: Duration? = nil,
    using generator: inout some RandomNumberGenerator
  ) -> Duration? {
    guard isTransient, failures >= 1, failures < tries, wish ?? .zero <= longestRetryAfter else { return nil }
    let doublings = min(failures - 1, 30)
    let longest = min(longestPause, firstPause * (1 << doublings))
    let pause = longest * Double.random(in: 0...1, using: &generator)
    return max(pause, wish ?? .zero)
  }
}

/// Limits on requests to a server.
package struct RequestLimits: Hashable, Sendable {
  /// Requests per second; nil = unlimited.
  package var requestsPerSecond: Double?
  /// Bytes of files per second, for all requests together; nil = unlimited.
  package var bytesPerSecond: Double?
  /// The maximum number of concurrent requests.
  package var concurrentRequests: Int

  package init(
    requestsPerSecond: Double? = 50, bytesPerSecond: Double? = nil, concurrentRequests: Int = 16
  ) {
    self.requestsPerSecond = requestsPerSecond
    self.bytesPerSecond = bytesPerSecond
    self.concurrentRequests = max(1, concurrentRequests)
  }
}
