import AssetLibrary

/// The picking of more assets than can be picked between two keys: done by the host beside the run loop.
///
/// Two of them are equal where they have the same number.
package struct BulkSelection: Hashable, Sendable {
  let generation: Int
  /// What is picked before.
  let base: Selection
  /// How many of that stay.
  let keeping: Int
  let share: Share
  /// The number of the question whose answer was shown when it began, or when one began that it takes the place
  /// of; 0 = none.
  let answered: Int
  /// What has gone from the library since.
  var vanished: Set<LocalIdentifier> = []

  /// A part of an answer that is to be picked.
  struct Share: Sendable {
    let answer: FetchResult<Asset>
    /// The indexes of the first and of the last asset to be picked, in this order.
    let first: Int
    let last: Int
    let acceptsLineBreaks: Bool

    var count: Int { abs(last - first) + 1 }

    /// Picks what can be picked of it, up to the limit.
    /// - Returns: whether the limit let all of it in.
    func pick(into selection: inout Selection) -> Bool {
      let step = first <= last ? 1 : -1
      return selection.add((0..<count).lazy.map { first + step * $0 }, of: answer) { brief in
        !brief.isBroken && (acceptsLineBreaks || !brief.hasLineBreak)
      }
    }
  }

  package static func == (a: BulkSelection, b: BulkSelection) -> Bool { a.generation == b.generation }

  package func hash(into hasher: inout Hasher) { hasher.combine(generation) }

  /// Does it; takes up to a second for a million assets.
  package func perform() -> BulkSelectionResult {
    var selection = base
    selection.truncate(to: keeping)
    let isWhole = share.pick(into: &selection)
    return BulkSelectionResult(generation: generation, selection: selection, isWhole: isWhole)
  }
}

/// What became of a bulkSelection.
package struct BulkSelectionResult: Sendable {
  let generation: Int
  let selection: Selection
  /// Whether the limit let all of them in.
  let isWhole: Bool
}
