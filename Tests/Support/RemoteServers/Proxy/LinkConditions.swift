/// The latency and rate of the server, shared by all connections.
package struct LinkConditions: Hashable, Sendable {
  /// The delay of the server's answers: a round trip for each request.
  package var latencyMilliseconds: Int
  /// The rate from the server in bits per second, shared by all connections; `nil`: unlimited.
  package var bitsPerSecond: Int?

  package init(latencyMilliseconds: Int = 0, bitsPerSecond: Int? = nil) {
    self.latencyMilliseconds = latencyMilliseconds
    self.bitsPerSecond = bitsPerSecond
  }
}
