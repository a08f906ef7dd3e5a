package import AssetLibrary

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
    changes.toldFallback = status.toldFallback
    return changes
  }
}
