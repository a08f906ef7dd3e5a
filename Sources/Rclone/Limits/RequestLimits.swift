/// How much is asked of a server.
package struct RequestLimits: Hashable, Sendable {
  /// Requests a second; nil = as many as there are.
  package var requestsPerSecond: Double?
  /// Bytes of files a second, of all requests together; nil = as fast as they come.
  package var bytesPerSecond: Double?
  /// Requests under way at once.
  package var concurrentRequests: Int

  package init(
    requestsPerSecond: Double? = 50, bytesPerSecond: Double? = nil, concurrentRequests: Int = 16
  ) {
    self.requestsPerSecond = requestsPerSecond
    self.bytesPerSecond = bytesPerSecond
    self.concurrentRequests = max(1, concurrentRequests)
  }
}
