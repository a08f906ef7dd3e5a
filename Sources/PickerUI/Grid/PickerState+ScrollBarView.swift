import AssetLibrary
import Pixels

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
