import AssetLibrary

/// The albums beside the grid, and where the user is among them.
struct SidebarState: Sendable {
  var albums: AlbumTree
  /// The album under the cursor.
  var target = AlbumTarget.recents
  /// The first line in sight.
  var top = 0
  /// How the albums were counted last; nil = they have to be counted anew.
  var countOptions: FetchOptions?
  /// The photos that stand for the albums.
  var posters = Posters()
  /// Whether the album to start in was opened, or the user went elsewhere first.
  var hasOpenedAlbum = false

  init(albums: AlbumTree) {
    self.albums = albums
  }
}

extension SidebarState {
  /// How albums have to be counted, where they were not counted so yet.
  mutating func needsCount(_ options: FetchOptions) -> FetchOptions? {
    guard countOptions != options else { return nil }
    countOptions = options
    posters.forget(unless: options)
    return options
  }

  /// Lists what the library has answered.
  /// - Parameter place: what the grid shows; the cursor goes there when its album is gone.
  mutating func list(_ answer: AlbumsAnswer, place: AlbumTarget) {
    albums.replace(with: answer)
    posters.markStale()
    if albums.index(of: target) == nil { target = place }
  }

  /// The album that a command leads to from the one under the cursor; nil where it leads to none.
  func target(after command: Command, page: Int = 10) -> AlbumTarget? {
    let items = albums.lines.indices.filter { albums.lines[$0].target != nil }
    guard !items.isEmpty else { return nil }
    let line = albums.index(of: target)
    let at = items.firstIndex { $0 == line } ?? 0
    let index: Int
    switch command {
    case .up: index = at - 1
    case .down: index = line == nil ? 0 : at + 1
    case .pageUp: index = at - page
    case .pageDown: index = at + page
    case .first: index = 0
    case .last: index = items.count - 1
    case .left:
      guard let line, let parent = albums.parent(of: line), let place = items.firstIndex(of: parent) else {
        return nil
      }
      index = place
    default: return nil
    }
    return albums.lines[items[max(0, min(index, items.count - 1))]].target
  }

  /// Whether what the album under the cursor holds is listed below it; nil where it holds nothing to list.
  var isUnfolded: Bool? { albums.index(of: target).flatMap { albums.lines[$0].isUnfolded } }

  /// Scrolls the list no more than needed, so that a line is in sight.
  /// - Parameters:
  ///   - shown: the album whose line it is.
  ///   - rows: how many rows of the screen there are.
  mutating func scroll(to shown: AlbumTarget, rows: Int, hasPosters: Bool) {
    let lines = albums.lines
    guard !lines.isEmpty else {
      top = 0
      return
    }
    let height = { (index: Int) in SidebarWindow.rows(of: lines[index], hasPosters: hasPosters) }
    let current = albums.index(of: shown) ?? 0
    let isUnderHeading = current > 0 && lines[current - 1].target == nil
    top = max(0, min(top, isUnderHeading ? current - 1 : current))
    var used = (top...current).reduce(0) { $0 + height($1) }
    while used > rows, top < current {
      used -= height(top)
      top += 1
    }
    // No blank lines at the end while there is more above.
    var rest = 0
    for index in lines.indices.dropFirst(top) where rest <= rows { rest += height(index) }
    while top > 0, rest + height(top - 1) <= rows {
      top -= 1
      rest += height(top)
    }
  }
}
