import AssetLibrary
package import Pixels

extension PickerState {
  /// The double-click interval in milliseconds.
  private static let doubleClickInterval = 400
  /// The rows that one notch of the wheel scrolls in a list.
  private static let wheelStep = 3

  mutating func handle(_ event: MouseEvent) -> [PickerEffect] {
    // Looked up before the click closes the notice or a box and changes the last line.
    let action = statusAction(under: event)
    if layers.has(.modal) { return takeHint(action) ?? offer(.mouse(event)) ?? [] }
    guard layers.showsLibrary else { return offer(.mouse(event)) ?? [] }
    if event.action == .release { return endClick() }
    if event.action == .drag { return drag(event) }
    status.notice = nil
    if let effects = takeHint(action) { return effects }
    if case .command(let command) = action, !layers.has(.box) {
      grid.settleCursor(on: current?.id)
      return perform(command)
    }
    if let effects = offer(.mouse(event)) { return effects }
    grid.settleCursor(on: current?.id)
    let layout = layout
    guard !layout.isTooSmall else { return [] }
    switch event.action {
    case .wheelUp: return handleWheel(-1, event, layout)
    case .wheelDown: return handleWheel(1, event, layout)
    case .press, .rightPress: return click(event, layout)
    case .drag, .release, .motion, .leave: return []
    }
  }

  private func hit(_ area: CellRect?, _ event: MouseEvent) -> Bool {
    area?.contains(row: event.row, column: event.column) ?? false
  }

  private mutating func click(_ event: MouseEvent, _ layout: ScreenLayout) -> [PickerEffect] {
    let isRight = event.action == .rightPress
    // The release may have been outside of the window.
    input.mouse.dragsTime = false
    if event.row == layout.status.row, !isRight { return [] }
    if !isRight, let action = PlaybackLine(of: self)?.action(under: event) {
      return perform(action)
    }
    if preview.isFullScreen {
      if isRight { preview.leaveFullScreen() } else { beginPan(event) }
      return []
    }
    if let title = layout.title, hit(title, event) {
      return isRight ? [] : clickTitle(TitleLine(of: self, columns: title.columns).action(at: event.column))
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
    if hit(layout.preview, event), options.allows(.preview), current != nil { openFullScreen() }
    return []
  }

  private mutating func perform(_ action: PlaybackLine.Action) -> [PickerEffect] {
    switch action {
    case .toggle: return togglePlayback()
    case .seek(let place):
      input.mouse.dragsTime = true
      return controlPlayback { $0.seek(to: place, $1) }
    }
  }

  private mutating func clickGrid(
    _ event: MouseEvent, _ grid: CellRect, _ layout: ScreenLayout
  ) -> [PickerEffect] {
    let hadFocus = input.focus == .grid
    setFocus(.grid)
    if event.column == grid.endColumn - 1, self.grid.rows.rowCount > layout.cells.wholeRows, !layout.isCompact
    {
      return moveCursor(to: self.grid.scroll(toBarRow: event.row, in: grid))
    }
    guard let place = layout.cells.place(row: event.row, column: event.column),
      let index = self.grid.index(at: place.index, in: layout.cells)
    else { return [] }
    let isSecond = input.mouse.clicked == library.assets.identifier(at: index)
    let wasCurrent = index == self.grid.cursor && hadFocus
    if picks.activeRange?.isDragged == false { picks.keepRange() }
    self.grid.forgetColumn()
    var effects = moveCursor(to: index)
    if event.action == .rightPress {
      if options.allows(.preview) { openFullScreen() }
      return effects
    }
    if event.isControl || event.isOnMark(of: layout.cells.box(at: place.index)) {
      input.mouse.pressed = nil
      return effects + choose { $0.toggle(on: $1) }
    }
    // The sidebar folds away with the focus: another photo moves under the mouse, which must not be dragged from it
    // or clicked twice.
    if layout.sidebarFolds, !layout.sidebarFloats {
      input.mouse.release()
      input.mouse.clicked = nil
      return effects
    }
    if isSecond {
      input.mouse.clicked = nil
      return effects + confirmClicked()
    }
    input.mouse.pressed = current?.id
    input.mouse.togglesOnRelease = wasCurrent && !picks.selection.isSingleChoice
    input.mouse.clicked = current?.id
    input.mouse.clickGeneration += 1
    effects.append(
      .startTimer(.click(generation: input.mouse.clickGeneration), milliseconds: Self.doubleClickInterval))
    return effects
  }

  /// Handles a double click: adds the photo to the selection and confirms, unless several photos are picked.
  private mutating func confirmClicked() -> [PickerEffect] {
    guard let asset = current else { return [] }
    if authorization.mode == .managing { return choose { $0.toggle(on: $1) } }
    if !picks.selection.contains(asset.id), !picks.selection.isEmpty || picks.isCleared {
      let effects = choose { $0.toggle(on: $1) }
      if !picks.selection.contains(asset.id) { return effects }
    }
    guard picks.selection.count > 1 else { return confirm() }
    let photos = options.locale.count(picks.selection.count, "photo", "photos")
    return status.showNotice("\(photos) picked. Press \(options.keyLabel(.confirm) ?? "Enter") to use them")
  }

  /// Handles the release of the button: a click on the current photo picks or unpicks it, a drag does not.
  private mutating func endClick() -> [PickerEffect] {
    let toggles = input.mouse.togglesOnRelease
    input.mouse.release()
    picks.keepDraggedRange()
    return toggles ? choose { $0.toggle(on: $1) } : []
  }

  private mutating func clickCompactScrollBar(_ event: MouseEvent) -> [PickerEffect] {
    setFocus(.grid)
    grid.forgetColumn()
    let count = library.assets.count
    return moveCursor(to: max(0, min(count - 1, event.column * count / max(1, layout.metrics.size.columns))))
  }

  private mutating func clickAlbum(_ event: MouseEvent) -> [PickerEffect] {
    guard let window = sidebar.window(in: layout) else { return [] }
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

  private mutating func clickStrip(_ event: MouseEvent) -> [PickerEffect] {
    let cells = layout.strip.cells
    guard let place = cells.place(row: event.row, column: event.column),
      let pick = picks.clickStrip(at: place.index, in: cells, hasFocus: input.focus == .strip)
    else { return [] }
    setFocus(.strip)
    if event.action == .rightPress {
      if options.allows(.preview) { openFullScreen() }
    } else if event.isControl || event.isOnMark(of: cells.box(at: place.index)) {
      return choose { $0.toggle(on: $1) }
    } else {
      input.mouse.draggedPick = pick
    }
    return []
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
    return StatusLine(of: self).action(at: event.column)
  }

  /// Passes the key of a clicked hint to the open layer; nil if the hint does not belong to a layer.
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
  /// Picks a range by dragging, with autoscroll beyond the grid.
  private mutating func drag(_ event: MouseEvent) -> [PickerEffect] {
    grid.scrubbing.end()
    if input.mouse.dragsTime {
      guard let place = PlaybackLine(of: self)?.place(under: event) else { return [] }
      return controlPlayback { $0.seek(to: place, $1) }
    }
    if preview.isFullScreen {
      continuePan(event)
      return []
    }
    if let edge = input.mouse.draggedEdge {
      move(edge, to: event)
      return []
    }
    let layout = layout
    if let pick = input.mouse.draggedPick {
      let cells = layout.strip.cells
      if let place = cells.place(row: event.row, column: event.column) {
        picks.drag(pick, to: place.index, in: cells, hasFocus: input.focus == .strip, options)
      }
      return []
    }
    guard let pressed = input.mouse.pressed, let grid = layout.grid, !preview.isFullScreen,
      !layers.has(.box),
      let index = self.grid.index(near: event, in: layout.cells)
    else { return [] }
    input.mouse.scrollColumn = self.grid.rows.column(of: index)
    // A single row of thumbnails scrolls at its left and right ends.
    let (place, first, last) =
      layout.isCompact
      ? (event.column, grid.column, grid.endColumn - 1) : (event.row, grid.row, grid.endRow - 1)
    let direction = place <= first ? -1 : place >= last ? 1 : 0
    var effects: [PickerEffect] = []
    if library.assets.identifier(at: index) != pressed { input.mouse.togglesOnRelease = false }
    if picks.activeRange == nil, library.assets.identifier(at: index) != pressed {
      guard !picks.selection.isSingleChoice, picks.selection.excess == 0, options.allows(.selectionActions)
      else {
        // Without ranges only the cursor follows the mouse.
        return moveCursor(to: index)
      }
      input.mouse.clicked = nil
      effects += choose { $0.startRange(at: pressed, isDragged: true, on: $1) }
    }
    if index != self.grid.cursor { effects += moveCursor(to: index) }
    if direction != input.mouse.scrollDirection {
      input.mouse.scrollDirection = direction
      input.mouse.scrollGeneration += 1
      if direction != 0 { effects.append(input.mouse.scrollTimer) }
    }
    return effects
  }

  /// Moves the edge of a pane to the mouse.
  private mutating func move(_ edge: ScreenLayout.Edge, to event: MouseEvent) {
    switch edge {
    case .sidebar: sidebar.setWidth(event.column + (layout.sidebarFloats ? 1 : 0), screen: layout.screen)
    case .preview:
      // A window without a title has no preview beside or below the photos either.
      guard let body = layout.body else { return }
      let share =
        layout.dividerRow == nil
        ? (100 * (body.endColumn - event.column) + body.columns / 2) / body.columns
        : (100 * (body.endRow - event.row - 1) + body.rows / 2) / body.rows
      preview.setShare(share)
    }
  }

  // MARK: Full screen

  /// Scrolls to other photos, or zooms at the pointer with Control.
  private mutating func handleWheelInFullScreen(
    _ step: Int, _ event: MouseEvent, _ layout: ScreenLayout
  ) -> [PickerEffect] {
    if layout.info?.contains(row: event.row, column: event.column) ?? false {
      preview.scrollInfo(by: step)
      return []
    }
    guard event.isControl else { return showNeighbor(step) }
    if let asset = current, !preview.presented(asset).isBroken,
      let frame = PreviewPlace(of: self).zoomFrame(of: asset),
      let point = PreviewPlace(of: self).zoomPoint(of: event)
    {
      preview.zoom(inward: step < 0, in: frame, at: point)
    }
    return []
  }

  /// Starts dragging a picture that is larger than the screen.
  private mutating func beginPan(_ event: MouseEvent) {
    guard PreviewPlace(of: self).isZoomed(current), PreviewPlace(of: self).zoomPoint(of: event) != nil else {
      return
    }
    input.mouse.dragAnchor = MouseState.DragAnchor(event)
  }

  /// Pans with the mouse.
  private mutating func continuePan(_ event: MouseEvent) {
    guard let anchor = input.mouse.dragAnchor, let pictureGeometry = layout.metrics.pictureGeometry,
      let frame = current.flatMap(PreviewPlace(of: self).zoomFrame)
    else { return }
    let now = MouseState.DragAnchor(event)
    input.mouse.dragAnchor = now
    preview.pan(
      byX: (anchor.column - now.column) * Double(pictureGeometry.cell.width),
      y: (anchor.row - now.row) * Double(pictureGeometry.cell.height), in: frame)
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
      picks.scrollStrip(by: step, in: layout.strip.cells, hasFocus: input.focus == .strip)
      return []
    }
    if preview.showsInfo, isOver(layout.preview) {
      preview.scrollInfo(by: step)
      return []
    }
    guard layout.grid != nil, let index = grid.scroll(by: step, in: layout.cells) else { return [] }
    return moveCursor(to: index)
  }
}

/// The state kept between mouse events.
struct MouseState: Hashable, Sendable {
  /// The photo clicked within the double-click interval.
  var clicked: LocalIdentifier?
  /// The photo on which the left button was pressed in the grid; nil while the button is up.
  var pressed: LocalIdentifier?
  /// Whether the pressed photo was already the current one: the release then picks or unpicks it.
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
  /// Whether the time line of what plays is dragged.
  var dragsTime = false
  /// The last mouse position while a picture is dragged in full screen; nil if none is.
  var dragAnchor: DragAnchor?

  struct DragAnchor: Hashable, Sendable {
    /// In cells, with parts of them where the terminal reports pixels.
    let row: Double
    let column: Double

    init(_ event: MouseEvent) {
      (row, column) = (Double(event.row) + event.y, Double(event.column) + event.x)
    }
  }

  /// Ends dragging.
  mutating func release() {
    (pressed, draggedPick, dragAnchor, draggedEdge) = (nil, nil, nil, nil)
    togglesOnRelease = false
    dragsTime = false
    scrollDirection = 0
    scrollGeneration += 1
  }

  // MARK: Autoscroll

  /// The interval of its steps in milliseconds.
  private static let scrollInterval = 80

  /// Waits for the next step.
  var scrollTimer: PickerEffect {
    .startTimer(.scroll(generation: scrollGeneration), milliseconds: Self.scrollInterval)
  }

  /// The photo that a step moves the cursor to: one row on, or one photo in the compact mode; nil at the end, or if
  /// the button is up.
  func scrollTarget(in grid: GridState, isCompact: Bool, count: Int) -> Int? {
    guard pressed != nil, scrollDirection != 0 else { return nil }
    guard !isCompact else {
      let index = grid.cursor + scrollDirection
      return (0..<count).contains(index) ? index : nil
    }
    return grid.rows.index(inRow: grid.rows.row(of: grid.cursor) + scrollDirection, near: scrollColumn)
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
    /// The mouse moved without a button, where that is reported.
    case motion
    /// The mouse has left the picker's part of the window.
    case leave
  }

  package var action: Action
  /// Both count from 0 at the top left, and are limited to possible screen sizes.
  package var row: Int
  package var column: Int
  /// The place in the cell, from 0 at its left and top up to 1: its middle where the terminal reports only cells.
  package private(set) var (x, y) = (0.5, 0.5)
  /// Whether Control was held.
  package var isControl: Bool

  /// The range of rows and columns: terminals report them with 16 bits.
  private static let places = 0...65_535

  /// - Parameters:
  ///   - row: clamped to the possible rows.
  ///   - column: clamped to the possible columns.
  package init(_ action: Action, row: Int, column: Int, isControl: Bool = false) {
    self.action = action
    self.row = min(max(row, Self.places.lowerBound), Self.places.upperBound)
    self.column = min(max(column, Self.places.lowerBound), Self.places.upperBound)
    self.isControl = isControl
  }

  /// Whether no button takes part in the event.
  package var isMotion: Bool { action == .motion || action == .leave }

  /// Returns the event in cells, for one whose row and column are pixels.
  /// - Parameter cell: size of a cell; if empty, the pixels are taken for cells.
  package func inCells(of cell: PixelSize) -> MouseEvent {
    guard !cell.isEmpty else { return self }
    var event = self
    (event.row, event.column) = (row / cell.height, column / cell.width)
    event.x = (Double(column % cell.width) + 0.5) / Double(cell.width)
    event.y = (Double(row % cell.height) + 0.5) / Double(cell.height)
    return event
  }

  /// The width of the tile corner in which a click picks.
  private static let markColumns = 3

  /// Whether the event is on the corner of a tile that holds the number of a pick.
  func isOnMark(of box: CellRect) -> Bool {
    row == box.endRow - 1 && column >= box.endColumn - Self.markColumns
  }
}
