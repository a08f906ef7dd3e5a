import AssetLibrary

extension PickerState {
  /// Picks all photos from one to another that can be picked, up to the limit: at once where they are few, else
  /// beside the run loop.
  /// - Parameter keeping: how many of the picks stay, those that were picked first; nil = all of them.
  mutating func selectInBulk(from first: Int, through last: Int, keeping: Int? = nil) -> [PickerEffect] {
    let share = BulkSelection.Share(
      answer: library.assets, first: first, last: last,
      acceptsLineBreaks: options.acceptsLineBreaks || authorization.mode == .managing)
    let kept = min(keeping ?? picks.selection.count, picks.selection.count)
    let most = limit > 0 ? min(share.count, max(0, limit - kept)) : share.count
    guard most > options.mostAtOnce else {
      let before = picks.selection.count
      let late = picks.bulk
      picks.bulk = nil
      picks.selection.truncate(to: kept)
      let effects = share.pick(into: &picks.selection) ? [] : sayLimit(before: before, of: share)
      return effects + (late.map { catchUp(after: $0) } ?? [])
    }
    picks.bulkGeneration += 1
    let bulk = BulkSelection(
      generation: picks.bulkGeneration, base: picks.selection, keeping: kept, share: share,
      answered: picks.bulk?.answered ?? library.answered?.generation ?? 0)
    picks.bulk = bulk
    return [.selectInBulk(bulk)]
  }

  /// What was picked beside the run loop is picked; what had to wait for it can be done.
  mutating func endBulkSelection(with result: BulkSelectionResult) -> [PickerEffect] {
    guard let bulk = picks.bulk, bulk.generation == result.generation else { return [] }
    picks.bulk = nil
    let before = picks.selection.count
    picks.selection = result.selection
    if !bulk.vanished.isEmpty { picks.selection.keep { !bulk.vanished.contains($0) } }
    let effects = result.isWhole ? [] : sayLimit(before: before, of: bulk.share)
    return effects + catchUp(after: bulk)
  }

  /// Does what the answers that came meanwhile have left undone: what they had found was not picked, and nobody
  /// knew of what was being picked whether it is still there.
  private mutating func catchUp(after bulk: BulkSelection) -> [PickerEffect] {
    if authorization.mode == .managing { markAllowed() }
    return library.isFetching || library.answered?.generation ?? 0 != bulk.answered ? refetch() : []
  }

  private mutating func sayLimit(before: Int, of share: BulkSelection.Share) -> [PickerEffect] {
    if picks.range != nil { return say(limitWords) }
    let added = options.locale.number(picks.selection.count - before)
    let all = options.locale.count(share.answer.count, "photo", "photos")
    return say("\(limitWords): \(added) of \(all) here added")
  }

  /// Gives up what is being picked; what was picked before stays.
  mutating func stopBulkSelection() -> [PickerEffect] {
    guard let bulk = picks.bulk else { return [] }
    picks.bulk = nil
    picks.deferred = []
    dropRange()
    return catchUp(after: bulk)
  }

  // MARK: Waiting

  /// Whether a key ends the picking that goes on beside the run loop.
  func isGivenUp(by key: Key) -> Bool {
    picks.bulk != nil && page == .library && input.overlay == nil && input.prompt == nil
      && options.bindings.command(for: key) == .close
  }

  /// Keeps back what would be done to a selection that is still being made, and all that comes after it.
  mutating func defers(_ key: Key) -> Bool {
    guard picks.bulk != nil, page == .library else { return false }
    let command = options.bindings.command(for: key)
    if command == .redraw || command == .suspend || key == .control("c") && command == .cancel {
      return false
    }
    let isTyped = input.overlay != nil || input.prompt != nil
    // After others that wait it may be a letter of what they have begun to type.
    if !isTyped, command == .cancel, picks.deferred.isEmpty { return false }
    let changing: Set<Command> = [
      .toggle, .confirm, .selectAll, .unselectAll, .range, .review, .moveEarlier, .moveLater, .manageAccess,
    ]
    let changes = !isTyped && (picks.range != nil || command.map(changing.contains) ?? false)
    guard changes || !picks.deferred.isEmpty else { return false }
    picks.deferred.append(.key(key))
    return true
  }

  mutating func defers(_ message: PickerMessage) -> Bool {
    guard picks.bulk != nil, page == .library else { return false }
    if case .mouse(let event) = message, event.action == .wheelUp || event.action == .wheelDown,
      picks.range == nil,
      picks.deferred.isEmpty
    {
      return false
    }
    picks.deferred.append(message)
    return true
  }
}
