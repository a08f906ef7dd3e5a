import AssetLibrary

/// A request that waits for a piece of work.
struct RequestWaiter: Sendable {
  var priority: ImagePriority
  var delivery: ImageRequestOptions.DeliveryMode
  var allowsNetwork: Bool
  /// Whether it has its degraded picture already: another waiter may make the table ask for it again.
  var hasDegraded = false
}
