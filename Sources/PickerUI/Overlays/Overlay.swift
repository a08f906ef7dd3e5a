/// A box over the screen; one at a time.
enum Overlay: Hashable, Sendable {
  case help(scroll: Int)
  /// `cursor` is an index into `PickerFilter.Name.menu`.
  case filters(cursor: Int)
  /// `cursor` is an index into `AssetSort.allCases`.
  case sorts(cursor: Int)
  /// The info on the asset, if no pane has room for it.
  case info
}
