import AssetLibrary

/// The state of the sidebar: the albums, the cursor and the scroll position.
struct SidebarState: Sendable {
  var albums: AlbumTree
  /// The album at the sidebar's cursor.
  var target = AlbumTarget.recents
  /// The first visible line.
  var top = 0
  /// The width that the user gave it; nil = as its names need.
  var columns: Int?
  /// The options of the last count; nil = the albums have to be counted again.
  var countOptions: FetchOptions?
  /// The posters of the albums.
  var posters = Posters()
  /// Whether the initial album was opened, or the user went elsewhere first.
  var hasOpenedInitialAlbum = false

  init(albums: AlbumTree, columns: Int? = nil) {
    self.albums = albums
    self.columns = columns
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
  ///
  /// A page ends at the first album of the next section, so that the dates are a few keys away.
  func target(after command: Command, page: Int = 10) -> AlbumTarget? {
    let items = albums.lines.indices.filter { albums.lines[$0].target != nil }
    guard !items.isEmpty else { return nil }
    let line = albums.index(of: target)
    let at = items.firstIndex { $0 == line } ?? 0
    let index: Int
    switch command {
    case .up: index = at - 1
    case .down: index = line == nil ? 0 : at + 1
    case .pageUp:
      index = sectionStarts(items).last { (at - page..<at).contains($0) } ?? at - page
    case .pageDown:
      index = sectionStarts(items).first { (at + 1...at + page).contains($0) } ?? at + page
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

  /// The places among the albums at which a section begins.
  private func sectionStarts(_ items: [Int]) -> [Int] {
    items.indices.filter { items[$0] > 0 && albums.lines[items[$0] - 1].kind == .heading }
  }

  /// Whether the album at the cursor is expanded; nil if it has no children.
  var isExpanded: Bool? { albums.index(of: target).flatMap { albums.lines[$0].isExpanded } }

  /// Scrolls as little as needed to make an album's line visible.
  /// - Parameters:
  ///   - shown: the album.
  ///   - rows: the height of the sidebar.
  mutating func scroll(to shown: AlbumTarget, rows: Int) {
    let lines = albums.lines
    guard !lines.isEmpty else {
      top = 0
      return
    }
    let current = albums.index(of: shown) ?? 0
    let isUnderHeading = current > 0 && lines[current - 1].target == nil
    top = min(top, isUnderHeading ? current - 1 : current)
    top = max(top, current - rows + 1)
    // No blank rows at the end while there are lines above.
    top = max(0, min(top, lines.count - rows))
  }
}
