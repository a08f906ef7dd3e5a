import AssetLibrary
import Pixels

/// The state of the sidebar: the albums, the cursor and the scroll position.
struct SidebarState: Sendable {
  var albums: AlbumTree
  /// The album at the sidebar's cursor.
  var target = AlbumTarget.recents
  /// The first visible line.
  var top = 0
  /// The width that the user gave it; nil = as its names need.
  var columns: Int?
  /// The options of the last count; nil = the albums have to be counted again.
  var countOptions: FetchOptions?
  /// The posters of the albums.
  var posters = Posters()
  /// Whether the initial album was opened, or the user went elsewhere first.
  var hasOpenedInitialAlbum = false

  init(albums: AlbumTree, columns: Int? = nil) {
    self.albums = albums
    self.columns = columns
  }
}

extension SidebarState {
  /// The options to count albums with, if they differ from those of the last count.
  mutating func needsCount(_ options: FetchOptions) -> FetchOptions? {
    guard countOptions != options else { return nil }
    countOptions = options
    posters.forget(unless: options)
    return options
  }

  /// Drops all counts and posters: they are asked for again.
  mutating func forgetCounts() {
    countOptions = nil
    posters = Posters()
  }

  /// Lists the albums of a result.
  /// - Parameter shown: the album in the grid, where the cursor goes if its own is gone.
  mutating func list(_ answer: AlbumsAnswer, shown: AlbumTarget) {
    albums.replace(with: answer)
    posters.markStale()
    if albums.index(of: target) == nil { target = shown }
  }

  /// The album that a command moves the cursor to; nil if there is none.
  ///
  /// A page ends at the first album of the next section, so that the dates are a few keys away.
  func target(after command: Command, page: Int = 10) -> AlbumTarget? {
    let items = albums.lines.indices.filter { albums.lines[$0].target != nil }
    guard !items.isEmpty else { return nil }
    let line = albums.index(of: target)
    let at = items.firstIndex { $0 == line } ?? 0
    let index: Int
    switch command {
    case .up: index = at - 1
    case .down: index = line == nil ? 0 : at + 1
    case .pageUp:
      index = sectionStarts(items).last { (at - page..<at).contains($0) } ?? at - page
    case .pageDown:
      index = sectionStarts(items).first { (at + 1...at + page).contains($0) } ?? at + page
    case .first: index = 0
    case .last: index = items.count - 1
    case .left:
      guard let line, let parent = albums.parent(of: line), let place = items.firstIndex(of: parent) else {
        return nil
      }
      index = place
    default: return nil
    }
    return albums.lines[items[max(0, min(index, items.count - 1))]].target
  }

  /// The places among the albums at which a section begins.
  private func sectionStarts(_ items: [Int]) -> [Int] {
    items.indices.filter { items[$0] > 0 && albums.lines[items[$0] - 1].kind == .heading }
  }

  /// Whether the album at the cursor is expanded; nil if it has no children.
  var isExpanded: Bool? { albums.index(of: target).flatMap { albums.lines[$0].isExpanded } }

  /// Scrolls as little as needed to make an album's line visible.
  /// - Parameters:
  ///   - shown: the album.
  ///   - rows: the height of the sidebar.
  mutating func scroll(to shown: AlbumTarget, rows: Int) {
    let lines = albums.lines
    guard !lines.isEmpty else {
      top = 0
      return
    }
    let current = albums.index(of: shown) ?? 0
    let isUnderHeading = current > 0 && lines[current - 1].target == nil
    top = min(top, isUnderHeading ? current - 1 : current)
    top = max(top, current - rows + 1)
    // No blank rows at the end while there are lines above.
    top = max(0, min(top, lines.count - rows))
  }
}

extension PickerState {
  /// Shows an album, at the user's previous position in it if there is one.
  mutating func open(_ target: AlbumTarget, remembers: Bool = true) -> [PickerEffect] {
    guard target.isShowable else { return [] }
    let position = library.open(target, leaving: grid.position, remembers: remembers)
    if let line = sidebar.albums.lines.first(where: { $0.target == target }) {
      library.title = longTitle(of: line)
    } else if case .collection(let identifier) = target {
      library.title =
        sidebar.albums.collection(identifier)?.title ?? SmartAlbum(identifier)?.title ?? identifier.rawValue
    }
    grid.reset(to: position)
    picks.range = nil
    return fetch()
  }

  /// The title of a line out of its context: months have their year, moments their date.
  func longTitle(of line: AlbumLine) -> String {
    guard let day = line.day else { return line.longTitle }
    return options.locale.day(day) + line.title.drop { $0 != "," }
  }

  /// Performs a command in the sidebar; nil if it is handled as usual.
  mutating func performInSidebar(_ command: Command) -> [PickerEffect]? {
    switch command {
    case .up, .down, .pageUp, .pageDown, .first, .last: return enter(after: command)
    case .right:
      if sidebar.isExpanded == false { sidebar.albums.toggle(sidebar.target) } else { setFocus(.grid) }
      return []
    case .left:
      if sidebar.isExpanded == true {
        sidebar.albums.toggle(sidebar.target)
        return []
      }
      return enter(after: .left)
    case .toggle, .confirm:
      if !sidebar.target.isShowable, sidebar.albums.index(of: sidebar.target) != nil {
        sidebar.albums.toggle(sidebar.target)
      } else {
        setFocus(.grid)
      }
      return []
    case .search: return openPrompt(.album)
    case .removeFilter:
      sidebar.albums.filter(by: "")
      return []
    case .selectAll, .unselectAll, .range, .openFullScreen, .jump, .moveEarlier, .moveLater: return []
    default: return nil
    }
  }

  /// Moves the sidebar's cursor and shows the album there.
  private mutating func enter(after command: Command) -> [PickerEffect] {
    sidebar.target(after: command).map { enter($0) } ?? []
  }

  /// Moves the sidebar's cursor to an album and shows it.
  mutating func enter(_ target: AlbumTarget) -> [PickerEffect] {
    guard target != sidebar.target else { return [] }
    sidebar.target = target
    return target != library.album ? open(target) : []
  }
}

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
