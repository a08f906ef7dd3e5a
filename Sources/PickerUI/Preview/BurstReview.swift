import AssetLibrary

/// The pictures of a burst, one of which is looked at in place of the one in the grid.
struct BurstReview: Hashable, Sendable {
  /// The one in the grid that stands for the others.
  var representative: LocalIdentifier
  /// In the order in which they were taken; empty until the library has answered.
  var members: [Asset] = []
  /// The one that is looked at.
  var index = 0
  /// Where the user wants to go from the representative, once it is known what there is.
  var step = 0

  /// From the last to the first, and back.
  mutating func move(by step: Int) {
    let count = max(1, members.count)
    index = ((index + step) % count + count) % count
  }
}
