import AssetLibrary

extension GridState {
  /// Breaks the assets into rows, anew where the width or the answer has changed.
  /// - Parameters:
  ///   - count: how many assets there are.
  ///   - days: their days, where they stand in the order of their dates.
  mutating func breakIntoRows(count: Int, days: [DaySection]?, in layout: ScreenLayout) {
    let geometry = layout.cells
    let columns = geometry.columns > 0 ? geometry.columns : rows.columns
    let hasHeaders = geometry.columns > 0 ? layout.hasHeaders : rowsHaveHeaders
    guard areRowsStale || columns != rows.columns || hasHeaders != rowsHaveHeaders else { return }
    areRowsStale = false
    rowsHaveHeaders = hasHeaders
    rows = GridRows(count: count, columns: columns, days: hasHeaders ? days ?? [] : [])
  }

  /// Brings the cursor's row into sight, moving the grid no more than needed.
  mutating func scrollToCursor(in geometry: GridGeometry) {
    guard geometry.columns > 0, geometry.rows > 0 else { return }
    let row = rows.row(of: cursor)
    topRow = min(topRow, row)
    topRow = max(topRow, row - geometry.rows + 1)
    topRow = max(0, min(topRow, rows.rowCount - geometry.rows))
  }
}
