/// Whether a server is worth asking: after failures of its connection in a row it is given up, and what is asked of it
/// fails at once.
///
/// A value without a clock: moments are told by how long after some fixed one they are. An answer of the server, whatever
/// it says, and each byte of a file end the row.
struct ServerHealth: Hashable, Sendable {
  /// Requests in a row that failed with all of their tries.
  private static let mostRequests = 3
  /// Tries in a row that failed, where the server was silent for as long as it may be.
  private static let mostTries = 2
  /// The longest pause before a server that was given up is asked again.
  private static let longestPause: Duration = .seconds(60)

  private let patience: Duration
  private let firstPause: Duration?
  private var failedRequests = 0
  private var failedTries = 0
  /// Since when nothing came; nil while no try failed.
  private var silentSince: Duration?
  private var lastAnswer: Duration = .zero
  private var pauses = 0
  /// Until when the server is not asked; nil = it is asked.
  private var rest: Rest?

  private enum Rest: Hashable {
    case until(Duration)
    case forGood
  }

  /// - Parameters:
  ///   - patience: how long the server may be silent.
  ///   - firstPause: after how long one that was given up is asked again, the first time; nil = never.
  init(patience: Duration, firstPause: Duration?) {
    (self.patience, self.firstPause) = (patience, firstPause)
  }

  /// Whether the server is given up, whoever may look again whether it is back.
  var isGivenUp: Bool { rest != nil }

  /// Whether it may be asked now.
  ///
  /// After each pause one request may, which finds out whether the server is back.
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

  /// Notes that something came from the server.
  mutating func didAnswer(at now: Duration) {
    lastAnswer = now
    guard silentSince != nil || rest != nil else { return }
    revive()
  }

  /// Notes that a try came to nothing, because of the connection.
  /// - Parameters:
  ///   - began: when the try began.
  ///   - isLast: whether its request is not tried again.
  mutating func didFail(began: Duration, at now: Duration, isLast: Bool) {
    failedTries += 1
    if isLast { failedRequests += 1 }
    let since = silentSince ?? max(began, lastAnswer)
    silentSince = since
    let silence = now - since
    let isSilent = silence >= patience * 2 || silence >= patience && failedTries >= Self.mostTries
    if rest == nil, isSilent || failedRequests >= Self.mostRequests { beginPause(at: now) }
  }

  /// Has it asked again at once.
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
