import Pixels

extension PickerState {
  func drawHelp(_ scroll: Int, on frame: inout ScreenFrame) {
    let help = helpLayout
    // Beside a box that takes most of the screen only scraps of words would be left.
    if help.box.outer.columns * 2 > frame.size.columns {
      frame.clear(CellRect(column: 0, row: 0, columns: frame.size.columns, rows: frame.size.rows))
    }
    frame.draw(help.box)
    let inner = help.box.inner
    var column = inner.column
    for (index, lines) in help.columns.enumerated() {
      for (row, line) in lines.dropFirst(min(scroll, help.maximumScroll)).prefix(inner.rows).enumerated() {
        let at = inner.row + row
        if let heading = line.heading {
          frame.put(heading, row: at, column: column, limit: max(0, inner.endColumn - column), style: .title)
          continue
        }
        frame.put(
          line.keys, row: at, column: column, limit: max(0, inner.endColumn - column), style: .hintKey)
        let textColumn = column + help.keyWidths[index] + 2
        frame.put(line.text, row: at, column: textColumn, limit: max(0, inner.endColumn - textColumn))
      }
      column += help.widths[index] + HelpLayout.gap
    }
  }
}
