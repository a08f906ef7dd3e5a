package import AssetLibrary

extension PickerState {
  /// What the caller wants of this picker.
  package struct Options: Sendable {
    package var configuration = PickerConfiguration()
    package var bindings = KeyBindings.standard
    package var symbols = Symbols.unicode
    package var locale = LocaleFormat()
    /// How large the thumbnails are at the start.
    package var gridSize = GridSize.medium
    /// Whether the albums stand beside the grid where there is room; they can be brought over it all the same.
    package var showsAlbums = true
    /// Whether the preview is on at the start; nil = where there is room.
    package var showsPreview: Bool?
    /// Whether the output can hold names with line breaks.
    package var acceptsLineBreaks = false
    /// Opens with the choice of the photos that may be seen, when the access is limited.
    package var choosesAccessFirst = false
    /// What is searched for from the start.
    package var search: SearchQuery?
    /// How that was written.
    package var searchText: String?
    /// The title or the identifier of the album to start in, once it turns up.
    package var album: String?
    /// How the client can be granted access, for the screen that says that it has none.
    package var client = "tpick"
    /// Whether what can't be done is heard as well.
    package var rings = false
    /// More photos at once are picked beside the run loop.
    var mostAtOnce = 2000

    package init() {}
  }
}
