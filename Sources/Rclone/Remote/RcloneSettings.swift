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
