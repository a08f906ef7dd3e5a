/// What a ``FaultProxy`` does to an answer, or in place of one.
package enum Fault: Hashable, Sendable {
  /// Forwards the answer unchanged.
  case pass
  /// Closes the connection after a number of bytes of the answer, including its header.
  ///
  /// With `resets` it sends a reset (RST), on which the client may lose unread bytes.
  case cut(afterBytes: Int, resets: Bool = false)
  /// Sends nothing more after a number of bytes of the answer, and keeps the connection open.
  case stall(afterBytes: Int)
  /// Delays the beginning of the answer.
  case delay(milliseconds: Int)
  /// Limits the rate of this connection.
  case drip(bytesPerSecond: Int)
  /// Changes about one in `oneIn` bytes of the content, the first within the first `oneIn` bytes.
  case garble(oneIn: Int)
  /// HTTP: answers without contacting the server.
  case answer(status: Int, retryAfter: Int? = nil)
  /// HTTP: changes the stated content length, if the server states one; the connection ends after the answer.
  case contentLength(changedBy: Int)

  /// Whether it requires HTTP parsing.
  var needsHTTP: Bool {
    switch self {
    case .answer, .contentLength: true
    case .pass, .cut, .stall, .delay, .drip, .garble: false
    }
  }
}
