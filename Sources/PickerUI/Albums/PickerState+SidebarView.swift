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
    let text = area.inset(left: place.textColumn - area.column)
    if hasFocus {
      frame.fill(
        CellRect(column: text.column, row: row, columns: text.columns, rows: 1), FrameCell(style: style))
    }
    let countStyle = hasFocus && place.poster == nil ? style : isShown ? TextStyle.accent : .dim
    let count = DisplayText(line.count.map(options.locale.number) ?? "")
    let title = DisplayText(line.title)
    let limit: Int
    var column = text.column
    if let box = place.poster {
      drawPoster(of: line, in: box, on: &frame)
      // Beside a poster, title and count are on two lines.
      limit = text.columns
      let mark = self.mark(of: line)
      let at =
        mark == " " ? 0 : frame.put(mark, row: row + 1, column: column, limit: 1, style: .dim) + 1
      frame.put(count, row: row + 1, column: column + at, limit: max(0, limit - at), style: countStyle)
    } else {
      frame.put(mark(of: line), row: row, column: column, limit: 1, style: hasFocus || isShown ? style : .dim)
      column += 2
      limit = max(0, area.endColumn - column - count.width - 1)
      frame.put(count, row: row, column: area.endColumn - count.width, style: countStyle)
    }
    frame.put(title, row: row, column: column, limit: limit, style: style)
    if !sidebar.albums.filter.isEmpty, target.isShowable {
      highlight([TextPattern(sidebar.albums.filter)], row: row, column: column, width: limit, on: &frame)
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
    case .failed: frame.put(symbols.grid.noPicture, row: box.row, column: box.column + 1, style: .dim)
    case nil: break
    }
  }
}
