import AssetLibrary
import Pixels

extension PickerState {
  func drawHelp(on frame: inout Frame, _ layout: ScreenLayout) {
    let lines = options.bindings.groups.map { group in
      (keys: group.shown.map(\.label).joined(separator: " "), words: group.title)
    }
    let keys = lines.map { DisplayText($0.keys).width }.max() ?? 0
    let words = lines.map { DisplayText($0.words).width }.max() ?? 0
    let inner = frame.box(
      title: "Help", footer: "any key closes", width: keys + words + 3, height: lines.count)
    for (offset, line) in lines.enumerated() where offset < inner.rows {
      let row = inner.row + offset
      frame.put(line.keys, row: row, column: inner.column, limit: inner.columns, style: .accent)
      frame.put(
        line.words, row: row, column: inner.column + keys + 3, limit: max(0, inner.columns - keys - 3))
    }
  }

  func drawConsent(
    _ request: ConsentRequest, _ choice: ConsentDecision, on frame: inout Frame, _ layout: ScreenLayout
  ) {
    var lines: [(DisplayText, TextStyle)] = []
    let width = min(64, frame.size.columns - 6)
    let question = "“\(request.client)” would like to see your photos"
    lines += DisplayText(question).wrapped(to: width).map { ($0, .bold) }
    if let purpose = request.purpose {
      lines += DisplayText("“\(purpose)”").wrapped(to: width).map { ($0, .plain) }
    }
    // The answers first: whoever can't see them must not give one.
    let answerCount = ConsentDecision.allCases.count
    lines = Array(lines.prefix(max(0, frame.size.rows - 4 - 1 - answerCount)))
    let inner: CellRect
    if lines.isEmpty {
      frame.put(DisplayText(question), row: 0, column: 1, limit: frame.size.columns - 2, style: .bold)
      inner = CellRect(column: 1, row: 0, columns: frame.size.columns - 2, rows: frame.size.rows)
    } else {
      inner = frame.box(
        title: "Photos", footer: "↑↓ choose   ⏎ answer   Esc cancel", width: width,
        height: lines.count + 1 + answerCount)
    }
    for (offset, line) in lines.enumerated() where offset < inner.rows {
      frame.put(line.0, row: inner.row + offset, column: inner.column, style: line.1)
    }
    let answers: [(ConsentDecision, String, String)] = [
      (.selectPhotos, "s", "Select Photos…"), (.allowFullAccess, "f", "Allow Full Access"),
      (.deny, "d", "Don't Allow"),
    ]
    for (offset, answer) in answers.enumerated() {
      let row = inner.row + lines.count + 1 + offset
      guard row < inner.endRow else { break }
      let style = TextStyle(answer.0 == choice ? .accent : .plain, reversed: answer.0 == choice)
      if answer.0 == choice {
        frame.fill(
          CellRect(column: inner.column, row: row, columns: inner.columns, rows: 1), FrameCell(style: style))
      }
      frame.put(answer.1, row: row, column: inner.column + 1, style: answer.0 == choice ? style : .accent)
      frame.put(answer.2, row: row, column: inner.column + 4, limit: inner.columns - 4, style: style)
    }
  }

  func drawRefusal(_ status: AuthorizationStatus, on frame: inout Frame, _ layout: ScreenLayout) {
    let area = CellRect(column: 0, row: 0, columns: frame.size.columns, rows: frame.size.rows)
    let lines: [(text: String, style: TextStyle)] =
      status == .restricted
      ? [
        ("Access to photos is restricted", TextStyle(.warning, bold: true)), ("", .plain),
        (
          "A policy on this machine keeps “\(options.client)” from your photos. It can't be changed here.",
          .plain
        ),
        ("", .plain), ("any key leaves", .dim),
      ]
      : [
        ("“\(options.client)” may not see your photos", TextStyle(.warning, bold: true)), ("", .plain),
        ("Access was denied for this run. It can be allowed when it is started again:", .plain),
        ("tpick --authorize limited", .accent), ("", .plain), ("any key leaves", .dim),
      ]
    frame.message(lines, in: area)
  }
}

extension Frame {
  /// A box in the middle of the screen, over whatever is there, with its title in the border.
  /// - Returns: the area inside.
  mutating func box(title: String, footer: String, width: Int, height: Int) -> CellRect {
    let columns = min(80, size.columns, max(width, DisplayText(footer).width) + 6)
    let rows = min(size.rows, height + 4)
    let outer = CellRect(
      column: (size.columns - columns) / 2, row: (size.rows - rows) / 2, columns: columns, rows: rows)
    // A cell of air around the border keeps pictures from touching it.
    clear(
      CellRect(
        column: outer.column - 1, row: outer.row, columns: outer.columns + 2, rows: outer.rows))
    let line = String(repeating: "─", count: max(0, columns - 2))
    put("╭\(line)╮", row: outer.row, column: outer.column, style: .dim)
    put("╰\(line)╯", row: outer.endRow - 1, column: outer.column, style: .dim)
    for row in outer.row + 1..<max(outer.row + 1, outer.endRow - 1) {
      put("│", row: row, column: outer.column, style: .dim)
      put("│", row: row, column: outer.endColumn - 1, style: .dim)
    }
    put(" \(title) ", row: outer.row, column: outer.column + 2, limit: columns - 4, style: .bold)
    let foot = DisplayText(footer).truncated(to: columns - 6)
    put(foot, row: outer.endRow - 2, column: outer.column + (columns - foot.width) / 2, style: .dim)
    return outer.inset(left: 3, top: 1, right: 3, bottom: 3)
  }
}
