import AssetLibrary

/// The state of the sidebar: the albums, the cursor and the scroll position.
struct SidebarState: Sendable {
  var albums: AlbumTree
  /// The album at the sidebar's cursor.
  var target = AlbumTarget.recents
  /// The first visible line.
  var top = 0
  /// The options of the last count; nil = the albums have to be counted again.
  var countOptions: FetchOptions?
  /// The posters of the albums.
  var posters = Posters()
  /// Whether the initial album was opened, or the user went elsewhere first.
  var hasOpenedInitialAlbum = false

  init(albums: AlbumTree) {
    self.albums = albums
  }
}

extension SidebarState {
  /// The options to count albums with, if they differ from those of the last count.
  mutating func needsCount(_ options: FetchOptions) -> FetchOptions? {
    guard countOptions != options else { return nil }
    countOptions = options
    posters.forget(unless: options)
    return options
  }

  /// Drops all counts and posters: they are asked for again.
  mutating func forgetCounts() {
    countOptions = nil
    posters = Posters()
  }

  /// Lists the albums of a result.
  /// - Parameter shown: the album in the grid, where the cursor goes if its own is gone.
  mutating func list(_ answer: AlbumsAnswer, shown: AlbumTarget) {
    albums.replace(with: answer)
    posters.markStale()
    if albums.index(of: target) == nil { target = shown }
  }

  /// The album that a command moves the cursor to; nil if there is none.
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

  /// Whether the album at the cursor is expanded; nil if it has no children.
  var isExpanded: Bool? { albums.index(of: target).flatMap { albums.lines[$0].isExpanded } }

  /// Scrolls as little as needed to make an album's line visible.
  /// - Parameters:
  ///   - shown: the album.
  ///   - rows: the height of the sidebar.
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
    // No blank rows at the end while there are lines above.
    var rest = 0
    for index in lines.indices.dropFirst(top) where rest <= rows { rest += height(index) }
    while top > 0, rest + height(top - 1) <= rows {
      top -= 1
      rest += height(top)
    }
  }
}
