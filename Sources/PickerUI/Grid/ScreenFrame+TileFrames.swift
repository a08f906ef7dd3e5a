import Pixels

extension ScreenFrame {
  /// Draws lines in the gaps around a tile, as far as they lie in the area of the tiles.
  mutating func drawFrame(around box: CellRect, in area: CellRect, isDouble: Bool, style: TextStyle) {
    let lines = isDouble ? symbols.doubleLines : symbols.lines
    let horizontal = String(repeating: lines.horizontal, count: box.columns)
    putInGap(
      lines.topLeft + horizontal + lines.topRight, row: box.row - 1, column: box.column - 1, style: style)
    for row in box.row..<box.endRow {
      putInGap(lines.vertical, row: row, column: box.column - 1, style: style)
      putInGap(lines.vertical, row: row, column: box.endColumn, style: style)
    }
    guard box.endRow < area.endRow else { return }
    putInGap(
      lines.bottomLeft + horizontal + lines.bottomRight, row: box.endRow, column: box.column - 1, style: style
    )
  }

  /// Puts text into a gap between tiles: over the thick frame of a pick it stands on the frame's color, which stays whole.
  mutating func putInGap(
    _ text: String, row: Int, column: Int, limit: Int = .max, style: TextStyle
  ) {
    guard (0..<size.rows).contains(row), (0..<size.columns).contains(column) else { return }
    let first = row * size.columns
    let framed = (column..<size.columns).filter {
      [.pickFrame, .pickNumber].contains(cells[first + $0].style)
    }
    let end = column + put(text, row: row, column: column, limit: limit, style: style)
    for column in framed where column < end {
      restyle(CellRect(column: column, row: row, columns: 1, rows: 1), .pickNumber)
    }
  }

  /// Draws a frame half a cell thick close around a tile; it joins those of its neighbors.
  mutating func drawThickFrame(around box: CellRect, in area: CellRect) {
    let (left, right) = (box.column - 1, box.endColumn)
    for row in box.row - 1...box.endRow where row < area.endRow {
      let vertical: Quadrants = row < box.row ? .bottom : row == box.endRow ? .top : .all
      add(vertical.intersection(.right), row: row, column: left)
      add(vertical.intersection(.left), row: row, column: right)
      guard vertical != .all else { continue }
      for column in box.column..<box.endColumn { add(vertical, row: row, column: column) }
    }
  }

  /// The quarters of a cell.
  private struct Quadrants: OptionSet {
    let rawValue: Int
    static let topLeft = Quadrants(rawValue: 1)
    static let topRight = Quadrants(rawValue: 2)
    static let bottomLeft = Quadrants(rawValue: 4)
    static let bottomRight = Quadrants(rawValue: 8)
    static let top: Quadrants = [.topLeft, .topRight]
    static let bottom: Quadrants = [.bottomLeft, .bottomRight]
    static let left: Quadrants = [.topLeft, .bottomLeft]
    static let right: Quadrants = [.topRight, .bottomRight]
    static let all: Quadrants = [.top, .bottom]
  }

  /// Fills quarters of a cell, beside those that are filled.
  private mutating func add(_ quadrants: Quadrants, row: Int, column: Int) {
    guard (0..<size.rows).contains(row), (0..<size.columns).contains(column) else { return }
    let cell = cells[row * size.columns + column]
    var filled = quadrants
    if cell.style == .pickFrame, case .text(let text) = cell.content,
      let known = symbols.lines.quadrants.firstIndex(of: text)
    {
      filled.formUnion(Quadrants(rawValue: known))
    }
    put(symbols.lines.quadrants[filled.rawValue], row: row, column: column, style: .pickFrame)
  }
}
