package import AssetLibrary
import Pixels

/// The visible lines of the sidebar, one row each, and where their parts stand.
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
  /// Deeper lines are not indented further: their names need the room.
  private static let deepestIndent = 4

  /// The cells beside the lines: one before them, two behind them, for the scroll bar and, where it floats, its edge.
  static let margins = (left: 1, right: 1, rightFloating: 2)

  let area: CellRect
  private(set) var places: [Place] = []

  /// - Parameter first: the index of the line at the top.
  init(area: CellRect, lines: [AlbumLine], first: Int, hasPosters: Bool) {
    self.area = area
    // Where no album can be expanded, none leaves room for the mark.
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

  /// The cells in which all lines are read whole: their names, and their counts at the end.
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

extension PickerState {
  func sidebarWindow(in layout: ScreenLayout) -> SidebarWindow? {
    guard let area = sidebarArea(in: layout) else { return nil }
    return SidebarWindow(
      area: area, lines: sidebar.albums.lines, first: sidebar.top, hasPosters: posterKey != nil)
  }

  private func sidebarArea(in layout: ScreenLayout) -> CellRect? {
    let margins = SidebarWindow.margins
    return layout.sidebar?.inset(
      left: margins.left, right: layout.sidebarFloats ? margins.rightFloating : margins.right)
  }

  /// Scrolls as little as needed to make the current album and its heading visible.
  mutating func scrollToAlbum() {
    guard let area = sidebarArea(in: layout) else { return }
    sidebar.scroll(to: input.focus == .sidebar ? sidebar.target : library.album, rows: area.rows)
  }

  // MARK: Posters

  /// The function that makes a poster's key; nil if pictures are too coarse for posters.
  var posterKey: ((Asset) -> PictureKey)? {
    guard let pictureGeometry = metrics.pictureGeometry, pictureGeometry.isFine else { return nil }
    var box = pictureGeometry.pixels(for: SidebarWindow.poster)
    // Lower than its row, so that adjacent posters don't touch.
    box.height = min(box.height, pictureGeometry.cell.height - max(1, pictureGeometry.cell.height / 8))
    if box.height > pictureGeometry.heightStep { box.height -= box.height % pictureGeometry.heightStep }
    return box.isEmpty ? nil : { PictureKey($0, size: box, mode: .aspectFill) }
  }

  /// The collections of the visible posters.
  private var posterCollections: [LocalIdentifier] {
    guard !preview.isFullScreen, let window = sidebarWindow(in: layout) else { return [] }
    return window.places.compactMap { $0.poster == nil ? nil : sidebar.albums.lines[$0.line].poster }
  }

  /// Requests the missing or stale posters among the visible ones.
  mutating func requestPosters() -> [PickerEffect] {
    sidebar.posters.makeQuery(
      for: posterCollections, mode: authorization.mode, canRefresh: library.status.isComplete
    ).map {
      [.fetchPosters($0)]
    } ?? []
  }

  /// The pictures of the visible posters.
  func posterWants(in layout: ScreenLayout) -> [PictureRequest] {
    guard let key = posterKey else { return [] }
    return posterCollections.compactMap { sidebar.posters.known[$0] }.map { asset in
      PictureRequest(key: key(asset), asset: asset, priority: .prefetch)
    }
  }
}

/// A request for the poster photos of some albums.
package struct PosterQuery: Hashable, Sendable {
  package var collections: [LocalIdentifier]
  /// The options that the albums were counted with.
  package var options: FetchOptions
  package var mode = AccessMode.picking
}

/// The result of a `PosterQuery`; empty albums have no poster.
package struct PosterAnswer: Sendable {
  var query: PosterQuery
  var posters: [LocalIdentifier: Asset]

  package init(query: PosterQuery, posters: [LocalIdentifier: Asset]) {
    self.query = query
    self.posters = posters
  }
}

/// The poster photos of the albums that were shown so far.
struct Posters: Sendable {
  private(set) var known: [LocalIdentifier: Asset] = [:]
  /// The albums whose posters are up to date or requested.
  private var fresh: Set<LocalIdentifier> = []
  private(set) var pendingQuery: PosterQuery?
  private var options: FetchOptions?

  /// Marks all posters as stale; they are still shown until new ones arrive.
  mutating func markStale() { fresh = [] }

  /// Drops all posters if the albums are counted with other options.
  mutating func forget(unless options: FetchOptions) {
    if self.options != options { self = Posters() }
    self.options = options
  }

  /// Makes the query for the missing posters of some albums; nil if there are none or a query is pending.
  /// - Parameters:
  ///   - mode: whose eyes they are for.
  ///   - canRefresh: whether stale posters are requested again, not only missing ones.
  mutating func makeQuery(
    for collections: [LocalIdentifier], mode: AccessMode, canRefresh: Bool
  ) -> PosterQuery? {
    guard pendingQuery == nil, let options else { return nil }
    let wanted = collections.filter { !fresh.contains($0) && (canRefresh || known[$0] == nil) }
    guard !wanted.isEmpty else { return nil }
    fresh.formUnion(wanted)
    pendingQuery = PosterQuery(collections: wanted, options: options, mode: mode)
    return pendingQuery
  }

  mutating func add(_ answer: PosterAnswer) {
    guard answer.query == pendingQuery else { return }
    pendingQuery = nil
    for collection in answer.query.collections { known[collection] = answer.posters[collection] }
  }
}
