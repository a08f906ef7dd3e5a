import AssetLibrary
import Pixels

extension PickerState {
  /// The double-click interval in milliseconds.
  private static let doubleClickInterval = 400
  /// The interval of autoscroll in milliseconds.
  private static let scrollInterval = 80
  /// The columns of a tile's lower right corner that a click selects with.
  static let markColumns = 3
  /// The rows that one notch of the wheel scrolls in a list.
  private static let wheelStep = 3

  mutating func handle(_ event: MouseEvent) -> [PickerEffect] {
    // Looked up before the click closes the notice or a box and changes the last line.
    let action = statusAction(under: event)
    if layers.has(.modal) { return takeHint(action) ?? offer(.mouse(event)) ?? [] }
    guard showsLibrary else { return offerToPage(.mouse(event)) }
    if event.action == .release { return endClick() }
    if event.action == .drag { return drag(event) }
    status.notice = nil
    if let effects = takeHint(action) { return effects }
    if case .command(let command) = action, !layers.has(.box) {
      if grid.anchor == nil { grid.anchor = current?.id }
      return perform(command)
    }
    if let effects = offer(.mouse(event)) { return effects }
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
    if hit(layout.sidebar, event) { return clickAlbum(event) }
    if hit(layout.strip.area, event) { return clickStrip(event) }
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
  func isOnMark(_ event: MouseEvent, _ box: CellRect) -> Bool {
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

  /// What a click on the status line does.
  func statusAction(under event: MouseEvent) -> StatusLine.Hint.Action? {
    let layout = layout
    guard event.action == .press, !layout.isTooSmall, event.row == layout.status.row else { return nil }
    return statusLine(columns: layout.screen.columns).action(at: event.column)
  }

  /// Gives the key of a hint that was clicked to what is open; nil where the hint is not from there.
  private mutating func takeHint(_ action: StatusLine.Hint.Action?) -> [PickerEffect]? {
    switch action {
    case .key(let key):
      let command = options.bindings.command(for: key)
      return offer(.key(key, command)) ?? command.map { perform($0) } ?? []
    case .command(let command) where layers.has(.modal):
      return options.bindings.key(for: command).flatMap { offer(.key($0, command)) }
    case .command, nil: return nil
    }
  }
}

extension PickerState {
  /// Selects a range by dragging, with autoscroll beyond the grid.
  mutating func drag(_ event: MouseEvent) -> [PickerEffect] {
    if preview.isFullScreen { return continuePan(event) }
    if let edge = input.mouse.draggedEdge {
      move(edge, to: event)
      return []
    }
    let layout = layout
    if let pick = input.mouse.draggedPick {
      dragPick(pick, event)
      return []
    }
    guard let pressed = input.mouse.pressed, let grid = layout.grid, !preview.isFullScreen,
      !layers.has(.box),
      let index = index(near: event, layout)
    else { return [] }
    input.mouse.scrollColumn = self.grid.rows.column(of: index)
    // A single row of thumbnails scrolls at its left and right ends.
    let (place, first, last) =
      layout.isCompact
      ? (event.column, grid.column, grid.endColumn - 1) : (event.row, grid.row, grid.endRow - 1)
    let direction = place <= first ? -1 : place >= last ? 1 : 0
    var effects: [PickerEffect] = []
    if library.assets.identifier(at: index) != pressed { input.mouse.togglesOnRelease = false }
    if picks.range == nil, library.assets.identifier(at: index) != pressed {
      guard !isSingleChoice, picks.selection.excess == 0, allows(.selectionActions) else {
        // Without ranges only the cursor follows the mouse.
        return moveCursor(to: index)
      }
      input.mouse.clicked = nil
      effects += startRange(at: pressed, isDragged: true)
    }
    if index != self.grid.cursor { effects += moveCursor(to: index) }
    if direction != input.mouse.scrollDirection {
      input.mouse.scrollDirection = direction
      input.mouse.scrollGeneration += 1
      if direction != 0 { effects.append(scrollTimer) }
    }
    return effects
  }

  private var scrollTimer: PickerEffect {
    .startTimer(.scroll(generation: input.mouse.scrollGeneration), milliseconds: Self.scrollInterval)
  }

  /// Scrolls by one row, or by one photo in the compact mode, while the button is down.
  mutating func continueScrolling() -> [PickerEffect] {
    guard input.mouse.pressed != nil, input.mouse.scrollDirection != 0 else { return [] }
    if layout.isCompact {
      let index = grid.cursor + input.mouse.scrollDirection
      return library.assets.indices.contains(index) ? moveCursor(to: index) + [scrollTimer] : []
    }
    let row = grid.rows.row(of: grid.cursor) + input.mouse.scrollDirection
    guard let index = grid.rows.index(inRow: row, near: input.mouse.scrollColumn) else { return [] }
    return moveCursor(to: index) + [scrollTimer]
  }

  mutating func release() -> [PickerEffect] {
    input.mouse.pressed = nil
    input.mouse.draggedPick = nil
    input.mouse.togglesOnRelease = false
    input.mouse.dragAnchor = nil
    input.mouse.draggedEdge = nil
    input.mouse.scrollDirection = 0
    input.mouse.scrollGeneration += 1
    if picks.range?.isDragged ?? false { picks.range = nil }
    return []
  }

  /// The index of the visible asset nearest to the mouse.
  private func index(near event: MouseEvent, _ layout: ScreenLayout) -> Int? {
    let geometry = layout.cells
    guard geometry.columns > 0, geometry.rows > 0, grid.rows.rowCount > 0 else { return nil }
    let cell = geometry.nearestCell(row: event.row, column: event.column)
    return grid.rows.index(inRow: min(grid.rows.rowCount - 1, grid.topRow + cell.row), near: cell.column)
  }

  // MARK: The wheel

  /// Scrolls the pane under the pointer; in full screen, moves to other photos.
  private mutating func handleWheel(
    _ step: Int, _ event: MouseEvent, _ layout: ScreenLayout
  ) -> [PickerEffect] {
    if preview.isFullScreen { return handleWheelInFullScreen(step, event, layout) }
    let isOver = { (area: CellRect?) in area?.contains(row: event.row, column: event.column) ?? false }
    if isOver(layout.sidebar) {
      return performInSidebar(step > 0 ? .down : .up) ?? []
    }
    if isOver(layout.strip.area) {
      scrollStrip(step)
      return []
    }
    if preview.showsInfo, isOver(layout.preview) {
      preview.infoScroll += step
      return []
    }
    let visible = layout.cells.wholeRows
    guard layout.grid != nil, visible > 0, grid.rows.rowCount > visible else { return [] }
    let top = max(0, min(grid.rows.rowCount - visible, grid.topRow + step))
    guard top != grid.topRow else { return [] }
    grid.topRow = top
    // The cursor stays within the visible rows.
    let row = grid.rows.row(of: grid.cursor)
    let target = max(top, min(top + visible - 1, row))
    guard target != row else { return [] }
    let wanted = grid.column ?? grid.rows.column(of: grid.cursor)
    grid.column = wanted
    return moveCursor(to: grid.rows.index(inRow: target, near: wanted) ?? grid.cursor)
  }
}

/// The state kept between mouse events.
struct MouseState: Hashable, Sendable {
  /// The photo clicked within the double-click interval.
  var clicked: LocalIdentifier?
  /// The photo on which the left button was pressed in the grid; nil while the button is up.
  var pressed: LocalIdentifier?
  /// Whether the photo there was the current one already: the release selects or unselects it.
  var togglesOnRelease = false
  /// The pick on which the left button was pressed in the strip; nil while the button is up.
  var draggedPick: LocalIdentifier?
  var clickGeneration = 0
  /// The direction of autoscroll: -1 or 1 while the mouse is dragged beyond the grid, else 0.
  var scrollDirection = 0
  var scrollGeneration = 0
  /// The column that autoscroll keeps.
  var scrollColumn = 0
  /// The pane whose edge is dragged; nil if none is.
  var draggedEdge: ScreenLayout.Edge?
  /// The last mouse position while a picture is dragged in full screen; nil if none is.
  var dragAnchor: DragAnchor?

  struct DragAnchor: Hashable, Sendable {
    var row: Int
    var column: Int
  }
}

/// A mouse event at a cell of the screen.
package struct MouseEvent: Hashable, Sendable {
  /// The kind of event.
  package enum Action: Hashable, Sendable {
    case press, rightPress
    /// The mouse moved with the left button down.
    case drag
    case release
    case wheelUp, wheelDown
  }

  package var action: Action
  /// Both count from 0 at the top left, and are no larger than a screen can be.
  package var row: Int
  package var column: Int
  /// Whether Control was held.
  package var isControl: Bool

  /// No screen has more rows or columns: the terminal's own numbers have 16 bits.
  private static let places = 0...65_535

  /// - Parameters:
  ///   - row: what is no row of a screen counts as the nearest one.
  ///   - column: likewise.
  package init(_ action: Action, row: Int, column: Int, isControl: Bool = false) {
    self.action = action
    self.row = min(max(row, Self.places.lowerBound), Self.places.upperBound)
    self.column = min(max(column, Self.places.lowerBound), Self.places.upperBound)
    self.isControl = isControl
  }
}
