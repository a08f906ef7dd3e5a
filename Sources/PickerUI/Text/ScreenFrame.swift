package import Pixels

/// One cell of the screen.
package struct FrameCell: Hashable, Sendable {
  /// The content of a cell.
  package enum Content: Hashable, Sendable {
    case text(String)
    /// The second half of the wide character to the left.
    case continuation
    /// Reserved for a picture; no text is drawn there.
    case picture
  }

  package var content: Content = .text(" ")
  package var style: TextStyle = .plain
}

/// A picture and its place on the screen.
package struct PictureSlot: Hashable, Sendable {
  /// The alignment of a picture that does not fill its rectangle.
  package enum Alignment: Hashable, Sendable {
    case center, top
  }

  package var key: PictureKey
  package var rect: CellRect
  package var alignment: Alignment
}

/// Text over a picture, written after it: it stays sharp, and changing it sends only a few bytes.
package struct PictureMark: Hashable, Sendable {
  package var row: Int
  package var column: Int
  package var columns: Int
  /// Exactly `columns` columns wide.
  package var text: String
  package var style: TextStyle

  /// The cells that it covers.
  package var rect: CellRect { CellRect(column: column, row: row, columns: columns, rows: 1) }
}

/// The content of a whole screen: cells of text and slots for pictures.
package struct ScreenFrame: Hashable, Sendable {
  package let size: CellSize
  package private(set) var cells: [FrameCell]
  package private(set) var slots: [PictureSlot] = []
  /// The text over pictures.
  package private(set) var marks: [PictureMark] = []
  /// The symbols that replace typographic characters.
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

  /// Returns whether some cells of the screen contain plain blanks only.
  package func isBlank(_ rect: CellRect) -> Bool {
    (rect.row..<rect.endRow).allSatisfy { row in
      self.row(row).dropFirst(rect.column).prefix(rect.columns).allSatisfy { $0 == FrameCell() }
    }
  }

  /// The text of one row, with marks, and spaces for other parts of pictures.
  package func text(row: Int) -> String {
    var cells = self.row(row).map { cell in
      switch cell.content {
      case .text(let text): text
      case .continuation: ""
      case .picture: " "
      }
    }
    for mark in marks where mark.row == row {
      var column = mark.column
      for piece in DisplayText(mark.text).pieces {
        cells[column] = piece.text
        if piece.width == 2 { cells[column + 1] = "" }
        column += piece.width
      }
    }
    return cells.joined()
  }

  /// Puts text over a picture, or into the cells if there is none.
  mutating func mark(_ text: DisplayText, row: Int, column: Int, limit: Int, style: TextStyle) {
    guard (0..<size.rows).contains(row), (0..<size.columns).contains(column) else { return }
    let shown = text.truncated(to: min(limit, size.columns - column))
    let cells = self.row(row).dropFirst(column).prefix(shown.width)
    guard shown.width > 0, cells.contains(where: { $0.content == .picture }) else {
      put(shown, row: row, column: column, style: style)
      return
    }
    let characters = shown.pieces.map(symbols.shown)
    marks.append(
      PictureMark(row: row, column: column, columns: shown.width, text: characters.joined(), style: style))
  }

  /// Puts text into a row, truncated to `limit` cells and to the screen's edge.
  /// - Returns: the width in cells.
  @discardableResult
  mutating func put(
    _ text: DisplayText, row: Int, column: Int, limit: Int = .max, style: TextStyle = .plain
  ) -> Int {
    guard (0..<size.rows).contains(row), column >= 0, column < size.columns else { return 0 }
    let shown = text.truncated(to: min(limit, size.columns - column))
    var at = row * size.columns + column
    repairWideCharacters(row: row, from: column, to: column + shown.width)
    for piece in shown.pieces {
      let text = symbols.shown(piece)
      if piece.width == 2, text.utf8.count == 2 {
        // Two characters in place of a wide one.
        for cell in at...at + 1 {
          cells[cell] = FrameCell(content: .text(String(text.prefix(1))), style: style)
        }
      } else {
        cells[at] = FrameCell(content: .text(text), style: style)
        if piece.width == 2 { cells[at + 1] = FrameCell(content: .continuation, style: style) }
      }
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

  /// Blanks the remaining halves of wide characters that a range of cells cuts.
  private mutating func repairWideCharacters(row: Int, from start: Int, to end: Int) {
    guard start < end else { return }
    let first = row * size.columns
    if start > 0, cells[first + start].content == .continuation {
      cells[first + start - 1].content = .text(" ")
    }
    if end < size.columns, cells[first + end].content == .continuation {
      cells[first + end].content = .text(" ")
    }
  }

  /// Changes the style of a rectangle of cells.
  mutating func restyle(_ rect: CellRect, _ style: TextStyle) {
    for row in max(0, rect.row)..<max(0, rect.row, min(size.rows, rect.endRow)) {
      for column in max(0, rect.column)..<max(0, rect.column, min(size.columns, rect.endColumn)) {
        cells[row * size.columns + column].style = style
      }
    }
  }

  /// Blanks a rectangle, the remains of texts that it cuts, and the pictures that intersect it.
  mutating func clear(_ rect: CellRect, style: TextStyle = .plain) {
    clearTexts(cutBy: rect)
    for slot in slots where slot.rect.intersects(rect) {
      fill(slot.rect, FrameCell())
      marks.removeAll { $0.rect.intersects(slot.rect) }
    }
    slots.removeAll { $0.rect.intersects(rect) }
    fill(rect, FrameCell(style: style))
  }

  /// Blanks the remains of texts that a rectangle cuts, on both sides up to the next gap of two cells.
  private mutating func clearTexts(cutBy rect: CellRect) {
    for row in max(0, rect.row)..<max(0, rect.row, min(size.rows, rect.endRow)) {
      let cells = Array(self.row(row))
      // Lines don't count as text: the cursor's frame may begin directly after the day above another photo.
      let isText = { (column: Int) in
        cells.indices.contains(column) && ![.text(" "), .picture].contains(cells[column].content)
          && ![.cursor, .rule].contains(cells[column].style)
      }
      var end = rect.endColumn
      if isText(end - 1) || isText(end - 2) {
        while isText(end) || isText(end + 1) && cells[end].content != .picture { end += 1 }
        fill(CellRect(column: rect.endColumn, row: row, columns: end - rect.endColumn, rows: 1), FrameCell())
      }
      var start = rect.column - 1
      guard isText(start + 1) || isText(start + 2) else { continue }
      while isText(start) || isText(start - 1) && cells[start].content != .picture { start -= 1 }
      fill(CellRect(column: start + 1, row: row, columns: rect.column - start - 1, rows: 1), FrameCell())
      // A small picture before a text, such as an album's, goes with it.
      if let icon = slots.firstIndex(where: { icon in
        icon.rect.rows == 1 && icon.rect.row == row && (start - 1...start + 1).contains(icon.rect.endColumn)
      }) {
        fill(slots.remove(at: icon).rect, FrameCell())
      }
    }
  }

  /// Adds a picture and reserves its cells.
  mutating func place(_ slot: PictureSlot) {
    fill(slot.rect, FrameCell(content: .picture))
    slots.append(slot)
  }

  mutating func fill(_ rect: CellRect, _ cell: FrameCell) {
    for row in max(0, rect.row)..<max(0, rect.row, min(size.rows, rect.endRow)) {
      let columns = max(0, rect.column)..<max(0, rect.column, min(size.columns, rect.endColumn))
      repairWideCharacters(row: row, from: columns.lowerBound, to: columns.upperBound)
      for column in columns {
        cells[row * size.columns + column] = cell
      }
    }
  }
}
