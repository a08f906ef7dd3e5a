package import AssetLibrary

/// How the user likes the screen: set in the configuration, changed by keys, and remembered between runs.
package struct ScreenPreferences: Hashable, Sendable {
  /// The size of the thumbnails.
  package var gridSize = GridSize.medium
  /// When the names of photos stand below their tiles.
  package var captions = CaptionMode.byName
  /// Whether the sidebar of albums is beside the grid where there is room; it can always be opened.
  package var showsAlbums = true
  /// Whether the preview is on; nil = if there is room.
  package var showsPreview: Bool?
  /// The width of the sidebar in cells; nil = as its names need.
  package var albumColumns: Int?
  /// The share of the window that the preview takes, in percent; nil = by the window's shape.
  package var previewShare: Int?

  /// What stood in for pictures when that was last said to the user; nil = never.
  package var toldFallback: String?

  package init() {}

  /// The widths of the sidebar that can be configured.
  package static let albumColumnRange = 10...80
  /// The shares of the preview that can be configured.
  package static let previewShareRange = 15...70
}

/// What the user changed of the screen by keys: the next run begins with it.
package struct ScreenChanges: Hashable, Sendable {
  /// nil = not changed; so are the others.
  package var gridSize: GridSize?
  package var showsPreview: Bool?
  package var albumColumns: Int?
  package var previewShare: Int?
  package var sort: AssetSort?
  /// What stands in for pictures, where the user was told.
  package var toldFallback: String?

  package init() {}

  package var isEmpty: Bool { self == ScreenChanges() }
}

extension PickerState {
  /// What differs from what the picker was opened with.
  package var screenChanges: ScreenChanges {
    var changes = ScreenChanges()
    if grid.size != options.screen.gridSize { changes.gridSize = grid.size }
    if preview.isWanted != options.screen.showsPreview { changes.showsPreview = preview.isWanted }
    if sidebar.columns != options.screen.albumColumns { changes.albumColumns = sidebar.columns }
    if preview.share != options.screen.previewShare { changes.previewShare = preview.share }
    if library.userFilter.sort != options.configuration.sort { changes.sort = library.userFilter.sort }
    changes.toldFallback = status.toldFallback?.name
    return changes
  }
}

/// When the names of photos stand below their tiles.
package enum CaptionMode: String, CaseIterable, Hashable, Sendable {
  /// Where tiles are wide enough for them.
  case auto
  /// Where photos stand in the order of their names.
  case byName = "by-name"
  case always, never

  /// Narrower tiles cut most names.
  private static let leastColumns = 16

  /// The rows that captions take under tiles of a width in cells.
  /// - Parameter isByName: whether photos stand in the order of their names.
  func rows(under columns: Int, isByName: Bool) -> Int {
    switch self {
    case .byName: isByName ? 1 : 0
    case .auto: columns >= Self.leastColumns ? 1 : 0
    case .always: 1
    case .never: 0
    }
  }
}
