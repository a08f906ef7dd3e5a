import AssetLibrary

extension PickerState {
  /// Opens the strip with the selection, at the current photo if it is picked.
  mutating func openStrip() -> [PickerEffect] {
    if picks.showsStrip {
      closeStrip()
      return []
    }
    guard !picks.selection.isEmpty else { return showNotice("nothing is selected yet", .dim) }
    picks.stripCursor = current.flatMap { picks.selection.number(of: $0.id) }.map { $0 - 1 } ?? 0
    picks.showsStrip = true
    setFocus(.strip)
    return []
  }

  mutating func closeStrip() {
    picks.showsStrip = false
    picks.stripCursor = 0
    if input.focus == .strip {
      setFocus(.grid)
      preview.isFullScreen = false
    }
  }

  /// Performs a command in the strip; nil if it is handled as usual.
  mutating func performInStrip(_ command: Command) -> [PickerEffect]? {
    let last = picks.selection.count - 1
    let step = layout.strip.cells.rows > 1 ? layout.strip.cells.columns : 1
    switch command {
    case .left: picks.stripCursor -= 1
    case .right: picks.stripCursor += 1
    case .up: picks.stripCursor -= step
    case .down: picks.stripCursor += step
    case .pageUp: picks.stripCursor -= 5
    case .pageDown: picks.stripCursor += 5
    case .first: picks.stripCursor = 0
    case .last: picks.stripCursor = last
    case .moveEarlier, .moveLater:
      guard canReorder else {
        return showNotice("the results are in the order of the grid", .dim)
      }
      let target = picks.stripCursor + (command == .moveLater ? 1 : -1)
      guard picks.selection.assets.indices.contains(target) else { return [] }
      picks.selection.move(from: picks.stripCursor, to: target)
      picks.stripCursor = target
    case .search, .filterMenu, .sortMenu, .optionsMenu, .range, .selectAll, .jump, .showHidden, .removeFilter,
      .showEverything:
      return []
    default: return nil
    }
    picks.stripCursor = max(0, min(picks.stripCursor, last))
    picks.stripScroll = nil
    return []
  }

  /// Whether the user can put the picks into another order.
  var canReorder: Bool { options.configuration.selection.isOrdered || authorization.mode == .managing }

  /// Scrolls the strip by a row; its cursor stays in the visible rows.
  mutating func scrollStrip(_ step: Int) {
    let (layout, geometry) = (layout, layout.strip.cells)
    let columns = max(1, geometry.columns)
    let last = picks.selection.count - 1
    let top = max(0, min(last / columns + 1 - geometry.wholeRows, firstInStrip(layout) / columns + step))
    picks.stripScroll = PicksState.StripScroll(row: top, pickCount: picks.selection.count)
    guard input.focus == .strip else { return }
    let row = max(top, min(top + geometry.wholeRows - 1, picks.stripCursor / columns))
    picks.stripCursor = max(0, min(last, row * columns + picks.stripCursor % columns))
  }

  /// Moves the pick that is dragged to where the mouse is.
  mutating func dragPick(_ pick: LocalIdentifier, _ event: MouseEvent, _ layout: ScreenLayout) {
    guard canReorder, let from = picks.selection.number(of: pick).map({ $0 - 1 }),
      let place = layout.strip.cells.place(row: event.row, column: event.column)
    else { return }
    let target = min(picks.selection.count - 1, firstInStrip(layout) + place.index)
    guard target != from else { return }
    // What is visible stays where it is under the mouse.
    let top = firstInStrip(layout) / max(1, layout.strip.cells.columns)
    picks.stripScroll = PicksState.StripScroll(row: top, pickCount: picks.selection.count)
    picks.selection.move(from: from, to: target)
    picks.stripCursor = target
  }
}
