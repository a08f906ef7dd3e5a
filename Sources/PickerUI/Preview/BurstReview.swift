import AssetLibrary

/// The pictures of a burst, one of which replaces its representative in full screen.
struct BurstReview: Hashable, Sendable {
  /// The picture that represents the burst in the grid.
  var representative: LocalIdentifier
  /// The pictures in capture order; empty until the library has answered.
  var members: [Asset] = []
  /// The index of the picture shown.
  var index = 0
  /// The offset from the representative that the user requested before the pictures were known.
  var pendingStep = 0

  /// Moves by an offset, wrapping around at the ends.
  mutating func move(by step: Int) {
    let count = max(1, members.count)
    index = ((index + step) % count + count) % count
  }
}
