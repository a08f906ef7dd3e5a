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
