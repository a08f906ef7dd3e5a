import AssetLibrary

/// The grid: its rows, and the cursor in them.
struct GridState: Sendable {
  /// The index of the asset under the cursor.
  var cursor = 0
  /// The asset that the cursor keeps to; nil until the first key, so that it stays in the first place
  /// while the library fills.
  var anchor: LocalIdentifier?
  /// The asset that the cursor was at before a search left it out, until the user moves.
  var home: LocalIdentifier?
  /// The column that moving up and down keeps to, past shorter rows.
  var column: Int?
  /// The first row in sight.
  var topRow = 0
  /// The first row that was in sight when the album was left, until its photos are there again.
  var restoredRow: Int?
  var rows = GridRows(count: 0, columns: 1)
  /// Whether the rows have to be made anew, whatever their width.
  var areRowsStale = true
  /// Whether the rows were broken where a day begins.
  var rowsHaveHeaders = false
  var size: GridSize
  var burstCounts = BurstCounts()

  init(size: GridSize) {
    self.size = size
  }
}
