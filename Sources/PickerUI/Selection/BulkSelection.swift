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

  /// A part of a fetch result that is to be picked.
  struct Slice: Sendable {
    let answer: FetchResult<Asset>
    /// The indexes of the first and the last asset in picking order; `last` may be smaller.
    let first: Int
    let last: Int
    let acceptsLineBreaks: Bool
    let requirements: PickerRequirements

    var count: Int { abs(last - first) + 1 }

    /// Picks all selectable assets, up to the limit.
    /// - Returns: whether all of them were within the limit.
    func pick(into selection: inout Selection) -> Bool {
      let step = first <= last ? 1 : -1
      return selection.add((0..<count).lazy.map { first + step * $0 }, of: answer) { brief in
        !brief.isBroken && (acceptsLineBreaks || !brief.hasLineBreak)
          && requirements.shortfall(of: brief) == nil
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

extension PickerState {
  /// Picks all selectable photos of a range, up to the limit: directly if they are few, else off the run
  /// loop.
  /// - Parameter keeping: how many of the earliest picks are kept; nil = all.
  mutating func selectInBulk(from first: Int, through last: Int, keeping: Int? = nil) -> [PickerEffect] {
    let slice = BulkSelection.Slice(
      answer: library.assets, first: first, last: last,
      acceptsLineBreaks: options.acceptsLineBreaks || authorization.mode == .managing,
      requirements: requirements)
    let kept = min(keeping ?? picks.selection.count, picks.selection.count)
    let most = limit > 0 ? min(slice.count, max(0, limit - kept)) : slice.count
    guard most > options.maximumSynchronousPicks else {
      let before = picks.selection.count
      let late = picks.bulk
      picks.bulk = nil
      picks.selection.truncate(to: kept)
      let effects = slice.pick(into: &picks.selection) ? [] : showLimitNotice(before: before, of: slice)
      return effects + (late.map { catchUp(after: $0) } ?? [])
    }
    picks.bulkGeneration += 1
    let bulk = BulkSelection(
      generation: picks.bulkGeneration, base: picks.selection, keeping: kept, slice: slice,
      answeredGeneration: picks.bulk?.answeredGeneration ?? library.answeredQuery?.generation ?? 0)
    picks.bulk = bulk
    return [.selectInBulk(bulk)]
  }

  /// Takes the result of a bulk selection; deferred messages can be handled then.
  mutating func endBulkSelection(with result: BulkSelectionResult) -> [PickerEffect] {
    guard let bulk = picks.bulk, bulk.generation == result.generation else { return [] }
    picks.bulk = nil
    let before = picks.selection.count
    picks.selection = result.selection
    if !bulk.vanished.isEmpty { picks.selection.keep { !bulk.vanished.contains($0) } }
    let effects = result.isWhole ? [] : showLimitNotice(before: before, of: bulk.slice)
    return effects + catchUp(after: bulk)
  }

  /// Makes up for fetch results that arrived during a bulk selection.
  ///
  /// They could neither add preselected or allowed assets nor tell which of the new picks have vanished.
  private mutating func catchUp(after bulk: BulkSelection) -> [PickerEffect] {
    if authorization.mode == .managing { selectAllowed() }
    return library.isFetching || library.answeredQuery?.generation ?? 0 != bulk.answeredGeneration
      ? refetch() : []
  }

  private mutating func showLimitNotice(before: Int, of slice: BulkSelection.Slice) -> [PickerEffect] {
    if picks.range != nil { return showNotice(limitMessage) }
    let added = options.locale.number(picks.selection.count - before)
    let all = options.locale.count(slice.answer.count, "photo", "photos")
    return showNotice("\(limitMessage): \(added) of \(all) here added")
  }

  /// Cancels the bulk selection and keeps the earlier picks.
  mutating func stopBulkSelection() -> [PickerEffect] {
    guard let bulk = picks.bulk else { return [] }
    picks.bulk = nil
    waiting.forget()
    cancelRange()
    return catchUp(after: bulk)
  }
}
