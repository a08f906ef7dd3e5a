import AssetLibrary
import Pixels

extension PickerState {
  /// Handles a key: a consent page or an overlay comes first, then the prompt, then the focused pane.
  mutating func press(_ key: Key) -> [PickerEffect] {
    let command = options.bindings.command(for: key)
    switch command {
    case .redraw:
      forgetPictures()
      guard library.status.isStopped || canTryAgain else { return [.redraw] }
      status.notice = nil
      return [.redraw, .resumeReading]
    case .suspend: return [.suspend]
    default: break
    }
    switch page {
    case .refused(let status): return [.finish(.refused(status))]
    case .opening: return command == .cancel || command == .close ? [.finish(.cancelled)] : []
    case .consent(let request, let choice): return answer(request, choice, key, command)
    case .library: break
    }
    let leaves = confirmsLeaving(key, command)
    status.notice = nil
    if leaves { return [.finish(.cancelled)] }
    if key == .control("c"), command == .cancel { return leave(by: key.label(symbols)) }
    if isExpected(key) { return confirm(by: key) }
    if let program = program(for: key) { return run(program) }
    if let overlay = input.overlay { return press(key, command, in: overlay) }
    if input.prompt != nil { return type(key) }
    guard let command else { return tellKeys() }
    if grid.anchor == nil { grid.anchor = current?.id }
    if command == .jump {
      guard input.focus == .grid, !preview.isFullScreen, !library.assets.isEmpty else { return [] }
      let effects = openPrompt(.jump)
      // A digit is the first character typed; any other key bound to the command only opens the prompt.
      guard case .character(let character) = key, ("0"..."9").contains(character) else { return effects }
      return type(key)
    }
    return perform(command)
  }

  /// Handles a key of the consent prompt: arrows choose, Enter answers, and each answer has a letter.
  private mutating func answer(
    _ request: ConsentRequest, _ choice: ConsentDecision, _ key: Key, _ command: Command?
  ) -> [PickerEffect] {
    let choices = ConsentDecision.answers(to: request.level)
    let index = choices.firstIndex(of: choice) ?? 0
    switch (key, command) {
    case (.character(let letter), _) where choices.contains { $0.letter == letter }:
      return choices.first { $0.letter == letter }.map { decide($0, request) } ?? []
    case (_, .up), (_, .left), (_, .previousPane):
      page = .consent(request, choice: choices[max(0, index - 1)])
    case (_, .down), (_, .right), (_, .nextPane):
      page = .consent(request, choice: choices[min(choices.count - 1, index + 1)])
    case (_, .confirm): return decide(choice, request)
    case (_, .close), (_, .cancel): return [.finish(.cancelled)]
    default: break
    }
    return []
  }

  private mutating func decide(_ decision: ConsentDecision, _ request: ConsentRequest) -> [PickerEffect] {
    // Where it is about seeing photos there is nothing behind the prompt that may be shown yet.
    page = request.level == .addOnly ? pageOfStatus : .opening
    // Who selects photos wants to see them.
    if decision == .selectPhotos { authorization.choosesAccess = true }
    return [.answerConsent(decision)]
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
  private mutating func toggleAndMove(by step: Int) -> [PickerEffect] {
    if input.focus == .sidebar { return nextPane(step) }
    let before = picks.selection.assets.map(\.id)
    let effects = perform(.toggle)
    guard picks.selection.assets.map(\.id) != before else { return effects }
    // What is taken back in the strip of picks makes room for the next one.
    if input.focus == .strip, step > 0 { return effects }
    return effects + perform(step > 0 ? .right : .left)
  }

  /// Performs a command in the focused pane.
  mutating func perform(_ command: Command) -> [PickerEffect] {
    if command == .toggleNext || command == .togglePrevious {
      return toggleAndMove(by: command == .toggleNext ? 1 : -1)
    }
    if preview.isFullScreen, let effects = performInFullScreen(command) { return effects }
    if let reason = reasonUnavailable(command) { return reason.isEmpty ? [] : showNotice(reason, .dim) }
    if input.focus == .sidebar, let effects = performInSidebar(command) { return effects }
    if input.focus == .strip, let effects = performInStrip(command) { return effects }
    switch command {
    case .left, .right, .up, .down, .pageUp, .pageDown, .first, .last: return moveInGrid(command)
    case .toggle: return toggle()
    case .toggleNext, .togglePrevious: return []
    case .confirm: return confirm()
    case .selectAll: return selectAll()
    case .unselectAll: return unselectAll()
    case .range: return toggleRange()
    case .review: return openStrip()
    case .moveEarlier, .moveLater: return []
    case .search: return openPrompt(.search)
    case .jump: return []
    case .filterMenu: return open(.filters(MenuState()))
    case .sortMenu:
      let order = library.userFilter.sort.menuOrder
      return open(.sorts(MenuState(cursor: order.flatMap(AssetSort.allCases.firstIndex) ?? 0)))
    case .optionsMenu: return openOptions()
    case .showHidden: return showHidden()
    case .removeFilter: return removeLastFilter()
    case .showEverything: return showEverything()
    case .nextPane where input.focus == .grid && isFoundOnlyElsewhere: return searchAllPhotos()
    case .nextPane where input.focus == .grid && correction != nil: return takeCorrection()
    case .nextPane: return nextPane(1)
    case .previousPane: return nextPane(-1)
    case .togglePreview: preview.isWanted = !layout.showsPreview
    case .openFullScreen where preview.isFullScreen: preview.isFullScreen = false
    case .openFullScreen: if current != nil { openFullScreen() }
    case .zoom: return toggleZoom()
    case .nextVersion: return nextVersion()
    case .nextInBurst: return stepInBurst(1)
    case .previousInBurst: return stepInBurst(-1)
    case .play: return togglePlayback()
    case .info: toggleInfo()
    case .infoDown: scrollInfo(by: 1)
    case .infoUp: scrollInfo(by: -1)
    case .largerThumbnails: setColumns(layout.cells.columns - 1)
    case .smallerThumbnails: setColumns(layout.cells.columns + 1)
    case .widerPane: return changeWidth(by: 1)
    case .narrowerPane: return changeWidth(by: -1)
    case .manageAccess:
      if authorization.status != .limited {
        return showNotice("you can see every photo: there is nothing to choose", .dim)
      }
      return manageAccess()
    case .help: input.overlay = .help(HelpState())
    case .close: return close()
    case .cancel: return leave(by: keyLabel(.cancel))
    case .undo: return undo()
    case .redo: return redo()
    case .redraw, .suspend: return []
    }
    return []
  }

  /// Why a command is unavailable; nil if it is available, empty if it is ignored silently.
  private func reasonUnavailable(_ command: Command) -> String? {
    // In full screen the grid is not visible, so it can't be changed.
    let needsGrid: Set<Command> = [
      .nextPane, .previousPane, .togglePreview, .largerThumbnails, .smallerThumbnails, .widerPane,
      .narrowerPane,
      .search, .filterMenu,
      .sortMenu, .jump, .showHidden, .removeFilter, .showEverything, .range, .optionsMenu,
    ]
    if preview.isFullScreen, needsGrid.contains(command) { return "" }
    switch command {
    case .search where !allows(.search) && input.focus != .sidebar: return "there is no search here"
    case .filterMenu where !allows(.search): return "there are no filters here"
    case .selectAll where !allows(.selectionActions), .unselectAll where !allows(.selectionActions),
      .range where !allows(.selectionActions):
      return "photos are selected one by one here"
    case .optionsMenu: return reasonForNoOptions
    case .openFullScreen where !allows(.preview), .togglePreview where !allows(.preview),
      .zoom where !allows(.preview), .nextVersion where !allows(.preview), .play where !allows(.preview),
      .nextInBurst where !allows(.preview), .previousInBurst where !allows(.preview):
      return "there is no preview here"
    default: return nil
    }
  }
}

/// The state of input: the focus, the overlay, the prompt and the mouse.
struct InputState: Sendable {
  /// A pane that can have the focus.
  enum Pane: Hashable, Sendable {
    case sidebar, grid
    /// The strip with the selection.
    case strip
  }

  var focus = Pane.grid
  var overlay: Overlay?
  var prompt: Prompt?
  var suggestions = SuggestionState()
  /// What was searched for in this picker, the latest first.
  var recentSearches: [String] = []
  var mouse = MouseState()
  /// Keys that wait for the photos on which they act, in their order.
  var typedAhead: [Key] = []
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
  private mutating func setColumns(_ count: Int) {
    grid.size = .columns(max(2, min(GridSize.columnRange.upperBound, count)))
  }

  /// Moves the cursor to an asset and extends the active range to it.
  mutating func moveCursor(to index: Int) -> [PickerEffect] {
    guard !library.assets.isEmpty else { return [] }
    grid.moveCursor(to: index, in: library.assets)
    return extendRange()
  }
}
