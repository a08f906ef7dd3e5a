import Pixels

extension ScreenLayout {
  /// The minimum height for a preview above the thumbnails.
  private static let minimumRowsForPreview = 12
  /// The minimum width for a preview beside the thumbnails.
  private static let minimumColumnsForPreview = 76

  /// Fewer rows are kept for the gap row and the tiles.
  private static let leastRowsOfTiles = 3

  /// Places one row of thumbnails with the preview above it, beside it or instead of it.
  mutating func placeStrip(in body: CellRect, metrics: ScreenMetrics, options: Options) {
    var body = body
    if let rows = options.menuRows { body = placeMenu(rows: rows, in: body) }
    var rest = body
    let shape = metrics.cellShape
    let isHigh = body.rows >= Self.minimumRowsForPreview
    let isWide = body.columns >= Self.minimumColumnsForPreview && body.rows >= 5
    showsPreview = options.showsPreview ?? (isHigh || isWide && options.isCompact)
    if showsPreview, isHigh {
      let tile =
        (body.columns + GridGeometry.gap) / options.gridSize.columns(in: body.columns) - GridGeometry.gap
      let wanted = Self.height(ofThumbnail: max(1, tile), shape: shape) + GridGeometry.gap
      let most = max(5, body.rows * 2 / 5)
      let selected = options.showsStrip ? compactStripRows : 0
      let height = min(min(max(3, wanted), most) + selected + (options.hasBanner ? 1 : 0), body.rows - 4)
      preview = body.inset(bottom: height + 1)
      dividerRow = body.endRow - height - 1
      rest = body.inset(top: body.rows - height)
    } else if showsPreview, isWide {
      // As wide as a 4:3 picture of all rows: the facts stand below the thumbnails.
      let width = Int((Double(body.rows) * 4 / 3 / max(0.1, shape)).rounded(.up)) + 2
      let columns = min(width, body.columns * 2 / 5)
      preview = body.inset(left: body.columns - columns)
      rest = body.inset(right: columns)
      if rest.rows > Self.leastRowsOfTiles { rest = placeFacts(in: rest) }
    } else if showsPreview {
      preview = body
      rest.columns = 0
    }
    if preview == nil, rest.rows > Self.leastRowsOfTiles { rest = placeFacts(in: rest) }
    if options.showsStrip, rest.columns > 0 { rest = placeStripBelow(rest) }
    if rest.columns > 0 { placeGrid(in: rest, metrics: metrics, options: options) }
    if options.focusesSidebar { floatSidebar(over: body) }
  }
}
