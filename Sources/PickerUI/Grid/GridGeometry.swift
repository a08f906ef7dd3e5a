import Pixels

/// The cells of a grid: picture boxes with a caption below each and gutters between them.
struct GridGeometry: Hashable, Sendable {
  static let gutterColumns = 2
  static let gutterRows = 1

  let area: CellRect
  let box: CellSize
  let columns: Int
  let rows: Int
  /// The columns left of the first box, which center the grid.
  private let margin: Int

  init(area: CellRect, box: CellSize) {
    self.area = area
    self.box = box
    guard box.columns > 0, box.rows > 0, area.columns >= box.columns else {
      columns = area.isEmpty ? 0 : 1
      rows = area.isEmpty ? 0 : 1
      margin = 0
      return
    }
    columns = (area.columns + Self.gutterColumns) / (box.columns + Self.gutterColumns)
    rows = max(1, (area.rows + Self.gutterRows) / (box.rows + 1 + Self.gutterRows))
    margin =
      (area.columns - columns * (box.columns + Self.gutterColumns) + Self.gutterColumns) / 2
  }

  /// The number of visible cells.
  var count: Int { columns * rows }

  /// The picture box of a visible cell, counted from 0 in reading order.
  func box(at index: Int) -> CellRect {
    let (row, column) = (index / max(1, columns), index % max(1, columns))
    return CellRect(
      column: area.column + margin + column * (box.columns + Self.gutterColumns),
      row: area.row + row * (box.rows + 1 + Self.gutterRows), columns: box.columns, rows: box.rows)
  }

  /// The visible cell at a screen position, and whether the position is on its caption; nil in a gutter.
  func place(row: Int, column: Int) -> (index: Int, isCaption: Bool)? {
    guard columns > 0, box.rows > 0, row >= area.row, column >= area.column + margin - 1 else { return nil }
    let (line, x) = (row - area.row, column - area.column - margin + 1)
    let (across, down) = (box.columns + Self.gutterColumns, box.rows + 1 + Self.gutterRows)
    // A cell includes the cursor's bars at its sides.
    guard x / across < columns, x % across < box.columns + 2, line / down < rows, line % down <= box.rows
    else { return nil }
    return (line / down * columns + x / across, line % down == box.rows)
  }

  /// The row and column of the visible cell nearest to a screen position.
  func nearestCell(row: Int, column: Int) -> (row: Int, column: Int) {
    let (across, down) = (box.columns + Self.gutterColumns, box.rows + 1 + Self.gutterRows)
    return (
      max(0, min(rows - 1, (row - area.row) / max(1, down))),
      max(0, min(columns - 1, (column - area.column - margin) / max(1, across)))
    )
  }
}

extension CellSize {
  static let zero = CellSize(columns: 0, rows: 0)
}
