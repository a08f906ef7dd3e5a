import AssetLibrary
import Pixels

extension PickerState {
  /// The search terms that match file names.
  var searchPatterns: [TextPattern] {
    library.userFilter.search?.foundTexts.filter { $0.fields.contains(.fileName) }.map(\.pattern)
      ?? []
  }

  /// Highlights the matches of patterns in text that is already on the frame.
  func highlight(
    _ patterns: [TextPattern], row: Int, column: Int, width: Int, on frame: inout ScreenFrame
  ) {
    guard !patterns.isEmpty, width > 0, (0..<frame.size.rows).contains(row) else { return }
    let cells = Array(frame.row(row).dropFirst(column).prefix(width))
    // The case-folded text, and the cell that each of its bytes comes from.
    var bytes: [UInt8] = []
    var places: [Int] = []
    for (place, cell) in cells.enumerated() {
      guard case .text(let text) = cell.content else { continue }
      let folded = TextPattern.fold(text)
      bytes += folded
      places += Array(repeating: place, count: folded.count)
    }
    for pattern in patterns {
      for place in Self.places(of: pattern.folded, in: bytes, isFuzzy: pattern.isFuzzy).map({ places[$0] }) {
        let isWide = place + 1 < cells.count && cells[place + 1].content == .continuation
        var style = TextStyle.match
        style.isReversed = cells[place].style.isReversed
        frame.restyle(
          CellRect(column: column + place, row: row, columns: isWide ? 2 : 1, rows: 1), style)
      }
    }
  }

  /// The offsets in a text that match a pattern: as a substring, else, if it is fuzzy, as a subsequence.
  private static func places(of pattern: [UInt8], in text: [UInt8], isFuzzy: Bool) -> [Int] {
    guard !pattern.isEmpty, pattern.count <= text.count else { return [] }
    for start in 0...text.count - pattern.count
    where text[start..<start + pattern.count].elementsEqual(pattern) {
      return Array(start..<start + pattern.count)
    }
    guard isFuzzy else { return [] }
    var places: [Int] = []
    for (index, byte) in text.enumerated() where places.count < pattern.count && byte == pattern[places.count]
    {
      places.append(index)
    }
    return places.count == pattern.count ? places : []
  }
}

extension PickerState {
  /// Draws the scroll bar and the dates beside it.
  func drawScrollBar(on frame: inout ScreenFrame, _ area: CellRect, _ layout: ScreenLayout) {
    let visible = layout.cells.wholeRows
    guard grid.rows.rowCount > visible, visible > 0, area.rows > 2, !layout.isCompact else { return }
    let length = max(1, area.rows * visible / grid.rows.rowCount)
    let start = (area.rows - length) * grid.topRow / max(1, grid.rows.rowCount - visible)
    for row in start..<start + length {
      frame.put(symbols.grid.scrollBar, row: area.row + row, column: area.endColumn - 1, style: .scrollBar)
    }
    if layout.hasYears { drawDates(on: &frame, area) }
  }

  /// Draws years where they begin along the scroll bar, or months if there is only one year.
  private func drawDates(on frame: inout ScreenFrame, _ area: CellRect) {
    guard let days = library.days, let first = days.first?.day, let last = days.last?.day else { return }
    let hasYears = first.year != last.year
    var (shown, line) = (Int.min, Int.min)
    for section in days {
      let value = hasYears ? section.day.year : section.day.month
      guard value != shown else { continue }
      shown = value
      let row = area.rows * grid.rows.row(of: section.start) / max(1, grid.rows.rowCount)
      guard row > line, row < area.rows else { continue }
      line = row
      let months = options.locale.months
      let text =
        hasYears ? String(value) : months.indices.contains(value - 1) ? months[value - 1] : String(value)
      let label = DisplayText(text).head(cells: 4)
      frame.put(label, row: area.row + row, column: area.endColumn - 1 - label.width, style: .dim)
    }
  }

  /// The row of the grid for a click on the scroll bar.
  func row(atScrollBar row: Int, in area: CellRect) -> Int {
    max(0, min(grid.rows.rowCount - 1, (row - area.row) * grid.rows.rowCount / max(1, area.rows)))
  }
}
