import AssetLibrary
import Pixels

/// The sidebar: the albums, the cursor and the scroll position.
struct Sidebar: Sendable {
  var albums: AlbumTree
  /// The album at the sidebar's cursor.
  var target = AlbumTarget.recents
  /// The first visible line.
  var top = 0
  /// The width that the user set; nil = the width that the names need.
  var columns: Int?
  /// The most columns for the names, so that the photos beside them keep their columns while albums are found; nil =
  /// as many as the names need.
  var nameColumnLimit: Int?
  /// Whether the albums were last listed while the library was being read, so that some were still missing.
  private var wasListedWhileReading = false
  /// The options of the last count; nil = the albums must be counted again.
  private var countOptions: FetchOptions?
  /// The posters of the albums.
  var posters = Posters()
  /// Whether the initial album was opened, or the user went elsewhere first.
  var hasOpenedInitialAlbum = false

  init(albums: AlbumTree, columns: Int? = nil) {
    self.albums = albums
    self.columns = columns
  }
}

extension Sidebar {
  /// Sets another width, limited to what the screen allows.
  mutating func setWidth(_ columns: Int, screen: CellSize) {
    let range = ScreenPreferences.albumColumnRange
    self.columns = max(range.lowerBound, min(columns, range.upperBound, screen.columns / 2))
  }

  /// The options to count albums with, if they differ from those of the last count.
  mutating func needsCount(_ options: FetchOptions) -> FetchOptions? {
    guard countOptions != options else { return nil }
    countOptions = options
    posters.forget(unless: options)
    return options
  }

  /// Counts the albums again with the next fetch.
  mutating func markCountsStale() { countOptions = nil }

  /// Drops all counts and posters, so that they are requested again.
  mutating func forgetCounts() {
    countOptions = nil
    posters = Posters()
  }

  /// Lists the albums of a result.
  /// - Parameters:
  ///   - shown: the album in the grid, where the cursor goes if its own is gone.
  ///   - isReading: whether the library is still being read.
  /// - Returns: whether the list only continues one that was incomplete, so that the photos should stay in place.
  @discardableResult
  mutating func list(_ answer: AlbumsAnswer, shown: AlbumTarget, isReading: Bool) -> Bool {
    defer { wasListedWhileReading = isReading }
    albums.replace(with: answer, isWhole: !isReading)
    posters.markStale()
    if albums.index(of: target) == nil { target = shown }
    return wasListedWhileReading || nameColumnLimit != nil
  }

  /// The result of a command.
  enum Step: Hashable {
    case show(AlbumTarget)
    /// The focus returns to the photos.
    case leave
    /// The search for an album starts.
    case find
    case nothing
  }

  /// Handles a command; nil if the sidebar has no meaning of its own for it.
  mutating func handle(_ command: Command) -> Step? {
    switch command {
    case .up, .down, .pageUp, .pageDown, .first, .last: return move(command)
    case .right: return isExpanded == false ? toggle() : .leave
    case .left: return isExpanded == true ? toggle() : move(command)
    case .toggle, .confirm: return !target.isShowable && albums.index(of: target) != nil ? toggle() : .leave
    case .search: return .find
    case .removeFilter:
      albums.filter(by: "")
      return .nothing
    case .selectAll, .unselectAll, .range, .openFullScreen, .jump: return .nothing
    default: return nil
    }
  }

  private mutating func toggle() -> Step {
    albums.toggle(target)
    return .nothing
  }

  private mutating func move(_ command: Command) -> Step {
    guard let next = target(after: command), next != target else { return .nothing }
    target = next
    return .show(next)
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

  /// The indexes of the albums at which a section begins.
  private func sectionStarts(_ items: [Int]) -> [Int] {
    items.indices.filter { items[$0] > 0 && albums.lines[items[$0] - 1].kind == .heading }
  }

  /// Whether the album at the cursor is expanded; nil if it has no children.
  private var isExpanded: Bool? { albums.index(of: target).flatMap { albums.lines[$0].isExpanded } }

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
    // Avoids blank rows at the end while there are lines above.
    top = max(0, min(top, lines.count - rows))
  }
}

extension Sidebar {
  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    let layout = picker.layout
    guard let area = layout.sidebar, let window = window(in: layout) else { return }
    if layout.sidebarFloats {
      frame.clear(area)
      for row in area.row..<area.endRow {
        frame.put(picker.options.symbols.lines.vertical, row: row, column: area.endColumn - 1, style: .rule)
      }
    }
    for place in window.places {
      draw(albums.lines[place.line], at: place, in: window.area, on: &frame, in: picker)
    }
    drawScrollBar(window, on: &frame, picker.options.symbols)
    if albums.lines.isEmpty, !albums.filter.isEmpty {
      frame.put(
        "No matching album", row: window.area.row, column: window.area.column, limit: window.area.columns,
        style: .dim)
    }
  }

  private func draw(
    _ line: AlbumLine, at place: SidebarWindow.Place, in area: CellRect, on frame: inout ScreenFrame,
    in picker: PickerState
  ) {
    let row = place.row
    guard let target = line.target else {
      if line.kind == .heading {
        frame.put(line.title, row: row, column: area.column, limit: area.columns, style: .heading)
      }
      return
    }
    let isShown = target == picker.library.album
    let hasFocus = picker.input.focus == .sidebar && target == self.target
    let style = TextStyle.line(isCurrent: hasFocus, isChosen: isShown)
    if hasFocus {
      frame.fill(
        CellRect(column: area.column, row: row, columns: area.columns, rows: 1), FrameCell(style: style))
    }
    frame.put(
      mark(of: line, picker.options.symbols), row: row, column: place.markColumn, limit: 1,
      style: hasFocus || isShown ? style : .dim)
    if let box = place.poster { drawPoster(of: line, in: box, on: &frame, in: picker) }
    let count = DisplayText(line.count.map(picker.options.locale.number) ?? "")
    frame.put(
      count, row: row, column: area.endColumn - count.width,
      style: hasFocus ? style : isShown ? .accent : .dim)
    let limit = max(0, area.endColumn - place.titleColumn - (count.width > 0 ? count.width + 1 : 0))
    frame.put(
      DisplayText(line.title).middleTruncated(to: limit), row: row, column: place.titleColumn, limit: limit,
      style: style)
    if !albums.filter.isEmpty, target.isShowable {
      frame.highlight([TextPattern(albums.filter)], row: row, column: place.titleColumn, width: limit)
    }
  }

  private func drawScrollBar(_ window: SidebarWindow, on frame: inout ScreenFrame, _ symbols: Symbols) {
    let (area, count) = (window.area, albums.lines.count)
    guard area.rows > 2, count > area.rows else { return }
    let length = max(1, area.rows * area.rows / count)
    let start = (area.rows - length) * top / max(1, count - area.rows)
    for row in start..<min(area.rows, start + length) {
      frame.put(symbols.grid.scrollBar, row: area.row + row, column: area.endColumn, style: .scrollBar)
    }
  }

  private func mark(of line: AlbumLine, _ symbols: Symbols) -> String {
    if let album = line.smartAlbum { return symbols.albums.icons[album] ?? " " }
    return line.isExpanded.map { $0 ? symbols.albums.expanded : symbols.albums.collapsed } ?? " "
  }

  /// Draws the poster of an album, without a placeholder while it is loading.
  private func drawPoster(
    of line: AlbumLine, in box: CellRect, on frame: inout ScreenFrame, in picker: PickerState
  ) {
    guard let asset = line.poster.flatMap({ posters.known[$0] }),
      let key = Self.posterKey(of: asset, picker.layout.metrics)
    else {
      return
    }
    switch picker.pictures[key] {
    case .ready: frame.place(PictureSlot(key: key, rect: box, alignment: .center))
    case .failed:
      frame.put(picker.options.symbols.grid.noPicture, row: box.row, column: box.column, style: .dim)
    case .inCloud, nil: break
    }
  }
}

/// The visible lines of the sidebar, one row each, and the columns of their parts.
struct SidebarWindow: Hashable, Sendable {
  /// A visible line.
  struct Place: Hashable, Sendable {
    /// The index of the line.
    var line: Int
    var row: Int
    /// The column of the mark before the title: an icon, or whether the line is expanded.
    var markColumn: Int
    var poster: CellRect?
    var titleColumn: Int
  }

  /// The size of a poster in cells: about a square.
  static let poster = CellSize(columns: 2, rows: 1)
  /// Deeper lines are not indented further, because their names need the room.
  private static let deepestIndent = 4

  /// The cells beside the lines: one before them, and one or two after them for the scroll bar and, if the sidebar
  /// floats, its edge.
  static let margins = (left: 1, right: 1, rightFloating: 2)

  let area: CellRect
  private(set) var places: [Place] = []

  /// - Parameter first: the index of the line at the top.
  init(area: CellRect, lines: [AlbumLine], first: Int, hasPosters: Bool) {
    self.area = area
    // If no album can be expanded, no room is left for the mark.
    let markColumns = Self.markColumns(of: lines)
    for (offset, index) in lines.indices.dropFirst(max(0, first)).prefix(area.rows).enumerated() {
      let line = lines[index]
      let mark = area.column + Self.indent(of: line)
      let hasPoster = Self.hasPoster(line, hasPosters)
      let place = Place(
        line: index, row: area.row + offset, markColumn: mark,
        poster: hasPoster
          ? CellRect(
            column: mark + markColumns, row: area.row + offset, columns: Self.poster.columns,
            rows: Self.poster.rows) : nil,
        titleColumn: area.column + Self.titleOffset(of: line, markColumns, hasPosters))
      places.append(place)
    }
  }

  private static func indent(of line: AlbumLine) -> Int { min(deepestIndent, line.depth) }

  private static func hasPoster(_ line: AlbumLine, _ hasPosters: Bool) -> Bool {
    hasPosters && line.poster != nil && line.smartAlbum == nil
  }

  private static func markColumns(of lines: [AlbumLine]) -> Int {
    lines.contains { $0.poster != nil && $0.isExpanded != nil } ? 2 : 0
  }

  private static func titleOffset(of line: AlbumLine, _ markColumns: Int, _ hasPosters: Bool) -> Int {
    indent(of: line) + (hasPoster(line, hasPosters) ? markColumns + poster.columns + 1 : 2)
  }

  /// The width in cells that shows all lines in full: their names, and their counts at the end.
  static func columns(of lines: [AlbumLine], hasPosters: Bool) -> Int {
    let markColumns = markColumns(of: lines)
    return lines.reduce(0) { widest, line in
      let title = DisplayText(line.title).width
      guard line.target != nil else { return max(widest, title) }
      // With a separator for every three digits.
      let digits = line.count.map { String($0).count } ?? 0
      let count = digits > 0 ? 1 + digits + (digits - 1) / 3 : 0
      return max(widest, titleOffset(of: line, markColumns, hasPosters) + title + count)
    }
  }

  func place(atRow row: Int) -> Place? { places.first { $0.row == row } }
}

extension Sidebar {
  func window(in layout: ScreenLayout) -> SidebarWindow? {
    guard let area = area(in: layout) else { return nil }
    return SidebarWindow(
      area: area, lines: albums.lines, first: top, hasPosters: Self.posterSize(layout.metrics) != nil)
  }

  private func area(in layout: ScreenLayout) -> CellRect? {
    let margins = SidebarWindow.margins
    return layout.sidebar?.inset(
      left: margins.left, right: layout.sidebarFloats ? margins.rightFloating : margins.right)
  }

  /// Scrolls as little as needed to make the current album and its heading visible.
  /// - Parameter shown: the album in the grid.
  mutating func scroll(toShown shown: AlbumTarget, hasFocus: Bool, in layout: ScreenLayout) {
    guard let area = area(in: layout) else { return }
    scroll(to: hasFocus ? target : shown, rows: area.rows)
  }

  // MARK: Posters

  /// The size of a poster; nil if pictures are too coarse for posters.
  static func posterSize(_ metrics: ScreenMetrics) -> PixelSize? {
    guard let pictureGeometry = metrics.pictureGeometry, pictureGeometry.isFine else { return nil }
    var box = pictureGeometry.pixels(for: SidebarWindow.poster)
    // Lower than its row, so that adjacent posters do not touch.
    box.height = min(box.height, pictureGeometry.cell.height - max(1, pictureGeometry.cell.height / 8))
    if box.height > pictureGeometry.heightStep { box.height -= box.height % pictureGeometry.heightStep }
    return box.isEmpty ? nil : box
  }

  private static func posterKey(of asset: Asset, _ metrics: ScreenMetrics) -> PictureKey? {
    posterSize(metrics).map { PictureKey(asset, size: $0, mode: .aspectFill) }
  }

  /// The collections of the visible posters.
  private func posterCollections(in picker: PickerState) -> [LocalIdentifier] {
    guard !picker.preview.isFullScreen, let window = window(in: picker.layout) else { return [] }
    return window.places.compactMap { $0.poster == nil ? nil : albums.lines[$0.line].poster }
  }

  /// Requests the missing or stale posters among the visible ones.
  mutating func requestPosters(in picker: PickerState) -> [PickerEffect] {
    posters.makeQuery(
      for: posterCollections(in: picker), mode: picker.authorization.mode,
      canRefresh: picker.library.status.isComplete
    ).map { [.fetchPosters($0)] } ?? []
  }

  /// The pictures of the visible posters.
  func posterWants(in picker: PickerState) -> [PictureRequest] {
    guard let size = Self.posterSize(picker.layout.metrics) else { return [] }
    return posterCollections(in: picker).compactMap { posters.known[$0] }.map { asset in
      PictureRequest(key: PictureKey(asset, size: size, mode: .aspectFill), asset: asset, priority: .prefetch)
    }
  }
}
