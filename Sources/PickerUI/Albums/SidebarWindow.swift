import AssetLibrary
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

  let area: CellRect
  private(set) var places: [Place] = []

  /// - Parameter first: the index of the line at the top.
  init(area: CellRect, lines: [AlbumLine], first: Int, hasPosters: Bool) {
    self.area = area
    // Where no album can be expanded, none leaves room for the mark.
    let markColumns = lines.contains { $0.poster != nil && $0.isExpanded != nil } ? 2 : 0
    for (offset, index) in lines.indices.dropFirst(max(0, first)).prefix(area.rows).enumerated() {
      let line = lines[index]
      let mark = area.column + min(Self.deepestIndent, line.depth)
      var place = Place(line: index, row: area.row + offset, markColumn: mark, titleColumn: mark + 2)
      if hasPosters, line.poster != nil, line.smartAlbum == nil {
        let box = CellRect(
          column: mark + markColumns, row: place.row, columns: Self.poster.columns, rows: Self.poster.rows)
        place.poster = box
        place.titleColumn = box.endColumn + 1
      }
      places.append(place)
    }
  }

  func place(atRow row: Int) -> Place? { places.first { $0.row == row } }
}
