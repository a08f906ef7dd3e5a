import AssetLibrary
import Pixels

/// The visible lines of the sidebar and their positions.
struct SidebarWindow: Hashable, Sendable {
  /// A visible line, two rows high if it has a poster.
  struct Place: Hashable, Sendable {
    /// The index of the line.
    var line: Int
    var row: Int
    /// The column of its text.
    var textColumn: Int
    var poster: CellRect?

    var rows: Int { poster?.rows ?? 1 }
  }

  /// The size of a poster in cells.
  static let poster = CellSize(columns: 4, rows: 2)
  /// The minimum height of a sidebar with posters.
  static let minimumRowsForPosters = 24

  let area: CellRect
  private(set) var places: [Place] = []

  /// - Parameter first: the index of the line at the top.
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
