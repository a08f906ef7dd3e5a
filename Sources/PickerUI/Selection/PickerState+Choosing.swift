import AssetLibrary

extension PickerState {
  mutating func toggle() -> [PickerEffect] {
    guard let asset = current else { return [] }
    if picks.range != nil {
      // The range is as the user wants it.
      picks.range = nil
      return []
    }
    if picks.selection.contains(asset.id) {
      picks.selection.remove(asset.id)
      return []
    }
    if let obstacle = obstacle(to: asset) { return say(obstacle, .error) }
    if picks.selection.excess > 0 { return say(excessWords) }
    if isSingleChoice { picks.selection.removeAll() }  // one choice: the new one takes the old one's place
    return picks.selection.add(asset) ? [] : say(limitWords)
  }

  var limitWords: String { "limit of \(options.locale.number(limit)) reached" }

  mutating func selectAll() -> [PickerEffect] {
    picks.range = nil
    guard !library.assets.isEmpty else { return [] }
    return selectInBulk(from: 0, through: library.assets.count - 1)
  }

  mutating func unselectAll() -> [PickerEffect] {
    picks.range = nil
    picks.selection.removeAll()
    if authorization.unmarked != nil { authorization.unmarked = [] }
    return []
  }

  mutating func confirm() -> [PickerEffect] {
    if authorization.mode == .managing { return endManaging(keeping: true) }
    if picks.selection.excess > 0 { return say(excessWords, .error) }
    if !picks.selection.isEmpty {
      picks.range = nil
      return [.finish(.picked(results(picks.selection.assets)))]
    }
    guard let asset = current else {
      // Too early: there may be something in a moment.
      if library.isAskingAnew || !library.status.isComplete { return say("still reading the library", .dim) }
      if isNarrowedByUser { return say("nothing is found: there is nothing to use", .dim) }
      return [.finish(.picked([]))]
    }
    if let obstacle = obstacle(to: asset) { return say(obstacle, .error) }
    return [.finish(.picked([asset]))]
  }

  /// Tells the caller what is picked, where each change is told and this is one.
  mutating func report() -> [PickerEffect] {
    guard options.configuration.selection.isContinuous, authorization.mode == .picking, picks.range == nil
    else { return [] }
    let picked = picks.selection.identifiers
    guard picked != picks.reported else { return [] }
    picks.reported = picked
    return [.report(results(picks.selection.assets))]
  }

  // MARK: Ranges

  /// Starts a range at the cursor, or keeps the one there is.
  mutating func toggleRange() -> [PickerEffect] {
    guard input.focus == .grid, let asset = current else { return [] }
    if picks.range != nil {
      picks.range = nil
      return []
    }
    if isSingleChoice { return say("one photo can be selected: there is no range", .dim) }
    if picks.selection.excess > 0 { return say(excessWords) }
    return startRange(at: asset.id)
  }

  /// Starts a range; one that begins at a picked photo and is drawn by the mouse unselects.
  mutating func startRange(at identifier: LocalIdentifier, isDragged: Bool = false) -> [PickerEffect] {
    picks.range = RangeSelection(
      start: identifier, keeps: picks.selection.count,
      isRemoving: isDragged && picks.selection.contains(identifier), isDragged: isDragged)
    return stretchRange()
  }

  /// Ends a range as it is, because something else changes the selection; the mouse has to begin a new one.
  mutating func endRange() {
    guard let range = picks.range else { return }
    self.picks.range = nil
    if range.isDragged { _ = release() }
  }

  /// Takes a range back; what was picked before it stays.
  mutating func dropRange() {
    guard let range = picks.range else { return }
    picks.selection.truncate(to: range.keeps)
    picks.selection.putBack(range.removed)
    self.picks.range = nil
  }

  /// Selects what lies between the start of the range and the cursor, in that order, up to the limit.
  mutating func stretchRange() -> [PickerEffect] {
    guard let range = picks.range else { return [] }
    guard let start = library.assets.index(of: range.start, near: grid.cursor) else {
      self.picks.range = nil
      return []
    }
    if range.isRemoving {
      picks.selection.putBack(range.removed)
      self.picks.range?.removed = picks.selection.takeOut(
        (min(start, grid.cursor)...max(start, grid.cursor)).lazy.map { [assets = library.assets] in
          assets.identifier(at: $0)
        })
      return []
    }
    self.picks.range?.reached = grid.cursor
    // What is being picked beside the run loop is not there to add to.
    let reached = picks.bulk == nil ? range.reached : nil
    if let reached, abs(grid.cursor - reached) <= options.mostAtOnce,
      (start...max(start, reached)).contains(grid.cursor)
        || (min(start, reached)...start).contains(grid.cursor)
    {
      // Back towards the start: what was selected last goes.
      let step = start <= reached ? -1 : 1
      for index in stride(from: reached, to: grid.cursor, by: step) {
        let identifier = library.assets.identifier(at: index)
        if picks.selection.count > range.keeps { picks.selection.removeLast(identifier) }
      }
      return []
    }
    if let reached, start <= reached ? grid.cursor > reached : grid.cursor < reached {
      return selectInBulk(from: start <= reached ? reached + 1 : reached - 1, through: grid.cursor)
    }
    return selectInBulk(from: start, through: grid.cursor, keeping: range.keeps)
  }
}
