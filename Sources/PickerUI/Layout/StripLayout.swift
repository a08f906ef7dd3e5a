import Pixels

/// Where the strip of the picks is.
struct StripLayout: Hashable, Sendable {
  /// The rows at the end of the preview pane that are kept for it, so that the first pick moves nothing.
  var reservedRows = 0
  /// nil = it is not shown.
  var area: CellRect?
  var cells = GridGeometry(area: CellRect(column: 0, row: 0, columns: 0, rows: 0), box: .zero)
}
