extension RcloneRemote {
  /// Longer answers are refused: a folder of a million files takes less.
  private static let longestAnswer = 384 << 20
  /// What is kept of an answer that says what went wrong.
  static let longestError = 1 << 16

  /// One try of a command.
  func call(
    _ command: String, _ body: [UInt8], _ path: String, _ daemon: RcloneDaemon, _ session: HTTPSession,
    isCancelled: () -> Bool
  ) throws(RequestFailure) -> [UInt8] {
    let request = HTTPRequest(
      url: "\(daemon.address)/\(command)", user: RcloneDaemon.user, password: daemon.password, body: body,
      // rclone says nothing before it has all of a listing, and notices itself that the server is silent.
      idleTimeout: max(.seconds(120), settings.answerTimeout * 4))
    var answer: [UInt8] = []
    var isTooLong = false
    let result = session.perform(request, isCancelled: isCancelled) { head, bytes in
      isTooLong = answer.count + bytes.count > (head.status == 200 ? Self.longestAnswer : Self.longestError)
      if !isTooLong { answer += bytes }
      return !isTooLong
    }
    if isTooLong {
      throw RequestFailure(RcloneError(.failed, name(of: path), "the answer is too long"))
    }
    if let failure = failure(of: result, path, daemon) { throw failure }
    guard result.head.status == 200 else { throw failure(in: answer, result.head, path) }
    return answer
  }

  /// Why there is no whole answer; nil where there is one.
  func failure(of result: HTTPSession.Result, _ path: String, _ daemon: RcloneDaemon) -> RequestFailure? {
    let subject = name(of: path)
    switch result.ending {
    case .answered, .stopped: return nil
    case .cancelled: return RequestFailure(RcloneError(.cancelled, subject))
    case .unreachable:
      keeper.lost(daemon, isHopeless: true)
      return RequestFailure(RcloneError(.unreachable, subject, "rclone is gone"))
    case .timedOut:
      keeper.lost(daemon, isHopeless: false)
      return RequestFailure(RcloneError(.timedOut, subject))
    case .brokenOff:
      keeper.lost(daemon, isHopeless: false)
      return RequestFailure(RcloneError(.unreachable, subject, "the connection broke off"))
    case .failed:
      keeper.lost(daemon, isHopeless: false)
      return RequestFailure(RcloneError(.failed, subject, EngineText.cleaned(result.reason)))
    }
  }

  /// What an answer of rclone says went wrong.
  func failure(in answer: [UInt8], _ head: HTTPHead, _ path: String) -> RequestFailure {
    // rclone itself is asked with the right password: what it does not know is a command.
    let told = try? decoded(ErrorAnswer.self, from: answer, path)
    let text = told?.error ?? String(decoding: answer, as: UTF8.self)
    let error = RcloneError(
      text: text, status: head.status, subject: name(of: path), hiding: secrets)
    return RequestFailure(error, wish: head.retryAfter)
  }
}
