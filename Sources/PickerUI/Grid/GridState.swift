import AssetLibrary

/// The grid: its rows, and the cursor in them.
struct GridState: Sendable {
  /// The index of the asset under the cursor.
  var cursor = 0
  /// The asset that the cursor stays on when assets are added or removed; nil until the first input, so that
  /// the cursor stays at index 0 while the library is being read.
  var anchor: LocalIdentifier?
  /// The asset that the cursor was on before a filter hid it, until the user moves.
  var anchorBeforeFilter: LocalIdentifier?
  /// The asset that the cursor was on before the search, until the user moves: where it goes once there is no
  /// search any more.
  var anchorBeforeSearch: LocalIdentifier?
  /// The search whose results the cursor is in; nil = none.
  var search: SearchQuery?
  /// The column that vertical movement keeps across shorter rows.
  var column: Int?
  /// The first visible row.
  var topRow = 0
  /// The first visible row when the album was last left, until its photos are fetched again.
  var restoredRow: Int?
  var rows = GridRows(count: 0, columns: 1)
  var size: GridSize
  var burstCounts = BurstCounts()

  init(size: GridSize) {
    self.size = size
  }
}
