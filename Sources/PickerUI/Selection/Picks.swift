import AssetLibrary

/// The picks and all operations on them: single picks, ranges, bulk selections, undo.
///
/// Independent of other parts of the picker: the photos to pick from are passed in (`PickingGround`), and
/// further actions are returned (`PickConsequence`).
struct Picks: Sendable {
  private(set) var selection: Selection
  /// The earlier selections; a range or a bulk selection is recorded when it ends.
  private var history: PickHistory
  /// The preselected assets that no fetch has returned yet.
  private(set) var preselected: [LocalIdentifier]
  /// Whether preselected assets that the library does not have were reported to the caller.
  private var reportedUnknown = false
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
  /// The client's picks, while the accessible photos are being chosen.
  private var setAside: Selection?
  /// While the accessible photos are being chosen: those that are already accessible and not fetched yet; nil
  /// before the first fetch.
  private(set) var pendingAllowed: Set<LocalIdentifier>?
  /// The format, size and metadata of the results: the user's choice within the caller's options, for this
  /// result only.
  private(set) var representation: RepresentationOptions
  /// The parts of videos that the user chose; all others are delivered as a whole.
  private(set) var trims: [LocalIdentifier: Range<Duration>] = [:]
  /// The frames of Live Photos that the user made their key photos, as times in their clips.
  private(set) var keyPhotoTimes: [LocalIdentifier: Duration] = [:]
  var strip = PickStrip()

  init(_ configuration: PickerConfiguration) {
    selection = Selection(configuration)
    history = PickHistory(selection)
    preselected = configuration.preselectedAssetIdentifiers
    hasPreselection = !preselected.isEmpty
    representation = configuration.representation
  }

  /// Whether a range is picked or unpicked; nil = there is none.
  var activeRange: (isRemoving: Bool, isDragged: Bool)? { range.map { ($0.isRemoving, $0.isDragged) } }

  /// Whether a bulk selection is running.
  var isBusy: Bool { bulk != nil }

  /// Whether nothing is picked any more, although the user or the caller had picked something.
  var isCleared: Bool {
    setAside == nil && selection.isEmpty && (history.wasChanged || hasPreselection)
  }

  /// The number of picks that leaving would lose; the caller's preselection is not lost.
  var countAtRisk: Int { history.hasChanges || range != nil ? (setAside ?? selection).count : 0 }

  /// The picks in the order that the caller requested.
  func results(_ options: PickerOptions, sort: AssetSort) -> [Asset] {
    (options.configuration.selection.isOrdered
      ? Array(selection.assets) : selection.assets.sorted(by: sort.areInIncreasingOrder)).map(delivered)
  }

  /// Returns an asset with the part of it and the key photo that the user chose.
  func delivered(_ asset: Asset) -> Asset {
    var asset = asset
    (asset.trim, asset.keyPhotoTime) = (trims[asset.id], keyPhotoTimes[asset.id])
    return asset
  }

  /// Delivers a part of a video; nil = all of it.
  mutating func trim(_ asset: Asset, to part: Range<Duration>?) { trims[asset.id] = part }

  /// Delivers a frame of a Live Photo's clip as its still image; nil = the original one.
  mutating func setKeyPhoto(of asset: Asset, at time: Duration?) { keyPhotoTimes[asset.id] = time }

  /// Unpicks an asset that does not meet the requirements any more.
  /// - Returns: whether it was picked.
  mutating func drop(_ asset: Asset) -> Bool {
    guard selection.contains(asset.id) else { return false }
    selection.remove(asset.id)
    return true
  }

  /// The options that change files, as text; nil if files are unchanged.
  /// - Parameter current: the photo under the cursor, which is the result if nothing is picked.
  func representationWords(_ locale: LocaleFormat, current: Asset?) -> String? {
    guard setAside == nil else { return nil }
    var kinds: Set<MediaType> = selection.tally.images > 0 ? [.image] : []
    if selection.tally.videos > 0 { kinds.insert(.video) }
    if kinds.isEmpty { kinds = [current?.mediaType == .video ? .video : .image] }
    let words = representation.words(locale, for: kinds)
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  /// Measures the picks differently; expensive only if the measure changes.
  mutating func use(_ measure: PickMeasure) { selection.use(measure) }

  // MARK: Single picks

  /// Picks or unpicks the current photo; keeps an active range.
  mutating func toggle(on ground: PickingGround) -> [PickConsequence] {
    guard let asset = ground.current else { return [] }
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
    // With a limit of 1, the new pick replaces the old one.
    if selection.isSingleChoice { selection.removeAll() }
    return selection.add(asset) ? [] : [.notice(selection.limitMessage(ground.locale))]
  }

  mutating func selectAll(on ground: PickingGround) -> [PickConsequence] {
    range = nil
    guard let first = ground.assets.first else { return [] }
    if first.deletion != nil { return [.notice("Deleted photos can't be picked", .error)] }
    return selectInBulk(from: 0, through: ground.assets.count - 1, on: ground)
  }

  mutating func unselectAll(on ground: PickingGround) -> [PickConsequence] {
    range = nil
    let count = selection.count
    selection.removeAll()
    if pendingAllowed != nil { pendingAllowed = [] }
    // All picks were removed with one key, so that undo is offered. There is no undo while access is chosen.
    guard count > 0, setAside == nil, let undo = ground.options.keyLabel(.undo) else { return [] }
    return [.notice("\(ground.locale.number(count)) unpicked. Press \(undo) to undo", .dim)]
  }

  // MARK: The clipboard

  /// The maximum number of bytes for terminals: xterm's buffer holds 100,000 bytes, and Base64 needs four
  /// bytes for three.
  private static let longestClipboardText = 74_000

  /// Copies the paths of the picks, or of the current photo, one per line.
  func copyPaths(on ground: PickingGround) -> [PickConsequence] {
    let photos =
      selection.isEmpty
      ? ground.current.map { [$0] } ?? [] : results(ground.options, sort: ground.sort)
    guard !photos.isEmpty else { return [.notice("Nothing to copy", .dim)] }
    if let photo = photos.first(where: { $0.deletion != nil }) {
      return [.notice("Nothing copied: \(photo.shortName) is deleted")]
    }
    if let photo = photos.first(where: \.pathBytes.hasLineBreak) {
      return [.notice("Nothing copied: \(photo.shortName) has a line break in its name")]
    }
    let text = Array(photos.map(\.pathBytes).joined(separator: [0x0A]))
    let count = ground.locale.number(photos.count)
    guard text.count <= Self.longestClipboardText else {
      return [.notice("\(count) paths are too long for the terminal's clipboard")]
    }
    let what = photos.count == 1 ? "the path" : "\(count) paths"
    return [.effect(.copy(text)), .notice("Copied \(what) to the clipboard", .dim)]
  }

  // MARK: The strip

  /// Opens the strip at the current photo if it is picked; closes an open strip.
  mutating func toggleStrip(on ground: PickingGround) -> [PickConsequence] {
    if strip.isOpen {
      strip.close()
      return []
    }
    guard !selection.isEmpty else { return [.notice("Nothing picked yet", .dim)] }
    strip.open(at: ground.current.flatMap { selection.number(of: $0.id) }.map { $0 - 1 } ?? 0)
    return [.reviewBegins]
  }

  /// Whether the user can reorder the picks.
  private func canReorder(_ options: PickerOptions) -> Bool {
    options.configuration.selection.isOrdered || setAside != nil
  }

  /// Handles a command in the strip; nil if it is handled as usual.
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

  /// Moves the strip's cursor to the clicked pick.
  /// - Parameter place: the index among the visible picks.
  /// - Returns: the pick; nil if there is none.
  mutating func clickStrip(at place: Int, in cells: GridGeometry, hasFocus: Bool) -> LocalIdentifier? {
    let index = strip.first(in: cells, count: selection.count, hasFocus: hasFocus) + place
    guard selection.assets.indices.contains(index) else { return nil }
    let columns = max(1, cells.columns)
    strip.setCursor(index, keeping: index / columns - place / columns, count: selection.count)
    return selection.assets[index].id
  }

  /// Moves a dragged pick to another position among the visible ones.
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

  /// Records the user's changes as one step.
  /// - Returns: whether there was a change.
  mutating func note() -> Bool {
    guard setAside == nil, range == nil, bulk == nil else { return false }
    return history.note(selection)
  }

  /// Undoes the last change.
  mutating func undo(on ground: PickingGround) -> [PickConsequence] {
    restore("Undone", else: "Nothing to undo", ground) { $0.undo() }
  }

  /// Repeats the change that was undone last.
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
    // A range is a separate step.
    let ended = endRange() + (note() ? [.noted] : [])
    guard let selection = step(&history) else { return ended + [.notice(nothing, .dim)] }
    self.selection = selection
    // The library reports which of the restored picks have vanished meanwhile.
    return ended + [.refetch, .notice("\(done): \(ground.locale.number(selection.count)) picked", .dim)]
  }

  // MARK: Ranges

  /// Starts a range at an asset, or confirms the active one.
  mutating func toggleRange(at asset: Asset, on ground: PickingGround) -> [PickConsequence] {
    if range != nil {
      range = nil
      return []
    }
    if asset.deletion != nil { return [.notice("Deleted photos can't be picked", .error)] }
    if selection.isSingleChoice { return [.notice("Only one photo can be picked: no range", .dim)] }
    if selection.excess > 0 { return [.notice(selection.excessMessage(ground.locale))] }
    return startRange(at: asset.id, on: ground)
  }

  /// Starts a range; a range dragged from a picked photo unpicks.
  mutating func startRange(
    at identifier: LocalIdentifier, isDragged: Bool = false, on ground: PickingGround
  ) -> [PickConsequence] {
    range = RangeSelection(
      start: identifier, countBefore: selection.count,
      isRemoving: isDragged && selection.contains(identifier), isDragged: isDragged)
    return extendRange(on: ground)
  }

  /// Keeps the picks of a range and ends it.
  mutating func keepRange() { range = nil }

  /// Keeps the picks of a range that is being dragged and ends it.
  mutating func keepDraggedRange() { if range?.isDragged ?? false { range = nil } }

  /// Ends a range before something else changes the selection; a drag must start anew.
  mutating func endRange() -> [PickConsequence] {
    defer { range = nil }
    return range?.isDragged ?? false ? [.release] : []
  }

  /// Cancels a range and keeps the earlier picks; a drag must start anew.
  mutating func cancelRange() -> [PickConsequence] {
    guard let range else { return [] }
    selection.truncate(to: range.countBefore)
    selection.putBack(range.removed)
    return endRange()
  }

  /// Picks the photos from the start of the range to the cursor, in that order, up to the limit.
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
      // Moving back towards the start unpicks the last photos.
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
      rules: ground.rules)
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

  /// Applies the result of a bulk selection; deferred messages can be handled afterwards.
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

  // MARK: Changes of the library

  /// The indexes of photos have changed: a range is picked again from its start.
  mutating func forgetIndexes() { range?.endIndex = nil }

  /// Picks the caller's preselected assets that were found.
  /// - Parameter isComplete: whether the library is completely known.
  mutating func preselect(
    _ answer: [Asset], isComplete: Bool, on ground: PickingGround
  ) -> [PickConsequence] {
    let rules = ground.rules
    guard setAside == nil, !preselected.isEmpty, bulk == nil else { return [] }
    // The duration of a video may still be unknown because it is being read.
    let read = answer.filter { isComplete || rules.requirements.shortfall(of: $0) != .unknownDuration }
    let found = Dictionary(read.map { ($0.id, $0) }) { first, _ in first }
    // A cancelled range removes all picks after its start, which would include these.
    let ended = endRange() + (note() ? [.noted] : [])
    // The caller knows its own preselection: it is reported only together with other changes.
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
    let unknown: [PickConsequence] =
      isComplete && !reportedUnknown && !preselected.isEmpty
      ? [
        .effect(.reportUnknown(preselected)),
        .notice(Self.words(forUnknown: preselected.count, ground.locale)),
      ]
      : []
    if isComplete { reportedUnknown = true }
    if let reason = reasons.first { return ended + unknown + [.notice(reason, .error)] }
    return ended + unknown + (selection.excess > 0 ? [.notice(selection.excessMessage(ground.locale))] : [])
  }

  private static func words(forUnknown count: Int, _ locale: LocaleFormat) -> String {
    count == 1
      ? "A preselected photo is not in the library"
      : "\(locale.number(count)) preselected photos are not in the library"
  }

  // MARK: Orders of the caller

  /// Sets the limit of the client's picks.
  mutating func limit(to limit: Int, on ground: PickingGround) -> [PickConsequence] {
    let ended = endRange() + (note() ? [.noted] : [])
    history.limit(to: limit)
    guard setAside == nil else {
      setAside?.limit = limit
      return ended
    }
    selection.limit = limit
    return ended + (selection.excess > 0 ? [.notice(selection.excessMessage(ground.locale))] : [])
  }

  /// Unpicks assets; undo does not restore them, because the user did not unpick them.
  mutating func deselect(_ identifiers: [LocalIdentifier], on ground: PickingGround) -> [PickConsequence] {
    let gone = Set(identifiers)
    preselected.removeAll { gone.contains($0) }
    let ended = endRange() + (note() ? [.noted] : [])
    history.keep { !gone.contains($0) }
    guard setAside == nil else {
      setAside?.keep { !gone.contains($0) }
      return ended
    }
    selection.keep { !gone.contains($0) }
    history.adopt(selection)
    return ended
  }

  /// Moves a pick behind another one, or to the first place; does nothing if one of them is not picked.
  mutating func move(_ identifier: LocalIdentifier, after other: LocalIdentifier?) -> [PickConsequence] {
    guard setAside == nil else { return [] }
    let ended = endRange() + (note() ? [.noted] : [])
    guard let from = selection.number(of: identifier).map({ $0 - 1 }) else { return ended }
    var target = 0
    if let other {
      guard other != identifier, let before = selection.number(of: other).map({ $0 - 1 }) else {
        return ended
      }
      target = from < before ? before : before + 1
    }
    selection.move(from: from, to: target)
    history.adopt(selection)
    return ended
  }

  /// Unpicks assets that have vanished from the library.
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

  /// Replaces the client's picks, which are kept, with the accessible photos.
  mutating func beginManaging() {
    range = nil
    setAside = selection
    selection = Selection(limit: 0)
    pendingAllowed = nil
  }

  /// Picks the photos that are already accessible and that the last fetch returned.
  ///
  /// The others stay in `pendingAllowed` and remain accessible: only the user can revoke access. During a
  /// bulk selection nothing is picked, because its result would replace these picks.
  mutating func add(allowed: Set<LocalIdentifier>, on ground: PickingGround) -> [PickConsequence] {
    var waiting = pendingAllowed ?? allowed
    defer { pendingAllowed = waiting }
    guard bulk == nil, !waiting.isEmpty else { return [] }
    let assets = ground.assets
    waiting = waiting.filter { !selection.contains($0) }
    let found = assets.indices.filter { waiting.remove(assets.identifier(at: $0)) != nil }
    // A cancelled range removes all picks after its start, which would include these.
    let ended = found.isEmpty ? [] : endRange()
    for index in found { _ = selection.add(assets[index]) }
    return ended
  }

  /// Restores the client's picks.
  /// - Returns: the photos that the client may see from now on; nil = unchanged.
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

  // MARK: Reports to the caller

  /// Reports the selection if it has changed and the caller wants continuous reports.
  mutating func report(_ options: PickerOptions, sort: AssetSort) -> [PickerEffect] {
    guard options.configuration.selection.isContinuous, setAside == nil, range == nil else { return [] }
    let picked = selection.identifiers
    guard picked != reported else { return [] }
    reported = picked
    return [.report(results(options, sort: sort))]
  }

  /// Reports the asset under the cursor if it can be a result and differs from the last reported one.
  mutating func follow(_ asset: Asset, by rules: PickRules) -> [PickerEffect] {
    guard asset.id != followed, rules.reasonNotSelectable(asset) == nil else { return [] }
    followed = asset.id
    return [.follow(asset)]
  }

  /// Changes the format, size and metadata of the results.
  mutating func handOver(as representation: RepresentationOptions) -> [PickConsequence] {
    guard representation != self.representation else { return [] }
    // Ends the range: if it were cancelled later, it would restore picks that were measured for the former
    // options.
    defer { self.representation = representation }
    return endRange()
  }
}

/// The photos to pick from, and the rules for it.
struct PickingGround {
  let options: PickerOptions
  let rules: PickRules
  /// The photos that are shown.
  let assets: FetchResult<Asset>
  /// The index of the photo that a range extends to.
  let cursor: Int
  /// The photo under the cursor of the focused pane.
  let current: Asset?
  /// What plays; nil = nothing.
  let played: PlayedClip?
  /// The order of results that have none of their own.
  let sort: AssetSort
  /// The generation of the query that the photos answer; 0 = none.
  let answeredGeneration: Int

  var locale: LocaleFormat { options.locale }
}

/// An action elsewhere that follows from a change of the picks.
enum PickConsequence {
  case effect(PickerEffect)
  case notice(String, TextStyle.Tone = .warning)
  /// Undo has a new step: the user's earlier change of the selection.
  case noted
  /// The library must be fetched again.
  case refetch
  /// Catches up after a bulk selection: fetch results that arrived meanwhile could neither add preselected or
  /// allowed assets nor report which of the new picks have vanished.
  case catchUp(after: BulkSelection)
  /// The mouse stops dragging.
  case release
  /// The strip gets the focus.
  case reviewBegins
}

/// A range of photos from its start to the cursor.
private struct RangeSelection {
  /// The photo at its start.
  var start: LocalIdentifier
  /// The number of picks before the range; all later ones belong to it.
  var countBefore: Int
  /// The picks removed by a range that unpicks.
  var removed = Selection.Removed()
  /// The index of the last photo added to the selection; nil = the range must be picked again from its start.
  var endIndex: Int?
  /// Whether the range unpicks.
  var isRemoving = false
  /// Whether it is being dragged with the mouse.
  var isDragged = false
}

extension PickerState {
  /// Changes the picks, and performs the consequences.
  mutating func choose(
    _ change: (inout Picks, PickingGround) -> [PickConsequence]
  ) -> [PickerEffect] {
    let ground = PickingGround(
      options: options, rules: rules, assets: library.assets, cursor: grid.cursor, current: current,
      played: PlayedClip(of: self), sort: library.userFilter.sort,
      answeredGeneration: library.answeredQuery?.generation ?? 0)
    var effects: [PickerEffect] = []
    for consequence in change(&picks, ground) {
      switch consequence {
      case .effect(let effect): effects.append(effect)
      case .notice(let text, let tone): effects += status.showNotice(text, tone)
      case .noted: edits.notePicks()
      case .refetch: effects += refetch()
      case .release: input.mouse.release()
      case .reviewBegins: setFocus(.strip)
      case .catchUp(let bulk):
        if authorization.mode == .managing {
          effects += choose { [allowed = authorization.allowed] in $0.add(allowed: allowed, on: $1) }
        }
        if library.isFetching || ground.answeredGeneration != bulk.answeredGeneration { effects += refetch() }
      }
    }
    return effects
  }
}
