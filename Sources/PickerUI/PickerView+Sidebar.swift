import AssetLibrary
import Pixels

extension PickerState {
  /// Where the lines of the albums stand, and the first of them in sight.
  func sidebarWindow(in layout: ScreenLayout) -> (area: CellRect, first: Int)? {
    guard let area = layout.sidebar else { return nil }
    let inner = area.inset(left: 1, right: layout.sidebarFloats ? 2 : 1)
    let lines = albums.lines
    // Keep the album under the cursor in sight.
    let current = albums.index(of: focus == .sidebar ? sidebarTarget : place) ?? 0
    let first = max(0, min(current - inner.rows / 2, lines.count - inner.rows))
    return (inner, first)
  }

  func drawSidebar(on frame: inout Frame, _ layout: ScreenLayout) {
    guard let area = layout.sidebar, let window = sidebarWindow(in: layout) else { return }
    if layout.sidebarFloats {
      frame.clear(area)
      for row in area.row..<area.endRow {
        frame.put(symbols.vertical, row: row, column: area.endColumn - 1, style: .rule)
      }
    }
    let lines = albums.lines.dropFirst(window.first).prefix(window.area.rows)
    for (row, line) in lines.enumerated() {
      draw(line, row: window.area.row + row, in: window.area, on: &frame)
    }
    if albums.lines.isEmpty, !albums.filter.isEmpty {
      frame.put(
        "no album is called so", row: window.area.row, column: window.area.column, limit: window.area.columns,
        style: .dim)
    }
  }

  private func draw(_ line: AlbumLine, row: Int, in area: CellRect, on frame: inout Frame) {
    guard let target = line.target else {
      if line.kind == .heading {
        frame.put(line.title, row: row, column: area.column, limit: area.columns, style: .heading)
      }
      return
    }
    let isShown = target == place
    let hasFocus = focus == .sidebar && target == sidebarTarget
    let style = TextStyle.line(isCurrent: hasFocus, isChosen: isShown)
    if hasFocus {
      frame.fill(
        CellRect(column: area.column, row: row, columns: area.columns, rows: 1), FrameCell(style: style))
    }
    let mark: String
    if let album = line.smartAlbum {
      mark = symbols.albums[album] ?? " "
    } else if let isUnfolded = line.isUnfolded {
      mark = isUnfolded ? symbols.unfolded : symbols.folded
    } else {
      mark = " "
    }
    let count = DisplayText(line.count.map(options.locale.number) ?? "")
    let indent = min(8, 2 * line.depth)
    frame.put(
      mark, row: row, column: area.column + indent, limit: 1, style: hasFocus || isShown ? style : .dim)
    let column = area.column + indent + 2
    let limit = max(0, area.endColumn - column - count.width - 1)
    frame.put(DisplayText(line.title), row: row, column: column, limit: limit, style: style)
    if !albums.filter.isEmpty, target.isShown {
      highlight([TextPattern(albums.filter)], row: row, column: column, width: limit, on: &frame)
    }
    frame.put(
      count, row: row, column: area.endColumn - count.width,
      style: hasFocus ? style : isShown ? .accent : .dim)
  }
}
