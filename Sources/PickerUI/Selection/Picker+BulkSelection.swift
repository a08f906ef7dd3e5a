import AssetLibrary

extension PickerState {
  /// Picks all photos from one to another that can be picked, up to the limit: at once where they are few, else
  /// beside the run loop.
  /// - Parameter keeping: how many of the picks stay, those that were picked first; nil = all of them.
  mutating func selectInBulk(from first: Int, through last: Int, keeping: Int? = nil) -> [PickerEffect] {
    let share = BulkSelection.Share(
      answer: assets, first: first, last: last,
      acceptsLineBreaks: options.acceptsLineBreaks || mode == .managing)
    let kept = min(keeping ?? selection.count, selection.count)
    let most = limit > 0 ? min(share.count, max(0, limit - kept)) : share.count
    guard most > options.mostAtOnce else {
      let before = selection.count
      let late = bulkSelection
      bulkSelection = nil
      selection.truncate(to: kept)
      let effects = share.pick(into: &selection) ? [] : sayLimit(before: before, of: share)
      return effects + (late.map { catchUp(after: $0) } ?? [])
    }
    bulkSelectionGeneration += 1
    let bulkSelection = BulkSelection(
      generation: bulkSelectionGeneration, base: selection, keeping: kept, share: share,
      answered: bulkSelection?.answered ?? answered?.generation ?? 0)
    self.bulkSelection = bulkSelection
    return [.selectInBulk(bulkSelection)]
  }

  /// What was picked beside the run loop is picked; what had to wait for it can be done.
  mutating func take(_ result: BulkSelectionResult) -> [PickerEffect] {
    guard let bulkSelection, bulkSelection.generation == result.generation else { return [] }
    self.bulkSelection = nil
    let before = selection.count
    selection = result.selection
    if !bulkSelection.vanished.isEmpty { selection.keep { !bulkSelection.vanished.contains($0) } }
    let effects = result.isWhole ? [] : sayLimit(before: before, of: bulkSelection.share)
    return effects + catchUp(after: bulkSelection)
  }

  /// Does what the answers that came meanwhile have left undone: what they had found was not picked, and nobody
  /// knew of what was being picked whether it is still there.
  private mutating func catchUp(after bulkSelection: BulkSelection) -> [PickerEffect] {
    if mode == .managing { markAllowed() }
    return isFetching || answered?.generation ?? 0 != bulkSelection.answered ? refetch() : []
  }

  private mutating func sayLimit(before: Int, of share: BulkSelection.Share) -> [PickerEffect] {
    if range != nil { return say(limitWords) }
    let added = options.locale.number(selection.count - before)
    let all = options.locale.count(share.answer.count, "photo", "photos")
    return say("\(limitWords): \(added) of \(all) here added")
  }

  /// Gives up what is being picked; what was picked before stays.
  mutating func stopBulkSelection() -> [PickerEffect] {
    guard let bulkSelection else { return [] }
    self.bulkSelection = nil
    deferred = []
    dropRange()
    return catchUp(after: bulkSelection)
  }

  // MARK: Waiting

  /// Whether a key ends the picking that goes on beside the run loop.
  func isGivenUp(by key: Key) -> Bool {
    bulkSelection != nil && stage == .library && overlay == nil && prompt == nil
      && options.bindings.command(for: key) == .close
  }

  /// Keeps back what would be done to a selection that is still being made, and all that comes after it.
  mutating func defers(_ key: Key) -> Bool {
    guard bulkSelection != nil, stage == .library else { return false }
    let command = options.bindings.command(for: key)
    if command == .redraw || command == .suspend || key == .control("c") && command == .cancel {
      return false
    }
    let isTyped = overlay != nil || prompt != nil
    // After others that wait it may be a letter of what they have begun to type.
    if !isTyped, command == .cancel, deferred.isEmpty { return false }
    let changing: Set<Command> = [
      .toggle, .confirm, .selectAll, .unselectAll, .range, .review, .moveEarlier, .moveLater, .manageAccess,
    ]
    let changes = !isTyped && (range != nil || command.map(changing.contains) ?? false)
    guard changes || !deferred.isEmpty else { return false }
    deferred.append(.key(key))
    return true
  }

  mutating func defers(_ message: PickerMessage) -> Bool {
    guard bulkSelection != nil, stage == .library else { return false }
    if case .mouse(let event) = message, event.action == .wheelUp || event.action == .wheelDown, range == nil,
      deferred.isEmpty
    {
      return false
    }
    deferred.append(message)
    return true
  }
}
