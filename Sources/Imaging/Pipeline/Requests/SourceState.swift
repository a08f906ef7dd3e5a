/// What is known of the file of a request before it is opened.
struct SourceState: Hashable, Sendable {
  /// Whether its bytes have to be downloaded first.
  var isRemote: Bool
  /// Whether a picture may be at hand that is coarser than the final one.
  var hasThumbnail: Bool
  /// Pixels in memory while the final picture is made.
  var cost: Int

  init(isRemote: Bool = false, hasThumbnail: Bool = false, cost: Int = 0) {
    self.isRemote = isRemote
    self.hasThumbnail = hasThumbnail
    self.cost = cost
  }
}
