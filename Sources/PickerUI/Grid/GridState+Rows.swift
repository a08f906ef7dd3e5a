import AssetLibrary

extension GridState {
  /// Arranges a number of assets in rows.
  mutating func breakIntoRows(count: Int, in geometry: GridGeometry) {
    rows = GridRows(count: count, columns: geometry.columns > 0 ? geometry.columns : rows.columns)
  }

  /// Scrolls as little as needed to make the whole of the cursor's row visible.
  mutating func scrollToCursor(in geometry: GridGeometry) {
    guard geometry.columns > 0, geometry.rows > 0 else { return }
    let row = rows.row(of: cursor)
    topRow = min(topRow, row)
    topRow = max(topRow, row - geometry.wholeRows + 1)
    topRow = max(0, min(topRow, rows.rowCount - geometry.wholeRows))
  }
}
