import AssetLibrary
import Pixels

extension PickerState {
  /// Handles input: open layers first, from the top, then the focused pane.
  mutating func handle(_ input: LayerInput) -> [PickerEffect] {
    switch input {
    case .key(let key, let command): press(key, command)
    case .mouse(let event): handle(event)
    case .paste(let text): paste(text)
    }
  }

  /// Handles a key.
  ///
  /// Some keys come before the layers: those of redraw and suspend, Ctrl-C, and the caller's keys.
  private mutating func press(_ key: Key, _ command: Command?) -> [PickerEffect] {
    if command == .redraw || command == .suspend, let command { return command.row.perform?(&self) ?? [] }
    if layers.has(.modal) || !layers.showsLibrary { return offer(.key(key, command)) ?? [] }
    let leaves = confirmsLeaving(key, command)
    status.notice = nil
    if leaves { return [.finish(.cancelled)] }
    if key == .control("c"), command == .cancel { return leave(by: key.label(options.symbols)) }
    switch options.callerKeys.meaning(of: key, in: self) {
    case .confirms: return confirm(by: key)
    case .runs(let program): return run(program)
    case nil: break
    }
    if let effects = offer(.key(key, command)) { return effects }
    guard let command else { return showHelpHint() }
    grid.settleCursor(on: current?.id)
    if command == .seekTenth { return seekTenth(key) }
    guard command == .jump else { return perform(command) }
    guard input.focus == .grid, !preview.isFullScreen, !library.assets.isEmpty else { return [] }
    layers.open(Prompt(.jump, in: self))
    // A digit opens the prompt and is its first character. Any other key of the command only opens it.
    guard case .character(let character) = key, ("0"..."9").contains(character) else { return [] }
    return offer(.key(key, command)) ?? []
  }

  /// Inserts pasted text into the prompt, or opens a search for it.
  private mutating func paste(_ text: String) -> [PickerEffect] {
    guard layers.showsLibrary, !layers.has(.box), !layers.has(.modal), !text.isEmpty else { return [] }
    status.notice = nil
    if layers[Prompt.self] == nil {
      guard options.allows(.search), !preview.isFullScreen, input.focus != .strip else { return [] }
      grid.settleCursor(on: current?.id)
      layers.open(Prompt(input.focus == .sidebar ? .album : .search, in: self))
    }
    return offer(.paste(text)) ?? []
  }

  /// Shows the tenth of what plays that the digit of a key names.
  private mutating func seekTenth(_ key: Key) -> [PickerEffect] {
    guard case .character(let character) = key, let tenth = character.wholeNumberValue else { return [] }
    return controlPlayback { $0.seek(to: .fraction(Double(tenth) / 10), $1) }
  }

  /// Runs one of the caller's programs on the current photo and the picks.
  private mutating func run(_ program: ProgramKey) -> [PickerEffect] {
    let picked = picks.results(options, sort: library.userFilter.sort)
    guard let run = ProgramRun(program, current: current, picked: picked) else {
      return status.showNotice("No photo to run this on", .dim)
    }
    return program.kind == .become ? [.finish(.become(run))] : [.run(run)]
  }

  /// After the first key without a meaning, tells the user which key opens the help.
  private mutating func showHelpHint() -> [PickerEffect] {
    guard !status.hasShownHelpHint, let help = options.keyLabel(.help) else { return [] }
    status.hasShownHelpHint = true
    return status.showNotice("Press \(help) for help", .dim)
  }

  /// Picks or unpicks a photo, and moves on to the next or the previous one.
  ///
  /// With the focus on the albums it changes panes: `fzf`'s preset binds this command to Tab, whose default
  /// command does that. If a photo can't be picked, the reason is shown and the cursor stays.
  private mutating func toggleAndMove(by step: Int) -> [PickerEffect] {
    if input.focus == .sidebar { return nextPane(step) }
    let before = picks.selection.assets.map(\.id)
    let effects = perform(.toggle)
    guard picks.selection.assets.map(\.id) != before else { return effects }
    // In the strip, the next pick moves up when one is removed.
    if input.focus == .strip, step > 0 { return effects }
    return effects + perform(step > 0 ? .right : .left)
  }

  /// Performs a command in the focused pane, or the default of the command.
  mutating func perform(_ command: Command) -> [PickerEffect] {
    if command == .toggleNext { return toggleAndMove(by: 1) }
    if command == .togglePrevious { return toggleAndMove(by: -1) }
    if preview.isFullScreen, let effects = performInFullScreen(command) { return effects }
    if let reason = reasonUnavailable(command) {
      return reason.isEmpty ? [] : status.showNotice(reason, .dim)
    }
    if input.focus == .sidebar, let effects = performInSidebar(command) { return effects }
    if input.focus == .strip, let effects = performInStrip(command) { return effects }
    return moveInGrid(command) ?? command.row.perform?(&self) ?? []
  }

  /// Why the library can't be changed; nil if it can.
  private var reasonForNoChanges: String? {
    if options.isReadOnly { return "The library is read-only" }
    return authorization.mode == .picking ? nil : "Not available while you choose accessible photos"
  }

  /// Why a command is unavailable; nil if it is available, empty if it is ignored silently.
  private func reasonUnavailable(_ command: Command) -> String? {
    command.row.needs.lazy.compactMap { reasonLacking($0, for: command) }.first
  }

  private func reasonLacking(_ need: Command.Need, for command: Command) -> String? {
    switch need {
    case .grid:
      // Deleted photos are restored in full screen too.
      preview.isFullScreen && !(command == .renameAlbum && library.handlesDeletedPhotos(in: input.focus))
        ? "" : nil
    case .preview: options.allows(.preview) ? nil : "The preview is disabled"
    case .search: options.allows(.search) || input.focus == .sidebar ? nil : "Search is disabled"
    case .filters: options.allows(.search) ? nil : "Filters are disabled"
    case .selectionActions: options.allows(.selectionActions) ? nil : "Only single photos can be picked"
    case .stagingArea: options.allows(.stagingArea) ? nil : "The strip of picks is disabled"
    case .options: rules.reasonForNoOptions
    case .changes:
      // In the strip these keys order the picks, not the library.
      authorization.mode == .picking && input.focus == .strip && [.moveEarlier, .moveLater].contains(command)
        ? nil : reasonForNoChanges
    case .photosOfLibrary:
      library.handlesDeletedPhotos(in: input.focus)
        ? "Deleted photos can only be restored or deleted for good" : nil
    }
  }
}

extension PickerState {
  /// Opens a menu beside the grid, and moves the focus there.
  mutating func open(_ menu: some Menu) -> [PickerEffect] {
    if var prompt = layers[Prompt.self], !prompt.leaves(in: self) {
      layers[Prompt.self] = prompt
      return []
    }
    layers.close(.prompt)
    if layout.sidebarFolds { setFocus(.grid) }
    layers.open(menu)
    return []
  }
}

/// What Esc closes or stops.
enum Closable: Hashable {
  case work(Work)
  case fullScreen, range, strip, albums, info, search, access
  case reading(Work)
  case picker

  init(of picker: PickerState) {
    let (filter, status) = (picker.library.userFilter, picker.status)
    if let work = status.stoppableWork {
      self = .work(work)
    } else if picker.preview.isFullScreen {
      self = .fullScreen
    } else if picker.picks.activeRange != nil {
      self = .range
    } else if picker.picks.strip.isOpen {
      self = .strip
    } else if picker.input.focus == .sidebar {
      self = .albums
    } else if picker.preview.showsInfo {
      self = .info
    } else if !filter.text.isEmpty, filter.text != picker.options.search.text {
      self = .search
    } else if picker.authorization.mode == .managing {
      self = .access
    } else {
      // The library scan comes last; q cancels the picker at any time.
      self = status.stoppableReading(of: picker.library.status).map(Closable.reading) ?? .picker
    }
  }
}

/// The state of input: the focus and the mouse.
struct InputState: Sendable {
  /// A pane that can have the focus.
  enum Pane: Hashable, Sendable {
    case sidebar, grid
    /// The strip of picks.
    case strip
  }

  var focus = Pane.grid
  var mouse = MouseState()
  /// Input that arrived before the photos it applies to.
  var waiting = WaitingInput()
}

extension PickerState {
  /// Moves the cursor of the grid; nil if the command does not move it.
  private mutating func moveInGrid(_ command: Command) -> [PickerEffect]? {
    let geometry = layout.cells
    // In full screen all directions mean the next or the previous picture.
    let isLine = preview.isFullScreen || geometry.columns == 0
    guard
      let index = grid.index(
        after: command, isLine: isLine, page: isLine ? 10 : max(1, geometry.wholeRows),
        count: library.assets.count)
    else { return nil }
    return moveCursor(to: index)
  }

  /// Moves the cursor to an asset and extends the active range to it.
  mutating func moveCursor(to index: Int) -> [PickerEffect] {
    guard !library.assets.isEmpty else { return [] }
    grid.moveCursor(to: index, in: library.assets)
    guard picks.activeRange != nil else { return [] }
    return choose { $0.extendRange(on: $1) }
  }
}

extension PickerState {
  /// Moves the focus to the next or previous pane, or performs what the last line offers for Tab: searching
  /// all photos, or applying the suggested correction.
  mutating func nextPane(_ step: Int) -> [PickerEffect] {
    if step > 0, input.focus == .grid {
      if library.isFoundOnlyElsewhere { return searchAllPhotos() }
      if library.correction != nil { return library.applyCorrection() ? filterChanged() : [] }
    }
    var panes: [InputState.Pane] = [.grid]
    if options.allows(.collectionNavigation) { panes.insert(.sidebar, at: 0) }
    if picks.strip.isOpen { panes.append(.strip) }
    let index = panes.firstIndex(of: input.focus) ?? 0
    setFocus(panes[(index + step + panes.count) % panes.count])
    if input.focus == .sidebar { sidebar.target = library.album }
    return []
  }

  /// Focuses a pane; leaving the grid ends an active range and keeps what it selected.
  mutating func setFocus(_ pane: InputState.Pane) {
    if pane != .grid {
      _ = choose { picks, _ in picks.endRange() }
      input.mouse.release()
    }
    input.focus = pane
  }

  /// Closes what was opened last; cancels the picker if nothing is open, or if everything is to be closed.
  mutating func close(everything: Bool = false) -> [PickerEffect] {
    if everything { return leave(by: options.keyLabel(.cancel)) }
    switch Closable(of: self) {
    case .work(let work), .reading(let work): return status.stop(work)
    case .fullScreen: preview.leaveFullScreen()
    case .range: return choose { picks, _ in picks.cancelRange() }
    case .strip: picks.strip.close()
    case .albums:
      setFocus(.grid)
      if !sidebar.albums.filter.isEmpty { sidebar.albums.filter(by: "") }
    case .info: preview.closeInfo()
    case .search:
      library.userFilter.setSearchText("")
      return filterChanged()
    case .access: return endManaging(keeping: false)
    case .picker: return leave(by: options.keyLabel(.close))
    }
    return []
  }

  /// Opens the current photo in full screen; a focused sidebar loses the focus, because it is hidden.
  mutating func openFullScreen() {
    preview.enterFullScreen()
    if input.focus == .sidebar { setFocus(.grid) }
    updateLayout()
  }

  // MARK: Full screen

  /// Handles a command in full screen; nil for those handled as usual.
  private mutating func performInFullScreen(_ command: Command) -> [PickerEffect]? {
    switch command {
    case .largerThumbnails, .smallerThumbnails:
      if let asset = current, !preview.presented(asset).isBroken,
        let frame = PreviewPlace(of: self).zoomFrame(of: asset)
      {
        preview.zoom(inward: command == .largerThumbnails, in: frame)
      }
      return []
    case .zoom: return toggleZoom()
    default: break
    }
    guard PreviewPlace(of: self).isZoomed(current),
      let frame = current.flatMap(PreviewPlace(of: self).zoomFrame)
    else { return nil }
    switch command {
    case .left: preview.pan(-1, 0, in: frame)
    case .right: preview.pan(1, 0, in: frame)
    case .up: preview.pan(0, -1, in: frame)
    case .down: preview.pan(0, 1, in: frame)
    case .pageUp: return showNeighbor(-1)
    case .pageDown: return showNeighbor(1)
    case .close: preview.zoomOut()
    default: return nil
    }
    return []
  }

  /// Zooms to 100%, or back to the whole picture.
  mutating func toggleZoom() -> [PickerEffect] {
    guard options.allows(.preview), let asset = current, !preview.presented(asset).isBroken else { return [] }
    openFullScreen()
    if let frame = PreviewPlace(of: self).zoomFrame(of: asset) { preview.toggleZoom(in: frame) }
    return []
  }

  /// Shows the next or previous picture, in full screen at the same scale and position.
  mutating func showNeighbor(_ step: Int) -> [PickerEffect] {
    let command: Command = step > 0 ? .right : .left
    return (input.focus == .strip ? performInStrip(command) : moveInGrid(command)) ?? []
  }

  /// Shows the next or previous picture of the burst at the cursor, in full screen.
  mutating func stepInBurst(_ step: Int) -> [PickerEffect] {
    guard let asset = current else { return [] }
    guard let identifier = asset.burstIdentifier else {
      return status.showNotice("\(asset.shortName) is not part of a burst", .dim)
    }
    guard input.focus != .strip else {
      return status.showNotice(
        "Bursts can be viewed from the grid, not from the selection", .dim)
    }
    openFullScreen()
    guard preview.step(by: step, inBurstOf: asset) else { return [] }
    var options = FetchOptions(filter: self.options.configuration.filter)
    options.includeHiddenAssets = library.userFilter.showsHidden
    options.sortDescriptors = AssetSort.oldest.descriptors
    return [.loadBurst(identifier, options, authorization.mode)]
  }

  // MARK: The strip

  /// Handles a command in the strip; nil if it is handled as usual.
  private mutating func performInStrip(_ command: Command) -> [PickerEffect]? {
    var isTaken = false
    let effects = choose { [cells = layout.strip.cells] picks, ground in
      guard let consequences = picks.handleInStrip(command, in: cells, ground.options) else { return [] }
      isTaken = true
      return consequences
    }
    return isTaken ? effects : nil
  }

  // MARK: The albums

  /// Handles a command in the sidebar; nil if it is handled as usual.
  mutating func performInSidebar(_ command: Command) -> [PickerEffect]? {
    switch sidebar.handle(command) {
    case .show(let target): return target != library.album ? open(target) : []
    case .leave:
      setFocus(.grid)
      return []
    case .find:
      layers.open(Prompt(.album, in: self))
      return []
    case .nothing: return []
    case nil: return nil
    }
  }

  // MARK: Widths

  /// The step by which a key changes widths: in cells for the sidebar, in percent of the window for the
  /// preview.
  private static let (sidebarStep, previewStep) = (2, 3)

  /// Changes the width of a pane: the sidebar if it has the focus or there is no preview beside the grid,
  /// else the preview.
  mutating func changeWidth(by step: Int) -> [PickerEffect] {
    if let area = layout.sidebar, input.focus == .sidebar || !layout.hasPreviewBesideGrid {
      sidebar.setWidth(area.columns + step * Self.sidebarStep, screen: layout.screen)
    } else if layout.hasPreviewBesideGrid {
      preview.setShare(layout.shownPreviewShare + step * Self.previewStep)
    } else {
      return status.showNotice("No pane to resize", .dim)
    }
    return []
  }

}

extension PickerState {
  /// Cancels the picker, but asks first if picks would be lost.
  /// - Parameter key: the label of the key that was pressed.
  private mutating func leave(by key: String?) -> [PickerEffect] {
    let lost = picks.countAtRisk
    guard lost > 0 else { return [.finish(.cancelled)] }
    layers.close(.box)
    let picks = options.locale.count(lost, "pick", "picks")
    let question = "Press \(key ?? "the same key") again to discard \(picks)"
    let effects = status.showNotice(question + "; any other key returns")
    status.notice?.asksToLeave = true
    return effects
  }

  /// Whether a key answers the question by discarding the picks.
  private func confirmsLeaving(_ key: Key, _ command: Command?) -> Bool {
    guard status.asksToLeave, command == .close || command == .cancel else { return false }
    // In a prompt, characters are text.
    if layers[Prompt.self] != nil, case .character = key { return false }
    return true
  }
}
