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
