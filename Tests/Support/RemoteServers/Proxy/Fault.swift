/// What a ``FaultProxy`` does to an answer, or in place of one.
package enum Fault: Hashable, Sendable {
  /// Nothing.
  case pass
  /// Ends the connection after so many bytes of the answer, its head among them.
  ///
  /// With `resets` by a reset (RST), on which the client may lose what it has not read.
  case cut(afterBytes: Int, resets: Bool = false)
  /// Says nothing more after so many bytes of the answer, and leaves the connection open.
  case stall(afterBytes: Int)
  /// Begins the answer so much later.
  case delay(milliseconds: Int)
  /// Sends no more than so many bytes a second, on this connection.
  case drip(bytesPerSecond: Int)
  /// Changes about one in so many bytes of the content, the first among the first so many.
  case garble(oneIn: Int)
  /// HTTP: answers without asking the server.
  case answer(status: Int, retryAfter: Int? = nil)
  /// HTTP: says another length than the content has, where the server says one; the connection ends after the answer.
  case contentLength(changedBy: Int)

  /// Whether it needs to know where requests begin and end.
  var needsHTTP: Bool {
    switch self {
    case .answer, .contentLength: true
    case .pass, .cut, .stall, .delay, .drip, .garble: false
    }
  }
}
