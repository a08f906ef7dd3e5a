import AssetLibrary
import Pixels

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
      dragPick(pick, event, layout)
      return []
    }
    guard let pressed = input.mouse.pressed, let grid = layout.grid, !preview.isFullScreen,
      input.overlay == nil,
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
  mutating func handleWheel(_ step: Int, _ event: MouseEvent, _ layout: ScreenLayout) -> [PickerEffect] {
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

  // MARK: Overlays

  mutating func mouseInOverlay(_ event: MouseEvent) -> [PickerEffect] {
    guard let overlay = input.overlay else { return [] }
    switch event.action {
    case .wheelUp: return press(.up, .up, in: overlay)
    case .wheelDown: return press(.down, .down, in: overlay)
    case .drag, .release: return []
    case .press, .rightPress: break
    }
    if overlay.isMenu { return clickMenu(event) }
    input.overlay = nil
    return []
  }

  mutating func clickConsent(_ request: ConsentRequest, _ event: MouseEvent) -> [PickerEffect] {
    switch event.action {
    case .wheelUp: return press(.up)
    case .wheelDown: return press(.down)
    default: return []
    }
  }
}
