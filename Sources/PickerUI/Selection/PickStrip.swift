import AssetLibrary
import Pixels

/// The strip of picks: whether it is open, its cursor, and its scroll position.
struct PickStrip: Hashable, Sendable {
  private(set) var isOpen = false
  /// The index of its cursor in the selection.
  private(set) var cursor = 0
  /// The row that the wheel scrolled to, until the number of picks changes.
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
  mutating func move(_ command: Command, in cells: GridGeometry, count: Int) -> Bool {
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

  /// Moves the cursor to a pick that was clicked or dragged, without scrolling.
  /// - Parameter top: the first visible row of picks.
  mutating func setCursor(_ index: Int, keeping top: Int, count: Int) {
    (isOpen, cursor) = (true, index)
    scroll = Scroll(row: top, pickCount: count)
  }

  /// Follows a pick that keys move to another position.
  mutating func follow(_ index: Int) { (cursor, scroll) = (index, nil) }

  /// Scrolls by a row; a cursor that has the focus stays in the visible rows.
  mutating func scroll(by step: Int, in cells: GridGeometry, count: Int, hasFocus: Bool) {
    let columns = max(1, cells.columns)
    let first = first(in: cells, count: count, hasFocus: hasFocus)
    let top = max(0, min((count - 1) / columns + 1 - cells.wholeRows, first / columns + step))
    scroll = Scroll(row: top, pickCount: count)
    guard hasFocus else { return }
    let row = max(top, min(top + cells.wholeRows - 1, cursor / columns))
    cursor = max(0, min(count - 1, row * columns + cursor % columns))
  }

  /// The index of the first visible pick: at the position that the wheel scrolled to, else such that the cursor's row
  /// or the last row is visible.
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
  /// Draws the picks in order.
  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    let (layout, selection) = (picker.layout, picker.picks.selection)
    guard let area = layout.strip.area, !picker.preview.isFullScreen, area.rows > 0 else { return }
    let cells = layout.strip.cells
    let hasFocus = picker.input.focus == .strip
    let first = first(in: cells, count: selection.count, hasFocus: hasFocus)
    let (key, tiles) = (Self.key(in: picker), Tiles(of: picker))
    for place in 0..<cells.count where first + place < selection.count {
      let asset = selection.assets[first + place]
      let box = cells.box(at: place)
      tiles.drawThumbnail(of: asset, key: key?(asset), in: box, on: &frame)
      tiles.drawMarks(of: asset, in: box, on: &frame)
      if hasFocus, first + place == cursor { frame.drawFrame(around: box, in: area, style: .cursor) }
    }
    drawTitle(beside: hasFocus ? cells.box(at: cursor - first) : nil, on: &frame, in: picker)
    guard cells.count > 0, selection.count > cells.count else { return }
    let length = max(1, area.rows * cells.count / selection.count)
    let start = min(area.rows - length, area.rows * first / selection.count)
    for row in start..<start + length {
      frame.put(
        picker.options.symbols.grid.scrollBar, row: area.row + row, column: area.endColumn - 1,
        style: .scrollBar)
    }
  }

  /// Draws the title above the picks; in the same row as the upper edge of the cursor's frame, if there is no
  /// other, it stands to the right of the frame rather than in it, if there is room.
  /// - Parameter framed: the tile with the cursor's frame; nil if there is none.
  private func drawTitle(beside framed: CellRect?, on frame: inout ScreenFrame, in picker: PickerState) {
    guard let area = picker.layout.strip.area else { return }
    let title = DisplayText(title(in: picker))
    var column = area.column + 1
    if let framed, framed.row - GridGeometry.gap == area.row, framed.column - 1 <= column + title.width {
      let right = framed.endColumn + 2
      if right + title.width < area.endColumn { column = right }
    }
    frame.put(
      title, row: area.row, column: column, limit: area.endColumn - 1 - column, style: .heading)
  }

  /// The function that makes the key of a picture in the strip; nil if none are drawn.
  private static func key(in picker: PickerState) -> ((Asset) -> PictureKey)? {
    guard let pictureGeometry = picker.layout.metrics.pictureGeometry, picker.layout.strip.area != nil else {
      return nil
    }
    let size = pictureGeometry.pixels(for: picker.layout.strip.cells.box)
    let keyPhotos = KeyPhotos(of: picker)
    return size.isEmpty ? nil : { keyPhotos.shown(PictureKey($0, size: size, mode: .aspectFill), of: $0) }
  }

  /// The pictures of the visible picks.
  func wants(in picker: PickerState) -> [PictureRequest] {
    guard let key = Self.key(in: picker) else { return [] }
    let (cells, selection) = (picker.layout.strip.cells, picker.picks.selection)
    let first = first(in: cells, count: selection.count, hasFocus: picker.input.focus == .strip)
    return selection.assets.dropFirst(first).prefix(cells.count).compactMap {
      $0.isBroken ? nil : PictureRequest(key: key($0), asset: $0, priority: .visible)
    }
  }

  /// The title of the strip, which names the order of the picks.
  private func title(in picker: PickerState) -> String {
    if picker.authorization.mode == .managing {
      return "Photos that \(picker.options.client.name) may see"
    }
    return picker.options.configuration.selection.isOrdered
      ? "Picks, in this order" : "Picks, used in grid order"
  }
}
