import AssetLibrary
import Pixels

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
  private var canReorder: Bool {
    options.configuration.selection.isOrdered || authorization.mode == .managing
  }

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

/// The selection, and the operations that are changing it.
struct PicksState: Sendable {
  var selection: Selection
  /// What was selected before; while a range or a bulk selection is under way, before that.
  var history: PickHistory
  /// The preselected assets that no fetch has returned yet.
  var preselected: [LocalIdentifier]
  /// The active range.
  var range: RangeSelection?
  /// The running bulk selection.
  var bulk: BulkSelection?
  var bulkGeneration = 0
  /// The selection last reported to the caller, if it is reported continuously.
  var reported: [LocalIdentifier] = []
  /// The asset last reported to the caller, if the cursor is followed.
  var followed: LocalIdentifier?
  /// Whether the strip is open.
  var showsStrip = false
  /// The index of the strip's cursor in the selection.
  var stripCursor = 0
  /// The row of the strip that the wheel scrolled to, as long as as many are picked.
  var stripScroll: StripScroll?

  struct StripScroll: Hashable, Sendable {
    var row: Int
    var pickCount: Int
  }

  init(selection: Selection, preselected: [LocalIdentifier] = []) {
    self.selection = selection
    history = PickHistory(selection)
    self.preselected = preselected
  }
}

extension PickerState {
  /// The index of the first visible pick: where the wheel scrolled to; else the cursor's row is visible, or the last one.
  func firstInStrip(_ layout: ScreenLayout) -> Int {
    let geometry = layout.strip.cells
    let columns = max(1, geometry.columns)
    let last = (picks.selection.count - 1) / columns
    let row = input.focus == .strip ? picks.stripCursor / columns : last
    let lastTop = max(0, last + 1 - geometry.wholeRows)
    if let scroll = picks.stripScroll, scroll.pickCount == picks.selection.count {
      return max(0, min(scroll.row, lastTop)) * columns
    }
    return max(0, min(row - geometry.wholeRows / 2, lastTop)) * columns
  }

  /// What the strip holds and in which order.
  var stripTitle: String {
    if authorization.mode == .managing { return "Photos that \(options.client.name) may see" }
    return options.configuration.selection.isOrdered
      ? "Picks, in this order" : "Picks, used in the order of the grid"
  }

  /// Draws the strip of the picks in their order.
  func drawStrip(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    guard let area = layout.strip.area, !preview.isFullScreen, area.rows > 0 else { return }
    let geometry = layout.strip.cells
    let first = firstInStrip(layout)
    let key = stripKey(in: layout)
    for place in 0..<geometry.count where first + place < picks.selection.count {
      let asset = picks.selection.assets[first + place]
      let box = geometry.box(at: place)
      drawThumbnail(of: asset, key: key?(asset), in: box, on: &frame)
      drawMarks(of: asset, in: box, on: &frame)
      if input.focus == .strip, first + place == picks.stripCursor {
        frame.drawFrame(around: box, in: area, style: .cursor)
      }
    }
    // After the cursor's frame, which would cut it off.
    frame.put(
      stripTitle, row: area.row, column: area.column + 1, limit: area.columns - 2, style: .heading)
    drawStripScrollBar(first: first, on: &frame, layout)
  }

  private func drawStripScrollBar(first: Int, on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    let geometry = layout.strip.cells
    guard let area = layout.strip.area, geometry.count > 0, picks.selection.count > geometry.count else {
      return
    }
    let count = picks.selection.count
    let length = max(1, area.rows * geometry.count / count)
    let start = min(area.rows - length, area.rows * first / count)
    for row in start..<start + length {
      frame.put(symbols.grid.scrollBar, row: area.row + row, column: area.endColumn - 1, style: .scrollBar)
    }
  }
}
