import AssetLibrary

extension PickerState {
  mutating func toggle() -> [PickerEffect] {
    guard let asset = current else { return [] }
    if picks.range != nil {
      // Confirms the range as it is.
      picks.range = nil
      return []
    }
    if picks.selection.contains(asset.id) {
      picks.selection.remove(asset.id)
      return []
    }
    if let reason = reasonNotSelectable(asset) { return showNotice(reason, .error) }
    if picks.selection.excess > 0 { return showNotice(excessMessage) }
    if isSingleChoice { picks.selection.removeAll() }  // one choice: the new one takes the old one's place
    return picks.selection.add(asset) ? [] : showNotice(limitMessage)
  }

  /// Which limit is reached.
  var limitMessage: String {
    let (selection, limits) = (picks.selection, picks.selection.kindLimits)
    let locale = options.locale
    if selection.isFull { return "limit of \(locale.number(limit)) reached" }
    let images = selection.isFull(.image) ? [locale.count(limits.images, "image", "images")] : []
    let videos = selection.isFull(.video) ? [locale.count(limits.videos, "video", "videos")] : []
    return "limit of \((images + videos).joined(separator: " and ")) reached"
  }

  mutating func selectAll() -> [PickerEffect] {
    picks.range = nil
    guard !library.assets.isEmpty else { return [] }
    return selectInBulk(from: 0, through: library.assets.count - 1)
  }

  mutating func unselectAll() -> [PickerEffect] {
    picks.range = nil
    let count = picks.selection.count
    picks.selection.removeAll()
    if authorization.pendingAllowed != nil { authorization.pendingAllowed = [] }
    // All the work at one key: the way back is said. There is none where access is chosen.
    guard count > 0, authorization.mode == .picking, let undo = keyLabel(.undo) else { return [] }
    return showNotice("\(options.locale.number(count)) unselected · \(undo) brings them back", .dim)
  }

  /// Uses the selection.
  /// - Parameter key: the key of the caller's that says so; nil = none of these.
  mutating func confirm(by key: Key? = nil) -> [PickerEffect] {
    if authorization.mode == .managing { return endManaging(keeping: true) }
    if picks.selection.excess > 0 { return showNotice(excessMessage, .error) }
    if !picks.selection.isEmpty {
      if let asset = picks.selection.firstUnavailable, let reason = pickMeasure.unavailability(of: asset) {
        return showNotice("\(asset.shortName) can't be used: \(reason)", .error)
      }
      picks.range = nil
      return handOver(results(picks.selection.assets), by: key)
    }
    if isSelectionCleared {
      // Nobody chose the photo under the cursor.
      if options.allowsEmpty { return handOver([], by: key) }
      let key = keyLabel(.toggle) ?? "Space"
      return showNotice("nothing is picked any more: \(key) picks the photo under the cursor", .dim)
    }
    guard let asset = current else {
      // There may be photos in a moment.
      if library.isFetchingNewQuery || !library.status.isComplete {
        return showNotice("still reading the library", .dim)
      }
      if isNarrowedByUser { return showNotice("nothing found: there is nothing to use", .dim) }
      return handOver([], by: key)
    }
    if let reason = reasonNotSelectable(asset) { return showNotice(reason, .error) }
    return handOver([asset], by: key)
  }

  /// Whether nothing is picked although something was, by the user or by the caller.
  var isSelectionCleared: Bool {
    guard authorization.mode == .picking, picks.selection.isEmpty else { return false }
    return picks.history.wasChanged || !options.configuration.preselectedAssetIdentifiers.isEmpty
  }

  /// Reports the selection to the caller if it has changed and changes are to be reported continuously.
  mutating func report() -> [PickerEffect] {
    guard options.configuration.selection.isContinuous, authorization.mode == .picking, picks.range == nil
    else { return [] }
    let picked = picks.selection.identifiers
    guard picked != picks.reported else { return [] }
    picks.reported = picked
    return [.report(results(picks.selection.assets))]
  }

  // MARK: Ranges

  /// Starts a range at the cursor, or confirms the active one.
  mutating func toggleRange() -> [PickerEffect] {
    guard input.focus == .grid, let asset = current else { return [] }
    if picks.range != nil {
      picks.range = nil
      return []
    }
    if isSingleChoice { return showNotice("only one photo can be selected: no range", .dim) }
    if picks.selection.excess > 0 { return showNotice(excessMessage) }
    return startRange(at: asset.id)
  }

  /// Starts a range; one dragged from a picked photo unselects.
  mutating func startRange(at identifier: LocalIdentifier, isDragged: Bool = false) -> [PickerEffect] {
    picks.range = RangeSelection(
      start: identifier, countBefore: picks.selection.count,
      isRemoving: isDragged && picks.selection.contains(identifier), isDragged: isDragged)
    return extendRange()
  }

  /// Ends a range as it is before something else changes the selection; a drag has to start anew.
  mutating func endRange() {
    guard let range = picks.range else { return }
    self.picks.range = nil
    if range.isDragged { _ = release() }
  }

  /// Cancels a range and keeps the earlier picks; a drag has to start anew.
  mutating func cancelRange() {
    guard let range = picks.range else { return }
    picks.selection.truncate(to: range.countBefore)
    picks.selection.putBack(range.removed)
    self.picks.range = nil
    if range.isDragged { _ = release() }
  }

  /// Selects the photos from the start of the range to the cursor, in that order, up to the limit.
  mutating func extendRange() -> [PickerEffect] {
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
    self.picks.range?.endIndex = grid.cursor
    // A running bulk selection can't be extended; it is replaced.
    let endIndex = picks.bulk == nil ? range.endIndex : nil
    if let endIndex, abs(grid.cursor - endIndex) <= options.maximumSynchronousPicks,
      (start...max(start, endIndex)).contains(grid.cursor)
        || (min(start, endIndex)...start).contains(grid.cursor)
    {
      // Back towards the start: unselects the last photos.
      let step = start <= endIndex ? -1 : 1
      for index in stride(from: endIndex, to: grid.cursor, by: step) {
        let identifier = library.assets.identifier(at: index)
        if picks.selection.count > range.countBefore { picks.selection.removeLast(identifier) }
      }
      return []
    }
    if let endIndex, start <= endIndex ? grid.cursor > endIndex : grid.cursor < endIndex {
      return selectInBulk(from: start <= endIndex ? endIndex + 1 : endIndex - 1, through: grid.cursor)
    }
    return selectInBulk(from: start, through: grid.cursor, keeping: range.countBefore)
  }
}

/// A range of photos from its start to the cursor.
struct RangeSelection: Sendable {
  /// The photo that it starts at.
  var start: LocalIdentifier
  /// The number of picks before the range; all later ones belong to it.
  var countBefore: Int
  /// The picks removed by a range that unselects.
  var removed = Selection.Removed()
  /// The index of the last photo added to the selection; nil = the range has to be selected again from its
  /// start.
  var endIndex: Int?
  /// Whether the range unselects.
  var isRemoving = false
  /// Whether it is being dragged with the mouse.
  var isDragged = false
}

extension PickerState {
  /// Leaves without a choice, but asks first if that loses picks.
  /// - Parameter key: the label of the key that was pressed.
  mutating func leave(by key: String?) -> [PickerEffect] {
    let lost = (authorization.savedSelection ?? picks.selection).count
    // What the caller preselected is not lost.
    guard lost > 0, picks.history.hasChanges || picks.range != nil else { return [.finish(.cancelled)] }
    layers.close(.box)
    let picks = options.locale.count(lost, "pick", "picks")
    let effects = showNotice("Press \(key ?? "the same key") again to discard \(picks)")
    status.notice?.asksToLeave = true
    return effects
  }

  /// Whether a key says that the picks may be lost, after the question.
  func confirmsLeaving(_ key: Key, _ command: Command?) -> Bool {
    guard status.asksToLeave, command == .close || command == .cancel else { return false }
    // Characters are typed into a prompt.
    if layers[Prompt.self] != nil, case .character = key { return false }
    return true
  }
}

extension PickerState {
  /// Reports the asset that the cursor has come to, if the caller follows the cursor and could get it as a result.
  mutating func followCursor() -> [PickerEffect] {
    guard options.configuration.selection == .follow, isCursorSettled, let asset = current,
      asset.id != picks.followed, reasonNotSelectable(asset) == nil
    else { return [] }
    picks.followed = asset.id
    return [.follow(asset)]
  }

  /// Whether the cursor stands on an asset because it is to stand there.
  ///
  /// Until the first input it stays in the first place, on whatever the scan puts there. While another query is
  /// fetched the assets are those of the previous one, which the client might not even be allowed to see.
  private var isCursorSettled: Bool {
    showsLibrary && authorization.mode == .picking && !library.isFetchingNewQuery
      && (library.status.isComplete || grid.anchor != nil)
  }
}
