/// What has gone through a ``FaultProxy``.
package struct ProxyCounters: Hashable, Sendable {
  /// Connections that were taken.
  package var connections = 0
  /// Requests; without HTTP how many times the client spoke after the server did, or first.
  package var requests = 0
  /// Requests whose answer was not passed on as it was.
  package var faults = 0
  /// Bytes that were handed to the server.
  package var bytesToServer = 0
  /// Bytes that were handed to the client's system; the client may not have read them all.
  package var bytesToClient = 0
}

/// A request that a ``FaultProxy`` has seen.
package struct ProxyRequest: Hashable, Sendable {
  /// The request line: "GET /a.jpg HTTP/1.1".
  package let line: String
  /// The bytes that were asked for: "bytes=0-65535".
  package let range: String?
  /// What happened to it.
  package let fault: Fault
}
