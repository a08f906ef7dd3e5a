import Pixels

/// A box in the middle of the screen or at its right edge, with a title in the border and key hints in the last line.
struct OverlayBox: Hashable, Sendable {
  let title: String
  let footer: String
  /// The box including its border.
  let outer: CellRect
  /// The area of the lines.
  let inner: CellRect

  /// - Parameters:
  ///   - widest: the maximum width, border included.
  ///   - isAtSide: whether the box is at the right edge in full height, so that it covers as little as possible.
  init(
    title: String, footer: String, width: Int, height: Int, screen: CellSize, widest: Int = 80,
    isAtSide: Bool = false
  ) {
    self.title = title
    self.footer = footer
    let columns = min(widest, screen.columns, max(width, DisplayText(footer).width) + Self.border)
    let rows = isAtSide ? screen.rows : min(screen.rows, height + Self.borderRows)
    let free = screen.columns - columns
    outer = CellRect(
      column: isAtSide ? free : free / 2, row: (screen.rows - rows) / 2, columns: columns, rows: rows)
    inner = outer.inset(left: min(3, columns / 8), top: 1, right: min(3, columns / 8), bottom: 3)
  }

  /// The cells of the border and the margins beside the lines.
  static let border = 6
  /// The rows of the border and the footer.
  static let borderRows = 4

  /// The area that the box covers: a blank column on each side keeps pictures from touching the border.
  var cover: CellRect {
    CellRect(column: outer.column - 1, row: outer.row, columns: outer.columns + 2, rows: outer.rows)
  }
}

extension ScreenFrame {
  /// Draws an empty box.
  mutating func draw(_ box: OverlayBox) {
    let outer = box.outer
    clear(box.cover)
    let line = String(repeating: symbols.lines.horizontal, count: max(0, outer.columns - 2))
    let (top, bottom) = (outer.row, outer.endRow - 1)
    put(
      "\(symbols.lines.topLeft)\(line)\(symbols.lines.topRight)", row: top, column: outer.column, style: .rule
    )
    put(
      "\(symbols.lines.bottomLeft)\(line)\(symbols.lines.bottomRight)", row: bottom, column: outer.column,
      style: .rule)
    for row in top + 1..<max(top + 1, bottom) {
      put(symbols.lines.vertical, row: row, column: outer.column, style: .rule)
      put(symbols.lines.vertical, row: row, column: outer.endColumn - 1, style: .rule)
    }
    put(" \(box.title) ", row: top, column: outer.column + 2, limit: outer.columns - 4, style: .title)
    let foot = DisplayText(box.footer).truncated(to: outer.columns - 4)
    put(
      foot, row: outer.endRow - 2, column: outer.column + (outer.columns - foot.width) / 2, style: .hintWords)
  }

  /// The detail is dropped if the text would get fewer columns.
  private static let leastName = 8

  /// Draws one line of a list across a box, with the current one reversed.
  mutating func drawLine(
    mark: String, _ text: String, detail: String = "", row: Int, in area: CellRect, isCurrent: Bool,
    isChosen: Bool, isDimmed: Bool = false
  ) {
    let style =
      isDimmed && !isCurrent && !isChosen ? .dim : TextStyle.line(isCurrent: isCurrent, isChosen: isChosen)
    if isCurrent {
      fill(CellRect(column: area.column, row: row, columns: area.columns, rows: 1), FrameCell(style: style))
    }
    put(mark, row: row, column: area.column + 1, limit: 2, style: style)
    var detail = DisplayText(detail)
    // The text is more important than the detail.
    if area.columns - 6 - detail.width < min(DisplayText(text).width, Self.leastName) {
      detail = DisplayText("")
    }
    let width = area.columns - 4 - (detail.width > 0 ? detail.width + 2 : 0)
    put(
      DisplayText(text).middleTruncated(to: max(0, width)), row: row, column: area.column + 3, style: style)
    if detail.width > 0, detail.width + 4 < area.columns {
      put(
        detail, row: row, column: area.endColumn - detail.width - 1, style: isCurrent ? style : .hintWords)
    }
  }
}
