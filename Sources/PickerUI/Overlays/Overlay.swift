import AssetLibrary

/// What is open over the photos or, if it is a menu, beside them; one at a time.
enum Overlay: Hashable, Sendable {
  case help(HelpState)
  case filters(MenuState)
  case sorts(MenuState)
  /// The info on the asset, if no pane has room for it.
  case info

  /// The entries of a menu; nil if it is none.
  var menuEntryCount: Int? {
    switch self {
    case .filters: PickerFilter.Name.menu.count
    case .sorts: AssetSort.allCases.count
    case .help, .info: nil
    }
  }
}
