import AssetLibrary

extension GridState {
  /// Arranges the assets in rows, if the width or the assets have changed.
  /// - Parameters:
  ///   - count: the number of assets.
  ///   - days: the days of the assets; nil if they are not ordered by date.
  mutating func breakIntoRows(count: Int, days: [DaySection]?, in layout: ScreenLayout) {
    let geometry = layout.cells
    let columns = geometry.columns > 0 ? geometry.columns : rows.columns
    let hasHeaders = geometry.columns > 0 ? layout.hasHeaders : rowsHaveHeaders
    guard areRowsStale || columns != rows.columns || hasHeaders != rowsHaveHeaders else { return }
    areRowsStale = false
    rowsHaveHeaders = hasHeaders
    rows = GridRows(count: count, columns: columns, days: hasHeaders ? days ?? [] : [])
  }

  /// Scrolls as little as needed to make the cursor's row visible.
  mutating func scrollToCursor(in geometry: GridGeometry) {
    guard geometry.columns > 0, geometry.rows > 0 else { return }
    let row = rows.row(of: cursor)
    topRow = min(topRow, row)
    topRow = max(topRow, row - geometry.rows + 1)
    topRow = max(0, min(topRow, rows.rowCount - geometry.rows))
  }
}
