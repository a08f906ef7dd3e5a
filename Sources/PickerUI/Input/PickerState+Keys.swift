import AssetLibrary
import Pixels

extension PickerState {
  /// Handles a key: what is open comes first, from the top, then the focused pane.
  mutating func press(_ key: Key) -> [PickerEffect] {
    let command = options.bindings.command(for: key)
    if command == .redraw || command == .suspend, let command { return command.row.perform(&self) }
    if layers.has(.modal) { return offer(.key(key, command)) ?? [] }
    guard showsLibrary else { return offerToPage(.key(key, command)) }
    let leaves = confirmsLeaving(key, command)
    status.notice = nil
    if leaves { return [.finish(.cancelled)] }
    if key == .control("c"), command == .cancel { return leave(by: key.label(symbols)) }
    if isExpected(key) { return confirm(by: key) }
    if let program = program(for: key) { return run(program) }
    if let effects = offer(.key(key, command)) { return effects }
    guard let command else { return tellKeys() }
    if grid.anchor == nil { grid.anchor = current?.id }
    guard command == .jump else { return perform(command) }
    guard input.focus == .grid, !preview.isFullScreen, !library.assets.isEmpty else { return [] }
    let effects = openPrompt(.jump)
    // A digit is the first character typed; any other key bound to the command only opens the prompt.
    guard case .character(let character) = key, ("0"..."9").contains(character) else { return effects }
    return offer(.key(key, command)) ?? []
  }

  /// Says once where the keys are, after one that does nothing.
  private mutating func tellKeys() -> [PickerEffect] {
    guard !status.hasToldKeys, let help = keyLabel(.help) else { return [] }
    status.hasToldKeys = true
    return showNotice("\(help) for keys", .dim)
  }

  /// Picks a photo, or takes it back, and goes on to the next or the previous one.
  ///
  /// In the albums it changes panes as Tab usually does. A photo that can't be picked says why, and keeps the cursor.
  mutating func toggleAndMove(by step: Int) -> [PickerEffect] {
    if input.focus == .sidebar { return nextPane(step) }
    let before = picks.selection.assets.map(\.id)
    let effects = perform(.toggle)
    guard picks.selection.assets.map(\.id) != before else { return effects }
    // What is taken back in the strip of picks makes room for the next one.
    if input.focus == .strip, step > 0 { return effects }
    return effects + perform(step > 0 ? .right : .left)
  }

  /// Performs a command in the focused pane, or as its row says.
  mutating func perform(_ command: Command) -> [PickerEffect] {
    if command == .toggleNext || command == .togglePrevious { return command.row.perform(&self) }
    if preview.isFullScreen, let effects = performInFullScreen(command) { return effects }
    if let reason = reasonUnavailable(command) { return reason.isEmpty ? [] : showNotice(reason, .dim) }
    if input.focus == .sidebar, let effects = performInSidebar(command) { return effects }
    if input.focus == .strip, let effects = performInStrip(command) { return effects }
    return command.row.perform(&self)
  }

  /// Why a command is unavailable; nil if it is available, empty if it is ignored silently.
  private func reasonUnavailable(_ command: Command) -> String? {
    command.row.needs.lazy.compactMap { reasonLacking($0, for: command) }.first
  }

  private func reasonLacking(_ need: Command.Need, for command: Command) -> String? {
    switch need {
    case .grid: preview.isFullScreen ? "" : nil
    case .preview: allows(.preview) ? nil : "there is no preview here"
    case .search: allows(.search) || input.focus == .sidebar ? nil : "there is no search here"
    case .filters: allows(.search) ? nil : "there are no filters here"
    case .selectionActions: allows(.selectionActions) ? nil : "photos are selected one by one here"
    case .options: reasonForNoOptions
    case .changes: reasonForNoChanges
    }
  }
}

extension PickerState {
  /// Why the library can't be changed; nil where it can.
  private var reasonForNoChanges: String? {
    if options.isReadOnly { return "the library is read-only here" }
    return authorization.mode == .picking ? nil : "not while the accessible photos are chosen"
  }

  /// Draws everything anew, and reads what could not be read.
  mutating func redraw() -> [PickerEffect] {
    forgetPictures()
    guard library.status.isStopped || canTryAgain else { return [.redraw] }
    status.notice = nil
    return [.redraw, .resumeReading]
  }

  /// Opens a menu beside the grid, which has the focus.
  mutating func open(_ menu: some Menu) -> [PickerEffect] {
    if var prompt = layers[Prompt.self], !prompt.leaves(in: self) {
      layers[Prompt.self] = prompt
      return []
    }
    layers.close(.prompt)
    if layout.sidebarFloats { setFocus(.grid) }
    layers.open(menu)
    return []
  }

  /// The next pane, or what the last line offers Tab for: all photos, or the word that was probably meant.
  mutating func goToNextPane() -> [PickerEffect] {
    if input.focus == .grid {
      if isFoundOnlyElsewhere { return searchAllPhotos() }
      if correction != nil { return takeCorrection() }
    }
    return nextPane(1)
  }

  mutating func togglePreview() -> [PickerEffect] {
    preview.isWanted = !layout.showsPreview
    return []
  }

  mutating func toggleFullScreen() -> [PickerEffect] {
    if preview.isFullScreen {
      preview.isFullScreen = false
    } else if current != nil {
      openFullScreen()
    }
    return []
  }

  /// Copies the paths of the picks, or of the photo under the cursor, one a line.
  mutating func copyPaths() -> [PickerEffect] {
    let photos = picks.selection.isEmpty ? current.map { [$0] } ?? [] : results(picks.selection.assets)
    guard !photos.isEmpty else { return showNotice("there is nothing to copy", .dim) }
    if let photo = photos.first(where: \.pathBytes.hasLineBreak) {
      return showNotice("\(photo.shortName) has a line break in its name: nothing was copied", .warning)
    }
    let text = Array(photos.map(\.pathBytes).joined(separator: [0x0A]))
    guard text.count <= Self.longestClipboardText else {
      return showNotice(
        "\(options.locale.number(photos.count)) paths are too long for the clipboard of a terminal", .warning)
    }
    let what = photos.count == 1 ? "the path" : "\(options.locale.number(photos.count)) paths"
    return [.copy(text)] + showNotice("copied \(what) to the clipboard", .dim)
  }

  /// The most bytes that terminals take: xterm's buffer has room for 100,000 bytes, of which Base64 takes four for three.
  private static let longestClipboardText = 74_000
}

/// The state of input: the focus and the mouse.
struct InputState: Sendable {
  /// A pane that can have the focus.
  enum Pane: Hashable, Sendable {
    case sidebar, grid
    /// The strip with the selection.
    case strip
  }

  var focus = Pane.grid
  var mouse = MouseState()
}

extension PickerState {
  mutating func moveInGrid(_ command: Command) -> [PickerEffect] {
    guard !library.assets.isEmpty else { return [] }
    let geometry = layout.cells
    // In full screen all directions mean the next or the previous picture.
    let isLine = preview.isFullScreen || geometry.columns == 0
    return moveCursor(
      to: grid.index(
        after: command, isLine: isLine, page: isLine ? 10 : max(1, geometry.wholeRows),
        count: library.assets.count))
  }

  /// Changes the number of tiles in a row.
  mutating func changeColumns(by step: Int) -> [PickerEffect] {
    grid.size = .columns(max(2, min(GridSize.columnRange.upperBound, layout.cells.columns + step)))
    return []
  }

  /// Moves the cursor to an asset and extends the active range to it.
  mutating func moveCursor(to index: Int) -> [PickerEffect] {
    guard !library.assets.isEmpty else { return [] }
    grid.moveCursor(to: index, in: library.assets)
    return extendRange()
  }
}
