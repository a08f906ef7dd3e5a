import AssetLibrary
import Pixels

extension PickerState {
  func drawSidebar(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    guard let area = layout.sidebar, let window = sidebarWindow(in: layout) else { return }
    if layout.sidebarFloats {
      frame.clear(area)
      for row in area.row..<area.endRow {
        frame.put(symbols.lines.vertical, row: row, column: area.endColumn - 1, style: .rule)
      }
    }
    for place in window.places {
      draw(sidebar.albums.lines[place.line], at: place, in: window.area, on: &frame)
    }
    drawSidebarScrollBar(window, on: &frame)
    if sidebar.albums.lines.isEmpty, !sidebar.albums.filter.isEmpty {
      frame.put(
        "no matching album", row: window.area.row, column: window.area.column, limit: window.area.columns,
        style: .dim)
    }
  }

  private func draw(
    _ line: AlbumLine, at place: SidebarWindow.Place, in area: CellRect, on frame: inout ScreenFrame
  ) {
    let row = place.row
    guard let target = line.target else {
      if line.kind == .heading {
        frame.put(line.title, row: row, column: area.column, limit: area.columns, style: .heading)
      }
      return
    }
    let isShown = target == self.library.album
    let hasFocus = input.focus == .sidebar && target == sidebar.target
    let style = TextStyle.line(isCurrent: hasFocus, isChosen: isShown)
    if hasFocus {
      frame.fill(
        CellRect(column: area.column, row: row, columns: area.columns, rows: 1), FrameCell(style: style))
    }
    frame.put(
      mark(of: line), row: row, column: place.markColumn, limit: 1, style: hasFocus || isShown ? style : .dim)
    if let box = place.poster { drawPoster(of: line, in: box, on: &frame) }
    let count = DisplayText(line.count.map(options.locale.number) ?? "")
    frame.put(
      count, row: row, column: area.endColumn - count.width,
      style: hasFocus ? style : isShown ? .accent : .dim)
    let limit = max(0, area.endColumn - place.titleColumn - (count.width > 0 ? count.width + 1 : 0))
    frame.put(
      DisplayText(line.title).middleTruncated(to: limit), row: row, column: place.titleColumn, limit: limit,
      style: style)
    if !sidebar.albums.filter.isEmpty, target.isShowable {
      highlight(
        [TextPattern(sidebar.albums.filter)], row: row, column: place.titleColumn, width: limit, on: &frame)
    }
  }

  private func drawSidebarScrollBar(_ window: SidebarWindow, on frame: inout ScreenFrame) {
    let (area, count) = (window.area, sidebar.albums.lines.count)
    guard area.rows > 2, count > area.rows else { return }
    let length = max(1, area.rows * area.rows / count)
    let start = (area.rows - length) * sidebar.top / max(1, count - area.rows)
    for row in start..<min(area.rows, start + length) {
      frame.put(symbols.grid.scrollBar, row: area.row + row, column: area.endColumn, style: .scrollBar)
    }
  }

  private func mark(of line: AlbumLine) -> String {
    if let album = line.smartAlbum { return symbols.albums.icons[album] ?? " " }
    return line.isExpanded.map { $0 ? symbols.albums.expanded : symbols.albums.collapsed } ?? " "
  }

  /// Draws the poster of an album, without a placeholder while it is loading.
  private func drawPoster(of line: AlbumLine, in box: CellRect, on frame: inout ScreenFrame) {
    guard let asset = line.poster.flatMap({ sidebar.posters.known[$0] }), let key = posterKey?(asset) else {
      return
    }
    switch pictures[key] {
    case .ready: frame.place(PictureSlot(key: key, rect: box, alignment: .center))
    case .failed: frame.put(symbols.grid.noPicture, row: box.row, column: box.column, style: .dim)
    case .inCloud, nil: break
    }
  }
}
