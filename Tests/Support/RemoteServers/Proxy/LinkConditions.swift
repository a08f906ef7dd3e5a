/// How slow and how far away the server is, for all connections together.
package struct LinkConditions: Hashable, Sendable {
  /// How much later what the server says arrives: a round trip, for each request.
  package var latencyMilliseconds: Int
  /// How many bits a second come from the server on all connections together; `nil`: as many as there are.
  package var bitsPerSecond: Int?

  package init(latencyMilliseconds: Int = 0, bitsPerSecond: Int? = nil) {
    self.latencyMilliseconds = latencyMilliseconds
    self.bitsPerSecond = bitsPerSecond
  }
}
