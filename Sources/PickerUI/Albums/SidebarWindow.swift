import AssetLibrary
import Pixels

/// The lines of the albums that are in sight, and where each of them stands.
struct SidebarWindow: Hashable, Sendable {
  /// One line, which takes two rows where a poster stands beside it.
  struct Place: Hashable, Sendable {
    /// Which of the lines.
    var line: Int
    var row: Int
    /// Where its words begin.
    var textColumn: Int
    var poster: CellRect?

    var rows: Int { poster?.rows ?? 1 }
  }

  /// A poster in cells.
  static let poster = CellSize(columns: 4, rows: 2)
  /// Lower lists have no room for posters.
  static let leastRowsForPosters = 24

  let area: CellRect
  private(set) var places: [Place] = []

  /// - Parameter first: the line at the top.
  init(area: CellRect, lines: [AlbumLine], first: Int, hasPosters: Bool) {
    self.area = area
    var row = area.row
    for index in lines.indices.dropFirst(max(0, first)) {
      guard row < area.endRow else { break }
      let line = lines[index]
      var place = Place(line: index, row: row, textColumn: area.column + min(8, 2 * line.depth))
      if Self.rows(of: line, hasPosters: hasPosters) > 1 {
        let box = CellRect(
          column: area.column + min(4, 2 * line.depth), row: row, columns: Self.poster.columns,
          rows: Self.poster.rows)
        guard box.endRow <= area.endRow else { break }
        place.poster = box
        place.textColumn = box.endColumn + 1
      }
      places.append(place)
      row += place.rows
    }
  }

  static func rows(of line: AlbumLine, hasPosters: Bool) -> Int {
    hasPosters && line.poster != nil ? poster.rows : 1
  }

  func place(atRow row: Int) -> Place? { places.first { ($0.row..<$0.row + $0.rows).contains(row) } }
}

extension PickerState {
  func sidebarWindow(in layout: ScreenLayout) -> SidebarWindow? {
    guard let area = sidebarArea(in: layout) else { return nil }
    return SidebarWindow(
      area: area, lines: sidebar.albums.lines, first: sidebar.top, hasPosters: hasPosters(in: area))
  }

  private func sidebarArea(in layout: ScreenLayout) -> CellRect? {
    layout.sidebar?.inset(left: 1, right: layout.sidebarFloats ? 2 : 1)
  }

  /// Posters stand where there is room for many lines, and where a picture of a few cells can be told from others.
  private func hasPosters(in area: CellRect) -> Bool {
    area.rows >= SidebarWindow.leastRowsForPosters && posterKey != nil
  }

  /// Keeps the album that is looked at in sight, with its heading, moving the list no more than needed.
  mutating func scrollToAlbum() {
    guard let area = sidebarArea(in: layout) else { return }
    sidebar.scroll(
      to: input.focus == .sidebar ? sidebar.target : library.place, rows: area.rows,
      hasPosters: hasPosters(in: area))
  }

  // MARK: Posters

  /// Makes the token of a poster; nil where it could not be told from others.
  var posterKey: ((Asset) -> PictureKey)? {
    guard let pictureGeometry = metrics.pictureGeometry, pictureGeometry.isFine else { return nil }
    var box = pictureGeometry.pixels(for: SidebarWindow.poster)
    // A little lower than its rows, so that the one below does not touch it.
    box.height -= max(1, pictureGeometry.cell.height / 8)
    if box.height > pictureGeometry.heightStep { box.height -= box.height % pictureGeometry.heightStep }
    return box.isEmpty ? nil : { PictureKey($0, size: box, mode: .aspectFill) }
  }

  /// The albums in sight that a poster stands beside.
  private var posterCollections: [LocalIdentifier] {
    guard !preview.isFullScreen, let window = sidebarWindow(in: layout) else { return [] }
    return window.places.compactMap { $0.poster == nil ? nil : sidebar.albums.lines[$0.line].poster }
  }

  /// Asks for the posters in sight that are not known yet.
  mutating func wantPosters() -> [PickerEffect] {
    sidebar.posters.ask(for: posterCollections, isSettled: library.status.isComplete).map {
      [.fetchPosters($0)]
    } ?? []
  }

  /// The posters in sight, after everything else.
  func posterWants(in layout: ScreenLayout) -> [PictureWant] {
    guard let key = posterKey else { return [] }
    return posterCollections.compactMap { sidebar.posters.known[$0] }.map { asset in
      PictureWant(key: key(asset), asset: asset, priority: .prefetch)
    }
  }
}
