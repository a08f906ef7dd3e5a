import AssetLibrary

/// What is picked, and all that changes it: single picks, ranges, bulk selections, undo.
///
/// It knows no other part of the picker. What it picks from is passed in (`PickingGround`), and what else is to be done
/// comes back (`PickConsequence`).
struct Picks: Sendable {
  private(set) var selection: Selection
  /// What was selected before; while a range or a bulk selection is under way, before that.
  private var history: PickHistory
  /// The preselected assets that no fetch has returned yet.
  private(set) var preselected: [LocalIdentifier]
  /// Whether the caller preselected any.
  private let hasPreselection: Bool
  /// The active range.
  private var range: RangeSelection?
  /// The running bulk selection.
  private var bulk: BulkSelection?
  private var bulkGeneration = 0
  /// The selection last reported to the caller, if it is reported continuously.
  private var reported: [LocalIdentifier] = []
  /// The asset last reported to the caller, if the cursor is followed.
  private var followed: LocalIdentifier?
  /// The client's picks while the accessible photos are chosen in their place.
  private var setAside: Selection?
  /// While they are chosen: those that are accessible already and that no fetch has returned yet; nil before the first
  /// one.
  private(set) var pendingAllowed: Set<LocalIdentifier>?
  /// In which shape they are handed over: what the user has chosen, within what the caller asks for, for this result
  /// only.
  private(set) var representation: RepresentationOptions
  var strip = PickStrip()

  init(_ configuration: PickerConfiguration) {
    selection = Selection(configuration)
    history = PickHistory(selection)
    preselected = configuration.preselectedAssetIdentifiers
    hasPreselection = !preselected.isEmpty
    representation = configuration.representation
  }

  /// Whether a range is being selected or unselected; nil = none.
  var activeRange: (isRemoving: Bool, isDragged: Bool)? { range.map { ($0.isRemoving, $0.isDragged) } }

  /// Whether a bulk selection is running.
  var isBusy: Bool { bulk != nil }

  /// Whether nothing is picked although something was, by the user or by the caller.
  var isCleared: Bool {
    setAside == nil && selection.isEmpty && (history.wasChanged || hasPreselection)
  }

  /// How many picks would be lost by leaving; what the caller preselected is not lost.
  var countAtRisk: Int { history.hasChanges || range != nil ? (setAside ?? selection).count : 0 }

  /// The picks in the order that the caller requested.
  func results(_ options: PickerOptions, sort: AssetSort) -> [Asset] {
    options.configuration.selection.isOrdered
      ? Array(selection.assets) : selection.assets.sorted(by: sort.areInIncreasingOrder)
  }

  /// What is handed over in place of the files themselves; nil = nothing else.
  func representationWords(_ locale: LocaleFormat) -> String? {
    guard setAside == nil else { return nil }
    let words = representation.words(locale)
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  /// Measures the picks in another way; takes time only where it is another one.
  mutating func use(_ measure: PickMeasure) { selection.use(measure) }

  // MARK: Single picks

  /// Picks an asset or takes it back; confirms a range as it is.
  mutating func toggle(_ asset: Asset, on ground: PickingGround) -> [PickConsequence] {
    if range != nil {
      range = nil
      return []
    }
    if selection.contains(asset.id) {
      selection.remove(asset.id)
      return []
    }
    if let reason = ground.rules.reasonNotSelectable(asset) { return [.notice(reason, .error)] }
    if selection.excess > 0 { return [.notice(selection.excessMessage(ground.locale))] }
    // Where there is one choice, the new one takes the old one's place.
    if selection.isSingleChoice { selection.removeAll() }
    return selection.add(asset) ? [] : [.notice(selection.limitMessage(ground.locale))]
  }

  mutating func selectAll(on ground: PickingGround) -> [PickConsequence] {
    range = nil
    guard !ground.assets.isEmpty else { return [] }
    return selectInBulk(from: 0, through: ground.assets.count - 1, on: ground)
  }

  mutating func unselectAll(on ground: PickingGround) -> [PickConsequence] {
    range = nil
    let count = selection.count
    selection.removeAll()
    if pendingAllowed != nil { pendingAllowed = [] }
    // All the work at one key: the way back is said. There is none where access is chosen.
    guard count > 0, setAside == nil, let undo = ground.options.keyLabel(.undo) else { return [] }
    return [.notice("\(ground.locale.number(count)) unpicked. Press \(undo) to undo", .dim)]
  }

  // MARK: The strip

  /// Whether the user can put the picks into another order.
  private func canReorder(_ options: PickerOptions) -> Bool {
    options.configuration.selection.isOrdered || setAside != nil
  }

  /// Takes a command in the strip; nil if it is handled as usual.
  mutating func handleInStrip(
    _ command: Command, in cells: GridGeometry, _ options: PickerOptions
  ) -> [PickConsequence]? {
    switch command {
    case .moveEarlier, .moveLater:
      guard canReorder(options) else { return [.notice("Results are in grid order", .dim)] }
      let target = strip.cursor + (command == .moveLater ? 1 : -1)
      guard selection.assets.indices.contains(target) else { return [] }
      selection.move(from: strip.cursor, to: target)
      strip.follow(target)
      return []
    case .search, .filterMenu, .sortMenu, .optionsMenu, .range, .selectAll, .jump, .showHidden, .removeFilter,
      .showEverything:
      return []
    default: return strip.move(command, in: cells, count: selection.count) ? [] : nil
    }
  }

  /// Scrolls the strip by a row.
  mutating func scrollStrip(by step: Int, in cells: GridGeometry, hasFocus: Bool) {
    strip.scroll(by: step, in: cells, count: selection.count, hasFocus: hasFocus)
  }

  /// Puts the strip's cursor on the pick that was clicked.
  /// - Parameter place: its place among those in sight.
  /// - Returns: the pick; nil where none is.
  mutating func clickStrip(at place: Int, in cells: GridGeometry, hasFocus: Bool) -> LocalIdentifier? {
    let index = strip.first(in: cells, count: selection.count, hasFocus: hasFocus) + place
    guard selection.assets.indices.contains(index) else { return nil }
    let columns = max(1, cells.columns)
    strip.setCursor(index, keeping: index / columns - place / columns, count: selection.count)
    return selection.assets[index].id
  }

  /// Moves a pick that is dragged to another place among those in sight.
  mutating func drag(
    _ pick: LocalIdentifier, to place: Int, in cells: GridGeometry, hasFocus: Bool, _ options: PickerOptions
  ) {
    guard canReorder(options), let from = selection.number(of: pick).map({ $0 - 1 }) else { return }
    let first = strip.first(in: cells, count: selection.count, hasFocus: hasFocus)
    let target = min(selection.count - 1, first + place)
    guard target != from else { return }
    selection.move(from: from, to: target)
    strip.setCursor(target, keeping: first / max(1, cells.columns), count: selection.count)
  }

  // MARK: Undo

  /// Notes what the user has changed as one step.
  /// - Returns: whether there was a change.
  mutating func note() -> Bool {
    guard setAside == nil, range == nil, bulk == nil else { return false }
    return history.note(selection)
  }

  /// Takes back the last change.
  mutating func undo(on ground: PickingGround) -> [PickConsequence] {
    restore("Undone", else: "Nothing to undo", ground) { $0.undo() }
  }

  /// Makes the change again that was taken back last.
  mutating func redo(on ground: PickingGround) -> [PickConsequence] {
    restore("Redone", else: "Nothing to redo", ground) { $0.redo() }
  }

  private mutating func restore(
    _ done: String, else nothing: String, _ ground: PickingGround, _ step: (inout PickHistory) -> Selection?
  ) -> [PickConsequence] {
    guard setAside == nil else {
      let key = ground.options.keyLabel(.close) ?? "Esc"
      return [.notice("Only picks can be undone. Press \(key) to discard this choice", .dim)]
    }
    // A range is a step of its own.
    let ended = endRange() + (note() ? [.noted] : [])
    guard let selection = step(&history) else { return ended + [.notice(nothing, .dim)] }
    self.selection = selection
    // The library tells which of the restored picks have vanished meanwhile.
    return ended + [.refetch, .notice("\(done): \(ground.locale.number(selection.count)) picked", .dim)]
  }

  // MARK: Ranges

  /// Starts a range at an asset, or confirms the active one.
  mutating func toggleRange(at asset: Asset, on ground: PickingGround) -> [PickConsequence] {
    if range != nil {
      range = nil
      return []
    }
    if selection.isSingleChoice { return [.notice("Only one photo can be picked: no range", .dim)] }
    if selection.excess > 0 { return [.notice(selection.excessMessage(ground.locale))] }
    return startRange(at: asset.id, on: ground)
  }

  /// Starts a range; one dragged from a picked photo unselects.
  mutating func startRange(
    at identifier: LocalIdentifier, isDragged: Bool = false, on ground: PickingGround
  ) -> [PickConsequence] {
    range = RangeSelection(
      start: identifier, countBefore: selection.count,
      isRemoving: isDragged && selection.contains(identifier), isDragged: isDragged)
    return extendRange(on: ground)
  }

  /// Keeps what a range has selected: nothing more is added to it.
  mutating func keepRange() { range = nil }

  /// Ends a range as it is before something else changes the selection; a drag has to start anew.
  mutating func endRange() -> [PickConsequence] {
    defer { range = nil }
    return range?.isDragged ?? false ? [.release] : []
  }

  /// Cancels a range and keeps the earlier picks; a drag has to start anew.
  mutating func cancelRange() -> [PickConsequence] {
    guard let range else { return [] }
    selection.truncate(to: range.countBefore)
    selection.putBack(range.removed)
    return endRange()
  }

  /// Selects the photos from the start of the range to the cursor, in that order, up to the limit.
  mutating func extendRange(on ground: PickingGround) -> [PickConsequence] {
    guard let range else { return [] }
    let (assets, cursor) = (ground.assets, ground.cursor)
    guard let start = assets.index(of: range.start, near: cursor) else {
      self.range = nil
      return []
    }
    if range.isRemoving {
      selection.putBack(range.removed)
      self.range?.removed = selection.takeOut(
        (min(start, cursor)...max(start, cursor)).lazy.map { assets.identifier(at: $0) })
      return []
    }
    self.range?.endIndex = cursor
    // A running bulk selection can't be extended; it is replaced.
    let endIndex = bulk == nil ? range.endIndex : nil
    if let endIndex, abs(cursor - endIndex) <= ground.options.maximumSynchronousPicks,
      (start...max(start, endIndex)).contains(cursor) || (min(start, endIndex)...start).contains(cursor)
    {
      // Back towards the start: unselects the last photos.
      let step = start <= endIndex ? -1 : 1
      for index in stride(from: endIndex, to: cursor, by: step) {
        let identifier = assets.identifier(at: index)
        if selection.count > range.countBefore { selection.removeLast(identifier) }
      }
      return []
    }
    if let endIndex, start <= endIndex ? cursor > endIndex : cursor < endIndex {
      return selectInBulk(
        from: start <= endIndex ? endIndex + 1 : endIndex - 1, through: cursor, on: ground)
    }
    return selectInBulk(from: start, through: cursor, keeping: range.countBefore, on: ground)
  }

  // MARK: Bulk selections

  /// Picks all selectable photos of a range, up to the limit: directly if they are few, else off the run
  /// loop.
  /// - Parameter keeping: how many of the earliest picks are kept; nil = all.
  private mutating func selectInBulk(
    from first: Int, through last: Int, keeping: Int? = nil, on ground: PickingGround
  ) -> [PickConsequence] {
    let slice = BulkSelection.Slice(
      answer: ground.assets, first: first, last: last,
      acceptsLineBreaks: ground.options.acceptsLineBreaks || setAside != nil,
      requirements: ground.rules.requirements)
    let kept = min(keeping ?? selection.count, selection.count)
    let limit = selection.limit
    let most = limit > 0 ? min(slice.count, max(0, limit - kept)) : slice.count
    guard most > ground.options.maximumSynchronousPicks else {
      let before = selection.count
      let late = bulk
      bulk = nil
      selection.truncate(to: kept)
      let notices = slice.pick(into: &selection) ? [] : limitNotice(before: before, of: slice, ground.locale)
      return notices + (late.map { [.catchUp(after: $0)] } ?? [])
    }
    bulkGeneration += 1
    let started = BulkSelection(
      generation: bulkGeneration, base: selection, keeping: kept, slice: slice,
      answeredGeneration: bulk?.answeredGeneration ?? ground.answeredGeneration)
    bulk = started
    return [.effect(.selectInBulk(started))]
  }

  /// Takes the result of a bulk selection; deferred messages can be handled then.
  mutating func end(with result: BulkSelectionResult, on ground: PickingGround) -> [PickConsequence] {
    guard let bulk, bulk.generation == result.generation else { return [] }
    self.bulk = nil
    let before = selection.count
    selection = result.selection
    if !bulk.vanished.isEmpty { selection.keep { !bulk.vanished.contains($0) } }
    let notices = result.isWhole ? [] : limitNotice(before: before, of: bulk.slice, ground.locale)
    return notices + [.catchUp(after: bulk)]
  }

  /// Cancels the bulk selection and keeps the earlier picks.
  mutating func stopBulkSelection() -> [PickConsequence] {
    guard let bulk else { return [] }
    self.bulk = nil
    return cancelRange() + [.catchUp(after: bulk)]
  }

  private func limitNotice(
    before: Int, of slice: BulkSelection.Slice, _ locale: LocaleFormat
  ) -> [PickConsequence] {
    if range != nil { return [.notice(selection.limitMessage(locale))] }
    let added = locale.number(selection.count - before)
    let all = locale.count(slice.answer.count, "photo", "photos")
    return [.notice("\(selection.limitMessage(locale)): added \(added) of \(all)")]
  }

  // MARK: What the library tells

  /// The photos have other indexes now: a range is selected again from its start.
  mutating func forgetIndexes() { range?.endIndex = nil }

  /// Selects the caller's preselected assets that were found.
  /// - Parameter isComplete: whether nothing more will be known of them.
  mutating func preselect(
    _ answer: [Asset], isComplete: Bool, on ground: PickingGround
  ) -> [PickConsequence] {
    let rules = ground.rules
    guard setAside == nil, !preselected.isEmpty, bulk == nil else { return [] }
    // A video that is still being read may tell how long it lasts.
    let read = answer.filter { isComplete || rules.requirements.shortfall(of: $0) != .unknownDuration }
    let found = Dictionary(read.map { ($0.id, $0) }) { first, _ in first }
    // Cancelling a range would remove what is added after it began.
    let ended = endRange() + (note() ? [.noted] : [])
    // The caller's own preselection is not reported back to it, unless other changes are still unreported.
    let wasReported = reported == selection.identifiers
    var reasons: [String] = []
    for asset in preselected.compactMap({ found[$0] }) {
      if let reason = rules.reasonNotSelectable(asset) {
        reasons.append(reason)
      } else {
        selection.preselect(asset)
      }
    }
    preselected.removeAll { found[$0] != nil }
    history.add(found.keys.sorted().compactMap { found[$0] }.filter { selection.contains($0.id) })
    history.adopt(selection)
    if wasReported { reported = selection.identifiers }
    if let reason = reasons.first { return ended + [.notice(reason, .error)] }
    return ended + (selection.excess > 0 ? [.notice(selection.excessMessage(ground.locale))] : [])
  }

  /// Unselects assets that have vanished from the library.
  /// - Returns: those that were picked.
  mutating func remove(_ vanished: Set<LocalIdentifier>) -> [Asset] {
    let lost = vanished.isEmpty ? [] : selection.assets.filter { vanished.contains($0.id) }
    guard !lost.isEmpty else { return [] }
    selection.keep { !vanished.contains($0) }
    history.keep { !vanished.contains($0) }
    bulk?.vanished.formUnion(vanished)
    return lost
  }

  // MARK: The accessible photos

  /// Picks the accessible photos in place of the client's picks, which are kept.
  mutating func beginManaging() {
    range = nil
    setAside = selection
    selection = Selection(limit: 0)
    pendingAllowed = nil
  }

  /// Picks the photos that are accessible already, as far as they are among those fetched so far, so that only the user
  /// can revoke access.
  ///
  /// Waits for a running bulk selection, whose result would otherwise replace them.
  mutating func add(allowed: Set<LocalIdentifier>, on ground: PickingGround) -> [PickConsequence] {
    var waiting = pendingAllowed ?? allowed
    defer { pendingAllowed = waiting }
    guard bulk == nil, !waiting.isEmpty else { return [] }
    let assets = ground.assets
    waiting = waiting.filter { !selection.contains($0) }
    let found = assets.indices.filter { waiting.remove(assets.identifier(at: $0)) != nil }
    // Cancelling a range would also remove what was added after it began.
    let ended = found.isEmpty ? [] : endRange()
    for index in found { _ = selection.add(assets[index]) }
    return ended
  }

  /// Goes back to the client's picks.
  /// - Returns: what the client may see now, where that is kept; nil = as before.
  mutating func endManaging(
    keeping isKept: Bool, _ configuration: PickerConfiguration
  ) -> Set<LocalIdentifier>? {
    range = nil
    let chosen = isKept ? pendingAllowed.map { $0.union(selection.identifiers) } : nil
    if let chosen {
      setAside?.keep { chosen.contains($0) }
      history.keep { chosen.contains($0) }
    }
    selection = setAside ?? Selection(configuration)
    history.adopt(selection)
    (setAside, pendingAllowed) = (nil, nil)
    return chosen
  }

  // MARK: What the caller is told

  /// Reports the selection if it has changed and changes are to be reported continuously.
  mutating func report(_ options: PickerOptions, sort: AssetSort) -> [PickerEffect] {
    guard options.configuration.selection.isContinuous, setAside == nil, range == nil else { return [] }
    let picked = selection.identifiers
    guard picked != reported else { return [] }
    reported = picked
    return [.report(results(options, sort: sort))]
  }

  /// Reports the asset that the cursor has come to, if it could be a result and is another one than before.
  mutating func follow(_ asset: Asset, by rules: PickRules) -> [PickerEffect] {
    guard asset.id != followed, rules.reasonNotSelectable(asset) == nil else { return [] }
    followed = asset.id
    return [.follow(asset)]
  }

  /// Changes what is handed over.
  mutating func handOver(as representation: RepresentationOptions) -> [PickConsequence] {
    guard representation != self.representation else { return [] }
    // What a range has taken out is measured as it was.
    defer { self.representation = representation }
    return endRange()
  }
}

/// What photos are picked from, and by which rules.
struct PickingGround {
  let options: PickerOptions
  let rules: PickRules
  /// The photos that are shown.
  let assets: FetchResult<Asset>
  /// The index of the photo that a range extends to.
  let cursor: Int
  /// The generation of the query that the photos answer; 0 = none.
  let answeredGeneration: Int

  var locale: LocaleFormat { options.locale }
}

/// What is to be done elsewhere after the picks have changed.
enum PickConsequence {
  case effect(PickerEffect)
  case notice(String, TextStyle.Tone = .warning)
  /// The user has changed the selection before this.
  case noted
  /// The library is asked again.
  case refetch
  /// What a bulk selection has kept waiting is made up for: fetch results that arrived meanwhile could neither add
  /// preselected or allowed assets nor tell which of the new picks have vanished.
  case catchUp(after: BulkSelection)
  /// The mouse drags nothing any more.
  case release
}

/// A range of photos from its start to the cursor.
private struct RangeSelection {
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
  /// Changes the picks, and does what follows from that elsewhere.
  mutating func choose(
    _ change: (inout Picks, PickingGround) -> [PickConsequence]
  ) -> [PickerEffect] {
    let ground = PickingGround(
      options: options, rules: rules, assets: library.assets, cursor: grid.cursor,
      answeredGeneration: library.answeredQuery?.generation ?? 0)
    var effects: [PickerEffect] = []
    for consequence in change(&picks, ground) {
      switch consequence {
      case .effect(let effect): effects.append(effect)
      case .notice(let text, let tone): effects += status.showNotice(text, tone)
      case .noted: edits.notePicks()
      case .refetch: effects += refetch()
      case .release: release()
      case .catchUp(let bulk):
        if authorization.mode == .managing {
          effects += choose { [allowed = authorization.allowed] in $0.add(allowed: allowed, on: $1) }
        }
        if library.isFetching || ground.answeredGeneration != bulk.answeredGeneration { effects += refetch() }
      }
    }
    return effects
  }

  /// Picks the current photo or takes it back.
  mutating func toggle() -> [PickerEffect] {
    guard let asset = current else { return [] }
    return choose { $0.toggle(asset, on: $1) }
  }
}
