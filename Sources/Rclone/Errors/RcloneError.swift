/// Why a request to a server failed, worded for users: contains no secrets and no internals of rclone.
package struct RcloneError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable, CaseIterable {
    /// rclone is not installed.
    case programMissing
    case programTooOld
    /// The configuration has no remote with that name.
    case noSuchRemote
    case accessDenied
    case notFound
    /// The server did not respond, or the connection was interrupted.
    case unreachable
    case timedOut
    /// The server sent the whole file in response to a range request.
    case rangeIgnored
    /// The server's certificate is not trusted.
    case certificate
    /// The file is no longer the one that was listed.
    case changed
    case cancelled
    case tooManyRequests
    case failed
  }

  package var kind: Kind
  /// What the error concerns: a remote, or a path in it.
  package var subject: String
  package var reason: String

  package init(_ kind: Kind, _ subject: String, _ reason: String? = nil) {
    self.kind = kind
    self.subject = subject
    self.reason = reason ?? kind.words
  }

  /// Whether the same request may succeed later without any action by the user.
  package var isTransient: Bool {
    switch kind {
    case .unreachable, .timedOut, .tooManyRequests: true
    case .programMissing, .programTooOld, .noSuchRemote, .accessDenied, .notFound, .rangeIgnored,
      .certificate,
      .changed, .cancelled, .failed:
      false
    }
  }

  package var description: String { subject.isEmpty ? reason : "\(subject): \(reason)" }
}

extension RcloneError.Kind {
  /// The default reason.
  var words: String {
    switch self {
    case .programMissing: "rclone is not installed: apt install rclone"
    case .programTooOld: "rclone is too old: \(RcloneProgram.oldest) or later is needed"
    case .noSuchRemote: "no such remote; add it with rclone config"
    case .accessDenied: "access denied: check the user, password or key of the remote"
    case .notFound: "no such file or folder"
    case .unreachable: "the server can't be reached"
    case .timedOut: "the server did not respond in time"
    case .rangeIgnored: "the server sends only whole files, not parts of them"
    case .certificate: "the server's certificate is not trusted"
    case .changed: "it has changed since it was listed"
    case .cancelled: "cancelled"
    case .tooManyRequests: "the server received too many requests; try again later"
    case .failed: "the request failed"
    }
  }
}

extension RcloneError {
  /// Interprets an error message from rclone.
  /// - Parameters:
  ///   - text: rclone's message.
  ///   - status: the HTTP status of rclone's response.
  ///   - secrets: texts to remove from the message.
  init(text: String, status: Int, subject: String, hiding secrets: [String] = []) {
    let kind = Kind(text: text, status: status)
    let words = RcloneMessage.cleaned(text, hiding: secrets)
    switch kind {
    case .failed: self.init(kind, subject, words.isEmpty ? nil : words)
    case .unreachable, .certificate:
      let detail = RcloneMessage.cause(in: text, hiding: secrets)
      self.init(kind, subject, detail.isEmpty ? nil : "\(kind.words) (\(detail))")
    case .accessDenied where text.contains("config reconnect"):
      self.init(kind, subject, "access denied: log in again with rclone config reconnect \(subject)")
    default: self.init(kind, subject)
    }
  }
}

extension RcloneError.Kind {
  /// Maps phrases of rclone's backends and Go's libraries to kinds of errors.
  ///
  /// The first match wins.
  private static let phrases: [(kind: RcloneError.Kind, phrases: [String])] = [
    // SSH host key errors keep rclone's text, which users know from other programs.
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

  /// Classifies an error message from rclone.
  ///
  /// - Parameters:
  ///   - text: rclone's message.
  ///   - status: the HTTP status of rclone's response.
  init(text: String, status: Int) {
    let text = text.lowercased()
    if let found = Self.phrases.first(where: { $0.phrases.contains(where: text.contains) }) {
      self = found.kind
    } else {
      // rclone responds with 404 if something is missing, and with 500 for all errors of its backends.
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

/// Why one attempt of a request failed.
struct RequestFailure: Error {
  var error: RcloneError
  /// The delay the server asked for with Retry-After; nil if none.
  var wish: Duration?

  init(_ error: RcloneError, wish: Duration? = nil) {
    self.error = error
    self.wish = wish
  }
}

/// Prepares text from rclone for display.
enum RcloneMessage {
  private static let longest = 300

  /// Returns the first line without control characters and secrets, limited in length.
  /// - Parameter secrets: texts to remove.
  static func cleaned(_ text: String, hiding secrets: [String] = []) -> String {
    let line = text.drop { $0.isWhitespace }.prefix { !$0.isNewline }
    var words = String(
      String.UnicodeScalarView(
        line.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }))
    // Replace the longest first: a shorter secret may be part of a longer one.
    for secret in secrets.sorted(by: { $0.utf8.count > $1.utf8.count }) where !secret.isEmpty {
      words = replacing(secret, in: words)
    }
    words = withoutUsers(words)
    return words.count > longest ? words.prefix(longest) + "…" : words
  }

  /// Returns the innermost cause of a Go error chain, whose messages are joined by ": ", possibly over
  /// several lines.
  /// - Parameter secrets: texts to remove.
  static func cause(in text: String, hiding secrets: [String] = []) -> String {
    let lines = text.split(whereSeparator: \.isNewline).map { cleaned(String($0), hiding: secrets) }
    return lines.joined(separator: ": ").split(separator: ": ").last.map(String.init) ?? ""
  }

  private static func replacing(_ secret: String, in words: String) -> String {
    var (left, result) = (Array(words.utf8)[...], [UInt8]())
    let wanted = Array(secret.utf8)
    while let first = left.first {
      if left.starts(with: wanted) {
        result += Array("…".utf8)
        left = left.dropFirst(wanted.count)
      } else {
        result.append(first)
        left = left.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Removes user and password from URLs: "https://user:password@host/" becomes "https://host/".
  private static func withoutUsers(_ words: String) -> String {
    var (left, result) = (Array(words.utf8)[...], [UInt8]())
    let scheme = Array("://".utf8)
    while let first = left.first {
      guard left.starts(with: scheme) else {
        result.append(first)
        left = left.dropFirst()
        continue
      }
      result += scheme
      left = left.dropFirst(scheme.count)
      let authority = left.prefix { !" /?#\"'".utf8.contains($0) }
      if let at = authority.lastIndex(of: UInt8(ascii: "@")) { left = left[(at + 1)...] }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
