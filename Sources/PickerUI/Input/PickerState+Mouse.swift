import AssetLibrary
import Pixels

extension PickerState {
  /// The double-click interval in milliseconds.
  static let doubleClickInterval = 400
  /// The interval of autoscroll in milliseconds.
  static let scrollInterval = 80
  /// The columns of a tile's lower right corner that a click selects with.
  static let markColumns = 3
  /// The rows that one notch of the wheel scrolls in a list.
  static let wheelStep = 3

  mutating func handle(_ event: MouseEvent) -> [PickerEffect] {
    switch page {
    case .library: break
    case .consent(let request, _): return clickConsent(request, event)
    case .opening, .refused: return []
    }
    if event.action == .release { return endClick() }
    if event.action == .drag { return drag(event) }
    // Looked up before the click closes the notice or an overlay and changes the status line.
    let action = statusAction(under: event)
    status.notice = nil
    if let overlay = input.overlay {
      guard case .key(let key)? = action else { return mouseInOverlay(event) }
      return press(key, options.bindings.command(for: key), in: overlay)
    }
    if let action { return perform(action) }
    if event.action == .press, let index = suggestion(row: event.row, column: event.column) {
      return take(index)
    }
    if let prompt = input.prompt, event.action == .press {
      if staysOpen(prompt) { input.prompt?.hidesFault = false } else { input.prompt = nil }
    }
    if grid.anchor == nil { grid.anchor = current?.id }
    let layout = layout
    guard !layout.isTooSmall else { return [] }
    switch event.action {
    case .wheelUp: return handleWheel(-1, event, layout)
    case .wheelDown: return handleWheel(1, event, layout)
    case .press, .rightPress: return click(event, layout)
    case .drag, .release: return []
    }
  }

  private func hit(_ area: CellRect?, _ event: MouseEvent) -> Bool {
    area?.contains(row: event.row, column: event.column) ?? false
  }

  private mutating func click(_ event: MouseEvent, _ layout: ScreenLayout) -> [PickerEffect] {
    let isRight = event.action == .rightPress
    if event.row == layout.status.row, !isRight { return [] }
    if preview.isFullScreen {
      if isRight { preview.isFullScreen = false } else { beginPan(event, layout) }
      return []
    }
    if let title = layout.title, hit(title, event) {
      return isRight ? [] : clickTitle(titleLine(columns: title.columns).action(at: event.column))
    }
    if !isRight, let edge = layout.edge(row: event.row, column: event.column) {
      input.mouse.draggedEdge = edge
      return []
    }
    // A floating sidebar covers the other panes.
    if hit(layout.sidebar, event) { return clickAlbum(event, layout) }
    if hit(layout.strip.area, event) { return clickStrip(event, layout) }
    if let grid = layout.grid, hit(grid, event) { return clickGrid(event, grid, layout) }
    if layout.isCompact, event.row == layout.dividerRow { return clickCompactScrollBar(event) }
    if hit(layout.preview, event), allows(.preview), current != nil { openFullScreen() }
    return []
  }

  private mutating func clickGrid(
    _ event: MouseEvent, _ grid: CellRect, _ layout: ScreenLayout
  ) -> [PickerEffect] {
    let hadFocus = input.focus == .grid
    setFocus(.grid)
    if event.column == grid.endColumn - 1, self.grid.rows.rowCount > layout.cells.wholeRows, !layout.isCompact
    {
      let row = row(atScrollBar: event.row, in: grid)
      self.grid.topRow = row
      return moveCursor(to: self.grid.rows.indexes(inRow: row).lowerBound)
    }
    guard let place = layout.cells.place(row: event.row, column: event.column),
      let index = index(at: place.index, layout)
    else { return [] }
    let isSecond = input.mouse.clicked == library.assets.identifier(at: index)
    let wasCurrent = index == self.grid.cursor && hadFocus
    if picks.range?.isDragged == false { picks.range = nil }
    self.grid.column = nil
    var effects = moveCursor(to: index)
    if event.action == .rightPress {
      if allows(.preview) { openFullScreen() }
      return effects
    }
    if event.isControl || isOnMark(event, layout.cells.box(at: place.index)) {
      input.mouse.pressed = nil
      return effects + toggle()
    }
    if isSecond {
      input.mouse.clicked = nil
      return effects + confirmClicked()
    }
    input.mouse.pressed = current?.id
    input.mouse.togglesOnRelease = wasCurrent && !isSingleChoice
    input.mouse.clicked = current?.id
    input.mouse.clickGeneration += 1
    effects.append(
      .startTimer(.click(generation: input.mouse.clickGeneration), milliseconds: Self.doubleClickInterval))
    return effects
  }

  /// Whether a click is on the corner of a tile where its number stands, or would.
  private func isOnMark(_ event: MouseEvent, _ box: CellRect) -> Bool {
    event.row == box.endRow - 1 && event.column >= box.endColumn - Self.markColumns
  }

  /// Handles a double click: adds the photo to the selection and confirms, but not several photos.
  private mutating func confirmClicked() -> [PickerEffect] {
    guard let asset = current else { return [] }
    if authorization.mode == .managing { return toggle() }
    if !picks.selection.contains(asset.id), !picks.selection.isEmpty || isSelectionCleared {
      let effects = toggle()
      if !picks.selection.contains(asset.id) { return effects }
    }
    guard picks.selection.count > 1 else { return confirm() }
    let photos = options.locale.count(picks.selection.count, "photo is", "photos are")
    return showNotice("\(photos) picked: \(keyLabel(.confirm) ?? "Enter") uses them")
  }

  /// Handles the release of the button: a click on the current photo selects or unselects it, a drag does not.
  private mutating func endClick() -> [PickerEffect] {
    let toggles = input.mouse.togglesOnRelease
    return release() + (toggles ? toggle() : [])
  }

  private mutating func clickCompactScrollBar(_ event: MouseEvent) -> [PickerEffect] {
    setFocus(.grid)
    grid.column = nil
    return moveCursor(to: index(atCompactScrollBar: event.column))
  }

  private func index(at place: Int, _ layout: ScreenLayout) -> Int? {
    let columns = max(1, layout.cells.columns)
    return grid.rows.index(row: grid.topRow + place / columns, column: place % columns)
  }

  private mutating func clickTitle(_ action: TitleLine.Action?) -> [PickerEffect] {
    switch action {
    case .remove(let condition): library.userFilter.remove(condition)
    case .removeSearch: library.userFilter.setSearchText("")
    case .sort: return perform(.sortMenu)
    case nil: return []
    }
    return filterChanged()
  }

  private mutating func clickAlbum(_ event: MouseEvent, _ layout: ScreenLayout) -> [PickerEffect] {
    guard let window = sidebarWindow(in: layout) else { return [] }
    guard let place = window.place(atRow: event.row), let target = sidebar.albums.lines[place.line].target
    else { return [] }
    let line = sidebar.albums.lines[place.line]
    if line.isExpanded != nil, event.column <= place.markColumn + 1 || !target.isShowable {
      sidebar.albums.toggle(target)
      return []
    }
    if !layout.sidebarFloats { setFocus(.sidebar) }
    let effects = enter(target)
    if layout.sidebarFloats { setFocus(.grid) }
    return effects
  }

  private mutating func clickStrip(_ event: MouseEvent, _ layout: ScreenLayout) -> [PickerEffect] {
    guard let place = layout.strip.cells.place(row: event.row, column: event.column) else { return [] }
    let index = firstInStrip(layout) + place.index
    guard picks.selection.assets.indices.contains(index) else { return [] }
    picks.showsStrip = true
    setFocus(.strip)
    picks.stripCursor = index
    // Nothing moves away under the mouse.
    let top = index / max(1, layout.strip.cells.columns) - place.index / max(1, layout.strip.cells.columns)
    picks.stripScroll = PicksState.StripScroll(row: top, pickCount: picks.selection.count)
    if event.action == .rightPress {
      if allows(.preview) { openFullScreen() }
    } else if event.isControl || isOnMark(event, layout.strip.cells.box(at: place.index)) {
      return toggle()
    } else {
      input.mouse.draggedPick = picks.selection.assets[index].id
    }
    return []
  }

  /// What a click on the status line does.
  func statusAction(under event: MouseEvent) -> StatusLine.Hint.Action? {
    let layout = layout
    guard event.action == .press, !layout.isTooSmall, event.row == layout.status.row else { return nil }
    return statusLine(columns: layout.screen.columns).action(at: event.column)
  }

  private mutating func perform(_ action: StatusLine.Hint.Action) -> [PickerEffect] {
    if grid.anchor == nil { grid.anchor = current?.id }
    switch action {
    case .command(let command): return perform(command)
    case .key(let key): return type(key)
    }
  }
}
