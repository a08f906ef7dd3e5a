import AssetLibrary

/// The assets in each row of the grid, which flow from one row into the next.
struct GridRows: Hashable, Sendable {
  let columns: Int
  let count: Int

  init(count: Int, columns: Int) {
    self.columns = max(1, columns)
    self.count = count
  }

  var rowCount: Int { (count + columns - 1) / columns }

  func row(of index: Int) -> Int { index / columns }

  func column(of index: Int) -> Int { index % columns }

  /// The assets of one row.
  func indexes(inRow row: Int) -> Range<Int> { indexes(inRows: row..<row + 1) }

  /// The assets of some rows.
  func indexes(inRows rows: Range<Int>) -> Range<Int> {
    let rows = rows.clamped(to: 0..<rowCount)
    return rows.isEmpty ? 0..<0 : rows.lowerBound * columns..<min(count, rows.upperBound * columns)
  }

  /// The asset at a column of a row, or the last one of a shorter row; nil if there is no such row.
  func index(inRow row: Int, near column: Int) -> Int? {
    let range = indexes(inRow: row)
    return range.isEmpty ? nil : min(range.lowerBound + column, range.upperBound - 1)
  }

  /// The asset in a cell; nil if the cell is empty.
  func index(row: Int, column: Int) -> Int? {
    let range = indexes(inRow: row)
    return range.contains(range.lowerBound + column) && column >= 0 && column < columns
      ? range.lowerBound + column : nil
  }
}
