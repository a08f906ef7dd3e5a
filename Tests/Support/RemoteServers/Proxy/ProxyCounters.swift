/// Traffic counters of a ``FaultProxy``.
package struct ProxyCounters: Hashable, Sendable {
  /// Accepted connections.
  package var connections = 0
  /// Requests; without HTTP the number of times the client sent first, or after the server.
  package var requests = 0
  /// Requests whose answer was not forwarded unchanged.
  package var faults = 0
  /// Bytes sent to the server.
  package var bytesToServer = 0
  /// Bytes sent to the client's system; the client may not have read them all.
  package var bytesToClient = 0
}

/// A request seen by a ``FaultProxy``.
package struct ProxyRequest: Hashable, Sendable {
  /// The request line: "GET /a.jpg HTTP/1.1".
  package let line: String
  /// The requested bytes: "bytes=0-65535".
  package let range: String?
  /// The fault applied to it.
  package let fault: Fault
}
