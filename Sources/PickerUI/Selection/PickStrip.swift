import AssetLibrary
import Pixels

/// The strip with the selection: whether it is open, its cursor, and where it is scrolled to.
struct PickStrip: Hashable, Sendable {
  private(set) var isOpen = false
  /// The index of its cursor in the selection.
  private(set) var cursor = 0
  /// The row that the wheel scrolled to, as long as as many are picked.
  private var scroll: Scroll?

  private struct Scroll: Hashable {
    var row: Int
    var pickCount: Int
  }

  mutating func open(at index: Int) { (isOpen, cursor) = (true, index) }

  mutating func close() { (isOpen, cursor) = (false, 0) }

  /// Keeps the cursor on a pick.
  mutating func keepCursor(below count: Int) { cursor = max(0, min(cursor, count - 1)) }

  /// Moves the cursor by a command.
  /// - Returns: whether it is a command that moves.
  fileprivate mutating func move(_ command: Command, in cells: GridGeometry, count: Int) -> Bool {
    let row = cells.rows > 1 ? cells.columns : 1
    switch command {
    case .left: cursor -= 1
    case .right: cursor += 1
    case .up: cursor -= row
    case .down: cursor += row
    case .pageUp: cursor -= 5
    case .pageDown: cursor += 5
    case .first: cursor = 0
    case .last: cursor = count - 1
    default: return false
    }
    keepCursor(below: count)
    scroll = nil
    return true
  }

  /// Puts the cursor on a pick that was clicked, or dragged there: nothing moves away under the mouse.
  /// - Parameter top: the row of picks that is the first in sight.
  fileprivate mutating func setCursor(_ index: Int, keeping top: Int, count: Int) {
    (isOpen, cursor) = (true, index)
    scroll = Scroll(row: top, pickCount: count)
  }

  /// Follows a pick that keys move to another place.
  fileprivate mutating func follow(_ index: Int) { (cursor, scroll) = (index, nil) }

  /// Scrolls by a row; a cursor that has the focus stays in the visible rows.
  fileprivate mutating func scroll(by step: Int, in cells: GridGeometry, count: Int, hasFocus: Bool) {
    let columns = max(1, cells.columns)
    let first = first(in: cells, count: count, hasFocus: hasFocus)
    let top = max(0, min((count - 1) / columns + 1 - cells.wholeRows, first / columns + step))
    scroll = Scroll(row: top, pickCount: count)
    guard hasFocus else { return }
    let row = max(top, min(top + cells.wholeRows - 1, cursor / columns))
    cursor = max(0, min(count - 1, row * columns + cursor % columns))
  }

  /// The index of the first visible pick: where the wheel scrolled to; else the cursor's row is visible, or the last one.
  func first(in cells: GridGeometry, count: Int, hasFocus: Bool) -> Int {
    let columns = max(1, cells.columns)
    let last = (count - 1) / columns
    let lastTop = max(0, last + 1 - cells.wholeRows)
    if let scroll, scroll.pickCount == count { return max(0, min(scroll.row, lastTop)) * columns }
    let row = hasFocus ? cursor / columns : last
    return max(0, min(row - cells.wholeRows / 2, lastTop)) * columns
  }

}

extension PickStrip {
  /// Draws the picks in their order.
  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    let (layout, selection) = (picker.layout, picker.picks.selection)
    guard let area = layout.strip.area, !picker.preview.isFullScreen, area.rows > 0 else { return }
    let cells = layout.strip.cells
    let hasFocus = picker.input.focus == .strip
    let first = first(in: cells, count: selection.count, hasFocus: hasFocus)
    let key = picker.stripKey
    for place in 0..<cells.count where first + place < selection.count {
      let asset = selection.assets[first + place]
      let box = cells.box(at: place)
      picker.drawThumbnail(of: asset, key: key?(asset), in: box, on: &frame)
      picker.drawMarks(of: asset, in: box, on: &frame)
      if hasFocus, first + place == cursor { frame.drawFrame(around: box, in: area, style: .cursor) }
    }
    // After the cursor's frame, which would cut it off.
    frame.put(
      title(in: picker), row: area.row, column: area.column + 1, limit: area.columns - 2, style: .heading)
    guard cells.count > 0, selection.count > cells.count else { return }
    let length = max(1, area.rows * cells.count / selection.count)
    let start = min(area.rows - length, area.rows * first / selection.count)
    for row in start..<start + length {
      frame.put(
        picker.symbols.grid.scrollBar, row: area.row + row, column: area.endColumn - 1, style: .scrollBar)
    }
  }

  /// What it holds and in which order.
  private func title(in picker: PickerState) -> String {
    if picker.authorization.mode == .managing {
      return "Photos that \(picker.options.client.name) may see"
    }
    return picker.options.configuration.selection.isOrdered
      ? "Picks, in this order" : "Picks, used in the order of the grid"
  }
}

extension PickerState {
  /// Opens the strip with the selection, at the current photo if it is picked.
  mutating func openStrip() -> [PickerEffect] {
    if picks.strip.isOpen {
      closeStrip()
      return []
    }
    guard !picks.selection.isEmpty else { return showNotice("nothing is selected yet", .dim) }
    picks.strip.open(at: current.flatMap { picks.selection.number(of: $0.id) }.map { $0 - 1 } ?? 0)
    setFocus(.strip)
    return []
  }

  mutating func closeStrip() {
    picks.strip.close()
    if input.focus == .strip {
      setFocus(.grid)
      preview.isFullScreen = false
    }
  }

  /// Performs a command in the strip; nil if it is handled as usual.
  mutating func performInStrip(_ command: Command) -> [PickerEffect]? {
    switch command {
    case .moveEarlier, .moveLater:
      guard canReorder else {
        return showNotice("the results are in the order of the grid", .dim)
      }
      let target = picks.strip.cursor + (command == .moveLater ? 1 : -1)
      guard picks.selection.assets.indices.contains(target) else { return [] }
      picks.selection.move(from: picks.strip.cursor, to: target)
      picks.strip.follow(target)
      return []
    case .search, .filterMenu, .sortMenu, .optionsMenu, .range, .selectAll, .jump, .showHidden, .removeFilter,
      .showEverything:
      return []
    default:
      return picks.strip.move(command, in: layout.strip.cells, count: picks.selection.count) ? [] : nil
    }
  }

  /// Whether the user can put the picks into another order.
  private var canReorder: Bool {
    options.configuration.selection.isOrdered || authorization.mode == .managing
  }

  private var firstInStrip: Int {
    picks.strip.first(
      in: layout.strip.cells, count: picks.selection.count, hasFocus: input.focus == .strip)
  }

  /// Scrolls the strip by a row.
  mutating func scrollStrip(_ step: Int) {
    picks.strip.scroll(
      by: step, in: layout.strip.cells, count: picks.selection.count, hasFocus: input.focus == .strip)
  }

  mutating func clickStrip(_ event: MouseEvent) -> [PickerEffect] {
    let cells = layout.strip.cells
    guard let place = cells.place(row: event.row, column: event.column) else { return [] }
    let index = firstInStrip + place.index
    guard picks.selection.assets.indices.contains(index) else { return [] }
    setFocus(.strip)
    let top = index / max(1, cells.columns) - place.index / max(1, cells.columns)
    picks.strip.setCursor(index, keeping: top, count: picks.selection.count)
    if event.action == .rightPress {
      if allows(.preview) { openFullScreen() }
    } else if event.isControl || isOnMark(event, cells.box(at: place.index)) {
      return toggle()
    } else {
      input.mouse.draggedPick = picks.selection.assets[index].id
    }
    return []
  }

  /// Moves the pick that is dragged to where the mouse is.
  mutating func dragPick(_ pick: LocalIdentifier, _ event: MouseEvent) {
    let cells = layout.strip.cells
    guard canReorder, let from = picks.selection.number(of: pick).map({ $0 - 1 }),
      let place = cells.place(row: event.row, column: event.column)
    else { return }
    let first = firstInStrip
    let target = min(picks.selection.count - 1, first + place.index)
    guard target != from else { return }
    picks.selection.move(from: from, to: target)
    picks.strip.setCursor(target, keeping: first / max(1, cells.columns), count: picks.selection.count)
  }

  /// The function that makes the key of a picture in the strip; nil if none are drawn.
  var stripKey: ((Asset) -> PictureKey)? {
    guard let pictureGeometry = metrics.pictureGeometry, layout.strip.area != nil else { return nil }
    let size = pictureGeometry.pixels(for: layout.strip.cells.box)
    return size.isEmpty ? nil : { PictureKey($0, size: size, mode: .aspectFill) }
  }

  /// The pictures of the picks in sight.
  var stripWants: [PictureRequest] {
    guard let key = stripKey, !preview.isFullScreen else { return [] }
    return picks.selection.assets.dropFirst(firstInStrip).prefix(layout.strip.cells.count).compactMap {
      $0.isBroken ? nil : PictureRequest(key: key($0), asset: $0, priority: .visible)
    }
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
  var strip = PickStrip()

  init(selection: Selection, preselected: [LocalIdentifier] = []) {
    self.selection = selection
    history = PickHistory(selection)
    self.preselected = preselected
  }
}
