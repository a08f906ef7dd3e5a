import AssetLibrary

/// The grid: its rows, and the cursor in them.
struct GridState: Sendable {
  /// The index of the asset under the cursor.
  private(set) var cursor = 0
  /// The asset that the cursor stays on when assets are added or removed; nil until the first input, so that
  /// the cursor stays at index 0 while the library is being read.
  private(set) var anchor: LocalIdentifier?
  /// The asset that the cursor was on before a filter hid it, until the user moves.
  private var anchorBeforeFilter: LocalIdentifier?
  /// The asset that the cursor was on before the search, until the user moves.
  ///
  /// The cursor returns to it when the search ends.
  private var anchorBeforeSearch: LocalIdentifier?
  /// The search whose results the cursor is in; nil = none.
  private var search: SearchQuery?
  /// The column that vertical movement keeps across shorter rows.
  private var column: Int?
  /// The first visible row.
  private(set) var topRow = 0
  /// The first visible photo when the album was last left, until its photos are fetched again.
  private var restoredPhoto: Int?
  /// The position from before the number of columns or of visible rows changed, which returns with it.
  private var sizeChange: SizeChange?
  /// The visible rows that are not cut.
  private var wholeRows = 0
  private(set) var rows = GridRows(count: 0, columns: 1)
  private(set) var size: GridSize
  var burstCounts = BurstCounts()
  /// What the mouse shows in a tile.
  var scrubbing = Scrubbing()

  init(size: GridSize) {
    self.size = size
  }
}

extension GridState {
  /// Changes the number of tiles in a row.
  mutating func changeColumns(by step: Int, in cells: GridGeometry) {
    size = .columns(max(2, min(GridSize.columnRange.upperBound, cells.columns + step)))
  }

  /// Scrolls to the row for a click on the scroll bar.
  /// - Returns: the first asset of that row.
  mutating func scroll(toBarRow row: Int, in area: CellRect) -> Int {
    topRow = max(0, min(rows.rowCount - 1, (row - area.row) * rows.rowCount / max(1, area.rows)))
    return rows.indexes(inRow: topRow).lowerBound
  }

  /// Scrolls by rows, up to the ends.
  /// - Returns: the asset that the cursor must move to, to stay visible; nil if it stays.
  mutating func scroll(by step: Int, in cells: GridGeometry) -> Int? {
    let visible = cells.wholeRows
    guard visible > 0, rows.rowCount > visible else { return nil }
    let top = max(0, min(rows.rowCount - visible, topRow + step))
    guard top != topRow else { return nil }
    topRow = top
    let row = rows.row(of: cursor)
    let target = max(top, min(top + visible - 1, row))
    guard target != row else { return nil }
    let wanted = column ?? rows.column(of: cursor)
    column = wanted
    return rows.index(inRow: target, near: wanted) ?? cursor
  }

  /// The asset in a visible cell; nil if the cell is empty.
  func index(at place: Int, in cells: GridGeometry) -> Int? {
    let columns = max(1, cells.columns)
    return rows.index(row: topRow + place / columns, column: place % columns)
  }

  /// The visible asset nearest to the mouse.
  func index(near event: MouseEvent, in cells: GridGeometry) -> Int? {
    guard cells.columns > 0, cells.rows > 0, rows.rowCount > 0 else { return nil }
    let cell = cells.nearestCell(row: event.row, column: event.column)
    return rows.index(inRow: min(rows.rowCount - 1, topRow + cell.row), near: cell.column)
  }

  /// The commands that move the cursor.
  private static let movements: Set<Command> = [
    .left, .right, .up, .down, .pageUp, .pageDown, .first, .last,
  ]

  /// The index that a command moves the cursor to, which may be out of range; nil if the command does not move it.
  /// - Parameters:
  ///   - isLine: whether all directions mean the next or the previous asset, as in full screen.
  ///   - page: the rows of a page, or its assets if `isLine`.
  ///   - count: the number of assets.
  mutating func index(after command: Command, isLine: Bool, page: Int, count: Int) -> Int? {
    guard Self.movements.contains(command) else { return nil }
    guard count > 0 else { return cursor }
    let before = column
    column = nil
    switch command {
    case .left: return cursor - 1
    case .right: return cursor + 1
    case .up where isLine: return cursor - 1
    case .down where isLine: return cursor + 1
    case .pageUp where isLine: return cursor - page
    case .pageDown where isLine: return cursor + page
    case .up: return index(rowsAway: -1, keeping: before, count: count)
    case .down: return index(rowsAway: 1, keeping: before, count: count)
    case .pageUp: return index(rowsAway: -page, keeping: before, count: count)
    case .pageDown: return index(rowsAway: page, keeping: before, count: count)
    case .first: return 0
    case .last: return count - 1
    default: return cursor
    }
  }

  /// The index some rows up or down, keeping the original column across shorter rows.
  private mutating func index(rowsAway step: Int, keeping before: Int?, count: Int) -> Int {
    let row = rows.row(of: cursor)
    let wanted = before ?? rows.column(of: cursor)
    let target = max(0, min(rows.rowCount - 1, row + step))
    guard target != row else {
      column = before
      // A page past the end goes to the end.
      return abs(step) > 1 ? (step > 0 ? count - 1 : 0) : cursor
    }
    column = wanted
    return rows.index(inRow: target, near: wanted) ?? cursor
  }

  /// Vertical movement keeps the column that the cursor moves to next.
  mutating func forgetColumn() { column = nil }

  /// Keeps the cursor on its asset from the first input on.
  mutating func settleCursor(on asset: LocalIdentifier?) { if anchor == nil { anchor = asset } }

  /// Keeps the cursor on an asset that moves.
  mutating func keepCursor(on asset: LocalIdentifier) { anchor = asset }

  /// Moves the cursor to an asset, or to the nearest end if the index is out of range.
  mutating func moveCursor(to index: Int, in assets: FetchResult<Asset>) {
    cursor = max(0, min(index, assets.count - 1))
    anchor = assets.identifier(at: cursor)
    (anchorBeforeFilter, anchorBeforeSearch) = (nil, nil)
  }

  /// Restores the cursor after the assets changed: to the first result of a new search, else to its asset, or to the
  /// one it was on before a search or a filter hid it.
  /// - Parameters:
  ///   - search: the search that found the assets; nil = no search.
  ///   - isNarrowed: whether a search or a filter may have hidden the asset.
  mutating func findCursor(in assets: FetchResult<Asset>, search: SearchQuery?, isNarrowed: Bool) {
    if search != self.search { begin(search) }
    if let anchorBeforeFilter, let index = assets.index(of: anchorBeforeFilter, near: cursor) {
      cursor = index
      anchor = anchorBeforeFilter
      self.anchorBeforeFilter = nil
    } else if let anchor {
      if let index = assets.index(of: anchor, near: cursor) {
        cursor = index
      } else if anchorBeforeFilter == nil, isNarrowed {
        anchorBeforeFilter = anchor
        cursor = 0
      }
    }
    cursor = max(0, min(cursor, assets.count - 1))
    // If the asset was removed, the cursor stays at its index.
    if anchor != nil { anchor = assets.isEmpty ? anchor : assets.identifier(at: cursor) }
    if let restoredPhoto {
      topRow = rows.row(of: restoredPhoto)
      sizeChange = SizeChange(topPhoto: restoredPhoto, cursor: cursor)
    }
    restoredPhoto = nil
  }

  /// Moves the cursor to the first result of a new search, or back to where it was before the search.
  private mutating func begin(_ search: SearchQuery?) {
    self.search = search
    if search == nil {
      anchorBeforeFilter = anchorBeforeSearch ?? anchorBeforeFilter
      anchorBeforeSearch = nil
      return
    }
    anchorBeforeSearch = anchorBeforeSearch ?? anchorBeforeFilter ?? anchor
    // Without an anchor the cursor stays on the first result, even if others are found later, until the user moves.
    (cursor, anchor, anchorBeforeFilter, restoredPhoto, column) = (0, nil, nil, nil, nil)
    sizeChange = nil
  }

  /// The user's position in the current album.
  var position: LibraryView.Position {
    LibraryView.Position(
      anchor: anchor, anchorBeforeSearch: anchorBeforeSearch, search: search,
      topPhoto: restoredPhoto ?? topPhoto)
  }

  /// Resets the cursor for another album.
  /// - Parameter position: where the user was in that album before.
  mutating func reset(to position: LibraryView.Position) {
    // `findCursor` restores the cursor from the anchor when the assets arrive.
    (cursor, anchor, restoredPhoto) = (0, position.anchor, position.topPhoto)
    (anchorBeforeSearch, search) = (position.anchorBeforeSearch, position.search)
    (anchorBeforeFilter, sizeChange) = (nil, nil)
    column = nil
  }
}

extension GridState {
  /// Arranges a number of assets in rows.
  ///
  /// With another number of columns or of visible rows the first visible photo stays in the first row, as far as the
  /// cursor allows. With the former number all photos are where they were, unless the user has moved meanwhile.
  mutating func breakIntoRows(count: Int, in geometry: GridGeometry) {
    let columns = geometry.columns > 0 ? geometry.columns : rows.columns
    let whole = geometry.columns > 0 ? geometry.wholeRows : wholeRows
    if columns != rows.columns || whole != wholeRows {
      sizeChange = SizeChange(topPhoto: topPhoto, cursor: cursor)
    }
    wholeRows = whole
    rows = GridRows(count: count, columns: columns)
    if let sizeChange, sizeChange.topRow == nil { topRow = rows.row(of: sizeChange.topPhoto) }
  }

  /// The first visible photo, or the one that was it before the size of the grid changed.
  private var topPhoto: Int {
    if let sizeChange, sizeChange.cursor == cursor, sizeChange.topRow ?? topRow == topRow {
      return sizeChange.topPhoto
    }
    return topRow * rows.columns
  }

  /// A position that another number of columns or of visible rows may have changed.
  private struct SizeChange {
    /// The first visible photo.
    var topPhoto: Int
    var cursor: Int
    /// The first visible row since then; nil = not yet known.
    var topRow: Int?
  }

  /// Scrolls as little as needed to make the whole of the cursor's row visible.
  mutating func scrollToCursor(in geometry: GridGeometry) {
    guard geometry.columns > 0, geometry.rows > 0 else { return }
    let row = rows.row(of: cursor)
    topRow = min(topRow, row)
    topRow = max(topRow, row - geometry.wholeRows + 1)
    topRow = max(0, min(topRow, rows.rowCount - geometry.wholeRows))
    if sizeChange?.topRow == nil { sizeChange?.topRow = topRow }
  }
}

/// The numbers of pictures in the bursts that have been visible so far.
struct BurstCounts: Sendable {
  private var known: [String: Int] = [:]
  /// The bursts whose counts are up to date or requested.
  private var fresh: Set<String> = []

  /// The count of a burst; nil until the library has answered.
  subscript(burst: String) -> Int? { known[burst] }

  /// Marks all counts as stale; they are still shown until new ones arrive.
  mutating func markStale() { fresh = [] }

  /// Returns the bursts whose counts must be requested, and marks them as requested.
  /// - Parameter canRefresh: whether stale counts are requested again, not only missing ones.
  mutating func takeMissing(of bursts: [String], canRefresh: Bool) -> [String] {
    bursts.filter { (canRefresh || known[$0] == nil) && fresh.insert($0).inserted }
  }

  mutating func add(_ counts: [String: Int]) { known.merge(counts) { $1 } }
}
