/// What lies over the screen; one at a time.
enum Overlay: Hashable, Sendable {
  case help(scroll: Int)
  /// `cursor` counts `PickerFilter.Name.menu`.
  case filters(cursor: Int)
  /// `cursor` counts `AssetSort.allCases`.
  case sorts(cursor: Int)
  /// What is known of the asset, where no pane has room for it.
  case info
}
