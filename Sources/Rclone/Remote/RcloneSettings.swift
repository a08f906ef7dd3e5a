/// How a remote is reached.
package struct RcloneSettings: Sendable {
  /// The path of rclone; nil has it looked for.
  package var program: String?
  /// A file with the only certificates that its servers may show (PEM); nil leaves it to the system's.
  package var caCertificate: String?
  package var limits: RequestLimits
  package var retries: RetryPolicy
  /// How long a file may go without a byte.
  ///
  /// Listings may take six times as long.
  package var patience: Duration
  /// Adds to an error what can be done: `CertificateTrust.settings`.
  var explain: (@Sendable (RcloneError) -> RcloneError)?

  package init(
    program: String? = nil, caCertificate: String? = nil, limits: RequestLimits = RequestLimits(),
    retries: RetryPolicy = RetryPolicy(), patience: Duration = .seconds(20)
  ) {
    self.program = program
    self.caCertificate = caCertificate
    self.limits = limits
    self.retries = retries
    self.patience = patience
  }
}
