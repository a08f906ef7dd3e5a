import AssetLibrary

/// The selection of more assets than fit between two key presses, performed by the host off the run loop.
///
/// Equality is by generation.
package struct BulkSelection: Hashable, Sendable {
  let generation: Int
  /// The selection to start from.
  let base: Selection
  /// How many of its picks are kept.
  let keeping: Int
  let slice: Slice
  /// The generation of the query shown when it began, or when the bulk selection that it replaces began; 0 =
  /// none.
  let answeredGeneration: Int
  /// The assets that have vanished from the library since then.
  var vanished: Set<LocalIdentifier> = []

  /// A part of a fetch result to pick.
  struct Slice: Sendable {
    let answer: FetchResult<Asset>
    /// The indexes of the first and the last asset in picking order; `last` may be smaller.
    let first: Int
    let last: Int
    let acceptsLineBreaks: Bool
    let rules: PickRules

    var count: Int { abs(last - first) + 1 }

    /// Picks all selectable assets, up to the limit.
    /// - Returns: whether all of them were within the limit.
    func pick(into selection: inout Selection) -> Bool {
      let step = first <= last ? 1 : -1
      return selection.add((0..<count).lazy.map { first + step * $0 }, of: answer) { brief in
        !brief.isBroken && !brief.isDeleted && (acceptsLineBreaks || !brief.hasLineBreak)
          && rules.isFit(brief)
      }
    }
  }

  package static func == (a: BulkSelection, b: BulkSelection) -> Bool { a.generation == b.generation }

  package func hash(into hasher: inout Hasher) { hasher.combine(generation) }

  /// Computes the new selection, in up to a second for a million assets.
  package func perform() -> BulkSelectionResult {
    var selection = base
    selection.truncate(to: keeping)
    let isWhole = slice.pick(into: &selection)
    return BulkSelectionResult(generation: generation, selection: selection, isWhole: isWhole)
  }
}

/// The result of a bulk selection.
package struct BulkSelectionResult: Sendable {
  let generation: Int
  let selection: Selection
  /// Whether all assets were within the limit.
  let isWhole: Bool
}
