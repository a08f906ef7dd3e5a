/// An HTTP/1.1 connection: consecutive requests, each with its fault.
final class HTTPConnection: ProxyConnection {
  /// A request and its answer.
  private struct Exchange {
    var shaper: AnswerShaper
    let head: HTTPHead
    var hasRequestEnded = false
    var hasAnswerEnded = false
    /// Whether the server is not contacted.
    let isAnswered: Bool
    /// Whether the connection ends after it.
    var endsConnection = false
  }

  private var requests = HTTPFraming(.requests)
  private var answers = HTTPFraming(.answers)
  private var exchange: Exchange?

  override func pass() {
    while !isStalled, ending == .none {
      if exchange == nil, !begin() { return }
      let hasRead = passRequest()
      let hasAnswered = passAnswer()
      if let exchange, exchange.hasAnswerEnded, exchange.hasRequestEnded || exchange.endsConnection {
        if exchange.endsConnection { ending = .closed }
        self.exchange = nil
      } else if !hasRead, !hasAnswered {
        return
      }
    }
  }

  /// Starts the next request, if there is one.
  private func begin() -> Bool {
    guard let piece = requests.next(&fromClient) else { return false }
    guard case .head(let head) = piece else {
      // No HTTP.
      ending = .reset
      return false
    }
    let (shaper, _) = state.decide(on: head)
    state.count {
      $0.requests += 1
      if shaper.fault != .pass { $0.faults += 1 }
    }
    limit(to: shaper.fault)
    answers.answersHead = head.method == "HEAD"
    if case .answer(let status, let retryAfter) = shaper.fault {
      var exchange = Exchange(shaper: shaper, head: head, hasAnswerEnded: true, isAnswered: true)
      exchange.endsConnection = head.wantsClose
      self.exchange = exchange
      sendToClient(Self.answer(to: head, status: status, retryAfter: retryAfter))
    } else {
      exchange = Exchange(shaper: shaper, head: head, isAnswered: false)
      connect()
      sendToServer(head.bytes)
    }
    return true
  }

  private func passRequest() -> Bool {
    guard var exchange, !exchange.hasRequestEnded, let piece = requests.next(&fromClient) else {
      return false
    }
    switch piece {
    case .head: preconditionFailure("a request has one head")
    case .body(let bytes), .framing(let bytes): if !exchange.isAnswered { sendToServer(bytes) }
    case .end: exchange.hasRequestEnded = true
    }
    self.exchange = exchange
    return true
  }

  private func passAnswer() -> Bool {
    guard var exchange, !exchange.hasAnswerEnded else { return false }
    guard let piece = answers.next(&fromServer) ?? (hasServerEnded ? answers.close() : nil) else {
      return false
    }
    let delay = exchange.shaper.delay()
    switch piece {
    case .head(let head):
      let shaped = exchange.shaper.shape(head)
      if shaped != head { exchange.endsConnection = true }
      send(shaped.bytes, &exchange, isContent: false, later: delay)
    case .body(let bytes): send(bytes, &exchange, isContent: true, later: delay)
    case .framing(let bytes): send(bytes, &exchange, isContent: false, later: delay)
    case .end: exchange.hasAnswerEnded = true
    }
    self.exchange = exchange
    return true
  }

  private func send(_ bytes: [UInt8], _ exchange: inout Exchange, isContent: Bool, later: UInt64) {
    var bytes = bytes
    let outcome = exchange.shaper.shape(&bytes, isContent: isContent)
    sendToClient(bytes, later: later)
    switch outcome {
    case .goesOn: break
    case .stalls: isStalled = true
    case .ends(let resets): ending = resets ? .reset : .closed
    }
  }

  /// An answer that does not come from the server.
  private static func answer(to request: HTTPHead, status: Int, retryAfter: Int?) -> [UInt8] {
    let content = Array("an answer for a test\n".utf8)
    let head = HTTPHead(
      lines: [
        "HTTP/1.1 \(status) Fault", "Content-Type: text/plain", "Content-Length: \(content.count)",
      ] + (retryAfter.map { ["Retry-After: \($0)"] } ?? [])
        + (request.wantsClose ? ["Connection: close"] : []))
    return head.bytes + (request.method == "HEAD" ? [] : content)
  }
}
