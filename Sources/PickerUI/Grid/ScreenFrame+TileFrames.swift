import Pixels

extension ScreenFrame {
  /// Draws lines in the gaps around a tile, as far as they lie in the area of the tiles.
  mutating func drawFrame(around box: CellRect, in area: CellRect, style: TextStyle) {
    let outside = CellRect(
      column: box.column - 1, row: box.row - 1, columns: box.columns + 2, rows: box.rows + 2)
    drawBox(outside, symbols.lines, hasEnd: box.endRow < area.endRow, style: style)
  }

  /// Draws the frame of a pick into a tile that has no picture.
  mutating func drawPickFrame(inside box: CellRect) {
    guard box.columns > 2, box.rows > 2 else { return }
    drawBox(box, symbols.pickLines, style: .pickFrame)
  }

  /// Draws lines in the outermost cells of a rectangle.
  /// - Parameter hasEnd: whether the last row belongs to it.
  private mutating func drawBox(
    _ box: CellRect, _ lines: Symbols.Lines, hasEnd: Bool = true, style: TextStyle
  ) {
    let horizontal = String(repeating: lines.horizontal, count: max(0, box.columns - 2))
    put(lines.topLeft + horizontal + lines.topRight, row: box.row, column: box.column, style: style)
    for row in box.row + 1..<max(box.row + 1, box.endRow - 1) {
      put(lines.vertical, row: row, column: box.column, style: style)
      put(lines.vertical, row: row, column: box.endColumn - 1, style: style)
    }
    guard hasEnd else { return }
    put(
      lines.bottomLeft + horizontal + lines.bottomRight, row: box.endRow - 1, column: box.column, style: style
    )
  }
}
