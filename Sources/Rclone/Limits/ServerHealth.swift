/// A circuit breaker: after consecutive connection failures, the server is considered down, and requests to
/// it fail at once.
///
/// A value without a clock: callers pass the time since a fixed moment. Any response of the server, including
/// errors, and each byte of a file reset the failures.
struct ServerHealth: Hashable, Sendable {
  /// The server is considered down after this many consecutive requests failed in spite of all retries.
  private static let mostRequests = 3
  /// It is also considered down after this many consecutive failed attempts if it was silent for `patience`,
  /// or after one if it was silent for twice as long.
  private static let mostTries = 2
  /// The longest pause before a server that is down is tried again.
  private static let longestPause: Duration = .seconds(60)

  private let patience: Duration
  private let firstPause: Duration?
  private var failedRequests = 0
  private var failedTries = 0
  /// The start of the silence; nil while no attempt has failed.
  private var silentSince: Duration?
  private var lastAnswer: Duration = .zero
  private var pauses = 0
  /// Until when no requests are sent; nil = requests are allowed.
  private var rest: Rest?

  private enum Rest: Hashable {
    case until(Duration)
    case forGood
  }

  /// - Parameters:
  ///   - patience: how long the server may be silent.
  ///   - firstPause: the first pause before a server that is down is tried again; nil = never.
  init(patience: Duration, firstPause: Duration?) {
    (self.patience, self.firstPause) = (patience, firstPause)
  }

  /// Whether the server is considered down.
  ///
  /// Individual requests may still probe it.
  var isGivenUp: Bool { rest != nil }

  /// Whether a request may be sent now.
  ///
  /// After each pause, one request is admitted as a probe.
  mutating func admits(at now: Duration) -> Bool {
    switch rest {
    case nil: return true
    case .forGood: return false
    case .until(let end):
      guard now >= end else { return false }
      beginPause(at: now)
      return true
    }
  }

  /// Records a response or bytes from the server.
  mutating func didAnswer(at now: Duration) {
    lastAnswer = now
    guard silentSince != nil || rest != nil else { return }
    revive()
  }

  /// Records an attempt that failed because of the connection.
  /// - Parameters:
  ///   - began: the start of the attempt.
  ///   - isLast: whether the request will not be retried.
  mutating func didFail(began: Duration, at now: Duration, isLast: Bool) {
    failedTries += 1
    if isLast { failedRequests += 1 }
    let since = silentSince ?? max(began, lastAnswer)
    silentSince = since
    let silence = now - since
    let isSilent = silence >= patience * 2 || silence >= patience && failedTries >= Self.mostTries
    if rest == nil, isSilent || failedRequests >= Self.mostRequests { beginPause(at: now) }
  }

  /// Allows requests at once.
  mutating func revive() {
    (failedRequests, failedTries, silentSince, pauses, rest) = (0, 0, nil, 0, nil)
  }

  private mutating func beginPause(at now: Duration) {
    guard let firstPause else {
      rest = .forGood
      return
    }
    rest = .until(now + min(Self.longestPause, firstPause * (1 << min(pauses, 6))))
    pauses += 1
  }
}
