/// Why something could not be had from a server, in words for users: no secrets, and nothing of a program's insides.
package struct RcloneError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable, CaseIterable {
    /// rclone is not installed.
    case programMissing
    case programTooOld
    /// The configuration has no remote of that name.
    case noSuchRemote
    case accessDenied
    case notFound
    /// Nobody answers, or the connection broke off.
    case unreachable
    case timedOut
    /// The server sends the whole file where a part was asked for.
    case rangeIgnored
    /// The server's certificate is not trusted.
    case certificate
    /// The file is not the one that was listed.
    case changed
    case cancelled
    case tooManyRequests
    case failed
  }

  package var kind: Kind
  /// What it happened to: a remote, or a place in it.
  package var subject: String
  package var reason: String

  package init(_ kind: Kind, _ subject: String, _ reason: String? = nil) {
    self.kind = kind
    self.subject = subject
    self.reason = reason ?? kind.words
  }

  /// Whether the same may succeed later without anybody doing anything.
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
  /// What is said where nothing more is known.
  var words: String {
    switch self {
    case .programMissing: "rclone is not installed: apt install rclone"
    case .programTooOld: "rclone is too old: \(RcloneProgram.oldest) or later is needed"
    case .noSuchRemote: "there is no such remote; rclone config makes one"
    case .accessDenied: "access denied: the server wants another user, password or key"
    case .notFound: "there is nothing of that name"
    case .unreachable: "the server can't be reached"
    case .timedOut: "the server does not answer in time"
    case .rangeIgnored: "the server sends whole files only, and no parts of them"
    case .certificate: "the server's certificate is not trusted"
    case .changed: "it was changed meanwhile"
    case .cancelled: "cancelled"
    case .tooManyRequests: "the server wants fewer requests; try again later"
    case .failed: "it failed"
    }
  }
}
