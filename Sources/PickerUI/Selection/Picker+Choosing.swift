import AssetLibrary

extension PickerState {
  mutating func toggle() -> [PickerEffect] {
    guard let asset = current else { return [] }
    if range != nil {
      // The range is as the user wants it.
      range = nil
      return []
    }
    if selection.contains(asset.id) {
      selection.remove(asset.id)
      return []
    }
    if let obstacle = obstacle(to: asset) { return say(obstacle, .error) }
    if selection.excess > 0 { return say(excessWords) }
    if isSingleChoice { selection.removeAll() }  // one choice: the new one takes the old one's place
    return selection.add(asset) ? [] : say(limitWords)
  }

  var limitWords: String { "limit of \(options.locale.number(limit)) reached" }

  mutating func selectAll() -> [PickerEffect] {
    range = nil
    guard !assets.isEmpty else { return [] }
    return selectInBulk(from: 0, through: assets.count - 1)
  }

  mutating func unselectAll() -> [PickerEffect] {
    range = nil
    selection.removeAll()
    if unmarked != nil { unmarked = [] }
    return []
  }

  mutating func confirm() -> [PickerEffect] {
    if mode == .managing { return endManaging(keeping: true) }
    if selection.excess > 0 { return say(excessWords, .error) }
    if !selection.isEmpty {
      range = nil
      return [.finish(.picked(results(selection.assets)))]
    }
    guard let asset = current else {
      // Too early: there may be something in a moment.
      if isAskingAnew || !library.isComplete { return say("still reading the library", .dim) }
      if isNarrowedByUser { return say("nothing is found: there is nothing to use", .dim) }
      return [.finish(.picked([]))]
    }
    if let obstacle = obstacle(to: asset) { return say(obstacle, .error) }
    return [.finish(.picked([asset]))]
  }

  /// Tells the caller what is picked, where each change is told and this is one.
  mutating func report() -> [PickerEffect] {
    guard options.configuration.selection.isContinuous, mode == .picking, range == nil else { return [] }
    let picked = selection.identifiers
    guard picked != reported else { return [] }
    reported = picked
    return [.report(results(selection.assets))]
  }

  // MARK: Ranges

  /// Starts a range at the cursor, or keeps the one there is.
  mutating func toggleRange() -> [PickerEffect] {
    guard focus == .grid, let asset = current else { return [] }
    if range != nil {
      range = nil
      return []
    }
    if isSingleChoice { return say("one photo can be selected: there is no range", .dim) }
    if selection.excess > 0 { return say(excessWords) }
    return startRange(at: asset.id)
  }

  /// Starts a range; one that begins at a picked photo and is drawn by the mouse unselects.
  mutating func startRange(at identifier: LocalIdentifier, isDragged: Bool = false) -> [PickerEffect] {
    range = RangeSelection(
      start: identifier, keeps: selection.count,
      isRemoving: isDragged && selection.contains(identifier), isDragged: isDragged)
    return stretchRange()
  }

  /// Ends a range as it is, because something else changes the selection; the mouse has to begin a new one.
  mutating func endRange() {
    guard let range else { return }
    self.range = nil
    if range.isDragged { _ = release() }
  }

  /// Takes a range back; what was picked before it stays.
  mutating func dropRange() {
    guard let range else { return }
    selection.truncate(to: range.keeps)
    selection.putBack(range.removed)
    self.range = nil
  }

  /// Selects what lies between the start of the range and the cursor, in that order, up to the limit.
  mutating func stretchRange() -> [PickerEffect] {
    guard let range else { return [] }
    guard let start = assets.index(of: range.start, near: cursor) else {
      self.range = nil
      return []
    }
    if range.isRemoving {
      selection.putBack(range.removed)
      self.range?.removed = selection.takeOut(
        (min(start, cursor)...max(start, cursor)).lazy.map { [assets] in assets.identifier(at: $0) })
      return []
    }
    self.range?.reached = cursor
    // What is being picked beside the run loop is not there to add to.
    let reached = bulkSelection == nil ? range.reached : nil
    if let reached, abs(cursor - reached) <= options.mostAtOnce,
      (start...max(start, reached)).contains(cursor) || (min(start, reached)...start).contains(cursor)
    {
      // Back towards the start: what was selected last goes.
      let step = start <= reached ? -1 : 1
      for index in stride(from: reached, to: cursor, by: step) {
        let identifier = assets.identifier(at: index)
        if selection.count > range.keeps { selection.removeLast(identifier) }
      }
      return []
    }
    if let reached, start <= reached ? cursor > reached : cursor < reached {
      return selectInBulk(from: start <= reached ? reached + 1 : reached - 1, through: cursor)
    }
    return selectInBulk(from: start, through: cursor, keeping: range.keeps)
  }
}
