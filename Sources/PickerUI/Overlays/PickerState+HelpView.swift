import Pixels

extension PickerState {
  func drawHelp(_ state: HelpState, on frame: inout ScreenFrame) {
    let help = layout(of: state)
    // Beside a box that takes most of the screen only scraps of words would be left.
    if help.box.outer.columns * 2 > frame.size.columns {
      frame.clear(CellRect(column: 0, row: 0, columns: frame.size.columns, rows: frame.size.rows))
    }
    frame.draw(help.box)
    let inner = help.box.inner
    if !state.text.isEmpty {
      let column = help.box.outer.column + DisplayText(help.box.title).width + 5
      frame.put(
        " \(state.text)\(symbols.menus.caret) ", row: help.box.outer.row, column: column,
        limit: max(0, help.box.outer.endColumn - 2 - column), style: .prompt)
    }
    if help.isEmpty {
      frame.put(
        "no key of that name", row: inner.row, column: inner.column, limit: inner.columns, style: .dim)
    }
    var column = inner.column
    for (index, lines) in help.columns.enumerated() {
      for (row, line) in lines.dropFirst(min(state.scroll, help.maximumScroll)).prefix(inner.rows)
        .enumerated()
      {
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
