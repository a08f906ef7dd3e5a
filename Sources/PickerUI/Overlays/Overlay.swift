import AssetLibrary

/// What is open over the photos or, if it is a menu, beside them; one at a time.
enum Overlay: Hashable, Sendable {
  case help(HelpState)
  case filters(MenuState)
  case sorts(MenuState)
  /// In which shape the result is handed over.
  case options(MenuState)
  /// The originals of picks that are on their way.
  case downloads
  /// The info on the asset, if no pane has room for it.
  case info

  /// Whether it is a menu.
  var isMenu: Bool {
    switch self {
    case .filters, .sorts, .options, .downloads: true
    case .help, .info: false
    }
  }
}
