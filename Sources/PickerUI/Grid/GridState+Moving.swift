import AssetLibrary

extension GridState {
  /// Where a command leads from the cursor; the caller puts the cursor there.
  /// - Parameters:
  ///   - isLine: whether all directions mean the next asset or the previous one, as in full screen.
  ///   - page: how many rows a page has, or assets where all stand in a line.
  ///   - count: how many assets there are, one at least.
  mutating func index(after command: Command, isLine: Bool, page: Int, count: Int) -> Int {
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

  /// Up or down, in the column where the way began, past rows that are shorter.
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

  /// Puts the cursor at an asset, or at the nearest end.
  mutating func moveCursor(to index: Int, in assets: FetchResult<Asset>) {
    cursor = max(0, min(index, assets.count - 1))
    anchor = assets.identifier(at: cursor)
    home = nil
  }

  /// Puts the cursor where it was among other assets: at its asset, or at the one it had before a search left that
  /// out.
  /// - Parameter isNarrowed: whether a search or a filter may have left the asset out.
  mutating func findCursor(in assets: FetchResult<Asset>, isNarrowed: Bool) {
    if let home, let index = assets.index(of: home, near: cursor) {
      cursor = index
      anchor = home
      self.home = nil
    } else if let anchor {
      if let index = assets.index(of: anchor, near: cursor) {
        cursor = index
      } else if home == nil, isNarrowed {
        home = anchor
        cursor = 0
      }
    }
    cursor = max(0, min(cursor, assets.count - 1))
    // An asset that went leaves the cursor to the one in its place.
    if anchor != nil { anchor = assets.isEmpty ? anchor : assets.identifier(at: cursor) }
    if let restoredRow { topRow = restoredRow }
    restoredRow = nil
  }

  /// Forgets where the cursor is, for other assets.
  /// - Parameter position: where the user was among them before.
  mutating func leave(for position: LibraryView.Position) {
    // The cursor finds its place by its anchor when the answer comes.
    (cursor, anchor, restoredRow) = (0, position.anchor, position.topRow)
    home = nil
    column = nil
    areRowsStale = true
  }
}
