package import AssetLibrary

/// The user's preferences for the screen: configured, changed by keys, and remembered between runs.
package struct ScreenPreferences: Hashable, Sendable {
  /// The size of the thumbnails.
  package var gridSize = GridSize.medium
  /// When the names of photos are shown below their tiles.
  package var captions = CaptionMode.byName
  /// Whether the video or animation under the cursor plays in its tile.
  package var playsInGrid = false
  /// Whether the mouse over the tile of a video or an animation shows stills of it.
  ///
  /// Off like `playsInGrid`: thumbnails stay still unless the user wants it otherwise, and the terminal need not report
  /// each movement of the mouse.
  package var scrubsInGrid = false
  /// Whether the sidebar of albums is shown beside the grid if there is room; it can always be opened.
  package var showsAlbums = true
  /// Whether the preview is on; nil = if there is room.
  package var showsPreview: Bool?
  /// The width of the sidebar in cells; nil = the width that its names need.
  package var albumColumns: Int?
  /// The width in cells that the names of the albums needed in the last run; nil = unknown.
  ///
  /// The sidebar begins with it, so that the photos stay in place when the albums are listed.
  package var neededAlbumColumns: Int?
  /// The share of the window that the preview takes, in percent; nil = depending on the window's shape.
  package var previewShare: Int?

  /// The name of the picture fallback that was last reported to the user; nil = never.
  package var reportedFallback: String?
  /// The searches of earlier runs, the latest first, as suggestions for an empty prompt.
  package var recentSearches: [String] = []

  /// The maximum number of remembered searches.
  package static let mostRecentSearches = 5

  package init() {}

  /// The widths of the sidebar that can be configured.
  package static let albumColumnRange = 10...80
  /// The widths that are remembered for the names of the albums.
  package static let neededAlbumColumnRange = 1...500
  /// The shares of the preview that can be configured.
  package static let previewShareRange = 15...70
}

/// What the user changed of the screen with keys, and what this run found out about it; the next run starts with it.
package struct ScreenChanges: Hashable, Sendable {
  /// nil = unchanged, as for the other properties.
  package var gridSize: GridSize?
  package var showsPreview: Bool?
  package var albumColumns: Int?
  /// The width that the names of the albums need.
  package var neededAlbumColumns: Int?
  package var previewShare: Int?
  package var sort: AssetSort?
  /// The name of the picture fallback that was reported to the user.
  package var reportedFallback: String?
  /// The latest searches, the last one first.
  package var recentSearches: [String]?

  package init() {}

  package var isEmpty: Bool { self == ScreenChanges() }
}

extension PickerState {
  /// The differences from the preferences that the picker was opened with.
  package var screenChanges: ScreenChanges {
    var changes = ScreenChanges()
    if grid.size != options.screen.gridSize { changes.gridSize = grid.size }
    if preview.isWanted != options.screen.showsPreview { changes.showsPreview = preview.isWanted }
    if sidebar.columns != options.screen.albumColumns { changes.albumColumns = sidebar.columns }
    let needed = sidebar.albums.openingColumns(withPosters: Sidebar.posterSize(layout.metrics) != nil)
    if let needed, needed != options.screen.neededAlbumColumns,
      ScreenPreferences.neededAlbumColumnRange.contains(needed)
    {
      changes.neededAlbumColumns = needed
    }
    if preview.share != options.screen.previewShare { changes.previewShare = preview.share }
    if library.userFilter.sort != options.configuration.sort { changes.sort = library.userFilter.sort }
    changes.reportedFallback = status.reportedFallback?.name
    // A search that the caller began with is not the user's.
    let earlier = options.screen.recentSearches
    let searches = library.recentSearches.filter { $0 != options.search.text || earlier.contains($0) }
    if searches != earlier { changes.recentSearches = searches }
    return changes
  }
}

/// When the names of photos are shown below their tiles.
package enum CaptionMode: String, CaseIterable, Hashable, Sendable {
  /// If tiles are wide enough.
  case auto
  /// If photos are sorted by name.
  case byName = "by-name"
  case always, never

  /// Most names do not fit into narrower tiles.
  private static let leastColumns = 16

  /// The number of rows for captions below tiles of a width in cells.
  /// - Parameter isByName: whether photos are sorted by name.
  func rows(under columns: Int, isByName: Bool) -> Int {
    switch self {
    case .byName: isByName ? 1 : 0
    case .auto: columns >= Self.leastColumns ? 1 : 0
    case .always: 1
    case .never: 0
    }
  }
}
