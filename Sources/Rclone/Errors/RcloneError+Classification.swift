extension RcloneError {
  /// An error as rclone tells it.
  /// - Parameters:
  ///   - text: rclone's own words.
  ///   - status: of HTTP, by which rclone answers.
  ///   - secrets: what must not be read in the words.
  init(text: String, status: Int, subject: String, hiding secrets: [String] = []) {
    let kind = Kind(text: text, status: status)
    let words = EngineText.cleaned(text, hiding: secrets)
    switch kind {
    case .failed: self.init(kind, subject, words.isEmpty ? nil : words)
    case .unreachable, .certificate:
      let detail = EngineText.cause(in: text, hiding: secrets)
      self.init(kind, subject, detail.isEmpty ? nil : "\(kind.words) (\(detail))")
    case .accessDenied where text.contains("config reconnect"):
      self.init(kind, subject, "access denied: rclone config reconnect \(subject) asks for it again")
    default: self.init(kind, subject)
    }
  }
}

extension RcloneError.Kind {
  /// What rclone's words mean, which come from its backends and the libraries of Go; the first that fits counts.
  private static let phrases: [(kind: RcloneError.Kind, phrases: [String])] = [
    // Keys of SSH, which users know by other programs.
    (.failed, ["knownhosts:", "host key mismatch"]),
    (.programTooOld, ["couldn't find method"]),
    (.noSuchRemote, ["didn't find section in config file", "didn't find backend called"]),
    (
      .certificate,
      [
        "x509:", "certificate signed by unknown authority", "failed to verify certificate",
        "tls: failed to verify",
        "certificate is valid for",
      ]
    ),
    (
      .accessDenied,
      [
        "unable to authenticate", "ssh-agent", "401 unauthorized", "403 forbidden", "accessdenied",
        "access denied",
        "permission denied", "invalidaccesskeyid", "signaturedoesnotmatch", "530 login", "login incorrect",
        "invalid_grant", "invalid credentials", "not logged in", "authorization failed", "logon is invalid",
        "couldn't fetch token", "empty token found", "status code 401", "status code 403",
      ]
    ),
    (
      .tooManyRequests,
      [
        "429 too many requests", "too many requests", "toomanyrequests", "slowdown", "slow down",
        "ratelimitexceeded",
        "rate limit", "too_many_requests", "status code 429",
      ]
    ),
    (
      .notFound,
      [
        "directory not found", "object not found", "file not found", "404 not found",
        "no such file or directory",
        "nosuchbucket", "nosuchkey", "not a directory", "not a regular file", "file does not exist",
      ]
    ),
    (
      .timedOut,
      [
        "i/o timeout", "deadline exceeded", "timeout awaiting", "tls handshake timeout",
        "connection timed out",
        "client.timeout", "504 gateway time", "408 request timeout", "etimedout",
      ]
    ),
    (
      .unreachable,
      [
        "connection refused", "no such host", "couldn't connect", "no route to host",
        "network is unreachable",
        "host is down", "connection reset", "broken pipe", "unexpected eof", "server misbehaving",
        "temporary failure in name resolution", "use of closed network connection", "502 bad gateway",
        "503 service unavailable", "server closed", "connection lost", "handshake failed: eof", ": eof",
      ]
    ),
  ]

  /// - Parameters:
  ///   - text: rclone's own words.
  ///   - status: of HTTP, by which rclone answers.
  init(text: String, status: Int) {
    let text = text.lowercased()
    if let found = Self.phrases.first(where: { $0.phrases.contains(where: text.contains) }) {
      self = found.kind
    } else {
      // rclone itself answers 404 where something is missing, and 500 for all that its backends say.
      self =
        switch status {
        case 404: .notFound
        case 429: .tooManyRequests
        case 408, 504: .timedOut
        case 502, 503: .unreachable
        default: .failed
        }
    }
  }
}
