package import Pixels

/// One cell of the screen.
package struct FrameCell: Hashable, Sendable {
  /// What a cell holds.
  package enum Content: Hashable, Sendable {
    case text(String)
    /// The second half of the wide character to the left.
    case continuation
    /// Belongs to a picture: text never goes there.
    case picture
  }

  package var content: Content = .text(" ")
  package var style: TextStyle = .plain
}

/// A place for a picture.
package struct PictureSlot: Hashable, Sendable {
  /// Where in its place a picture stands that does not fill it.
  package enum Alignment: Hashable, Sendable {
    case center, top
  }

  package var key: PictureKey
  package var rect: CellRect
  package var alignment: Alignment
}

/// A whole screen as a value: text in cells and the places of pictures.
package struct ScreenFrame: Hashable, Sendable {
  package let size: CellSize
  package private(set) var cells: [FrameCell]
  package private(set) var slots: [PictureSlot] = []
  /// What phrases are written with.
  let symbols: Symbols

  package init(size: CellSize, symbols: Symbols = .unicode) {
    self.size = size
    self.symbols = symbols
    cells = Array(repeating: FrameCell(), count: max(0, size.columns * size.rows))
  }

  /// The cells of one row.
  package func row(_ row: Int) -> ArraySlice<FrameCell> {
    cells[row * size.columns..<(row + 1) * size.columns]
  }

  /// The text of one row, pictures as blanks; for tests and for reading aloud.
  package func text(row: Int) -> String {
    self.row(row).map { cell in
      switch cell.content {
      case .text(let text): text
      case .continuation: ""
      case .picture: " "
      }
    }.joined()
  }

  /// Writes text from a cell to the right, cut off at `limit` cells and at the screen's edge.
  /// - Returns: the cells it took.
  @discardableResult
  mutating func put(
    _ text: DisplayText, row: Int, column: Int, limit: Int = .max, style: TextStyle = .plain
  ) -> Int {
    guard (0..<size.rows).contains(row), column >= 0, column < size.columns else { return 0 }
    let shown = text.truncated(to: min(limit, size.columns - column))
    var at = row * size.columns + column
    mend(row: row, from: column, to: column + shown.width)
    for piece in shown.pieces {
      cells[at] = FrameCell(content: .text(symbols.typography[piece.text] ?? piece.text), style: style)
      if piece.width == 2 { cells[at + 1] = FrameCell(content: .continuation, style: style) }
      at += piece.width
    }
    return shown.width
  }

  @discardableResult
  mutating func put(
    _ text: String, row: Int, column: Int, limit: Int = .max, style: TextStyle = .plain
  ) -> Int {
    put(DisplayText(text), row: row, column: column, limit: limit, style: style)
  }

  /// Blanks the other halves of wide characters that a range of cells cuts.
  private mutating func mend(row: Int, from start: Int, to end: Int) {
    guard start < end else { return }
    let first = row * size.columns
    if start > 0, cells[first + start].content == .continuation {
      cells[first + start - 1].content = .text(" ")
    }
    if end < size.columns, cells[first + end].content == .continuation {
      cells[first + end].content = .text(" ")
    }
  }

  /// Gives the text of some cells another style.
  mutating func restyle(_ rect: CellRect, _ style: TextStyle) {
    for row in max(0, rect.row)..<max(0, rect.row, min(size.rows, rect.endRow)) {
      for column in max(0, rect.column)..<max(0, rect.column, min(size.columns, rect.endColumn)) {
        cells[row * size.columns + column].style = style
      }
    }
  }

  /// Blanks a rectangle and takes back the pictures that reach into it.
  mutating func clear(_ rect: CellRect, style: TextStyle = .plain) {
    for slot in slots where slot.rect.intersects(rect) { fill(slot.rect, FrameCell()) }
    slots.removeAll { $0.rect.intersects(rect) }
    fill(rect, FrameCell(style: style))
  }

  /// Reserves a place for a picture.
  mutating func place(_ slot: PictureSlot) {
    fill(slot.rect, FrameCell(content: .picture))
    slots.append(slot)
  }

  mutating func fill(_ rect: CellRect, _ cell: FrameCell) {
    for row in max(0, rect.row)..<max(0, rect.row, min(size.rows, rect.endRow)) {
      let columns = max(0, rect.column)..<max(0, rect.column, min(size.columns, rect.endColumn))
      mend(row: row, from: columns.lowerBound, to: columns.upperBound)
      for column in columns {
        cells[row * size.columns + column] = cell
      }
    }
  }
}
