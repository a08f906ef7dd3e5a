import AssetLibrary
import Pixels

/// Everything the picker knows, as a value made of values: one for each part of the picker.
///
/// `Picker.update` makes the next one, `Picker.view` draws it.
package struct PickerState: Sendable {
  /// What the screen shows as a whole.
  enum Page: Hashable, Sendable {
    /// Nothing is decided yet.
    case opening
    case consent(ConsentRequest, choice: ConsentDecision)
    case refused(AuthorizationStatus)
    case library
  }

  package let options: Options
  var metrics: ScreenMetrics
  /// Where everything stands; follows from the other parts, see `updateLayout`.
  private(set) var layout: ScreenLayout
  var page = Page.opening
  var authorization = AuthorizationState()
  var library: LibraryView
  var sidebar: SidebarState
  var grid: GridState
  var picks: PicksState
  var preview: PreviewState
  var pictures = PictureState()
  var input = InputState()
  var status = StatusState()

  package init(options: Options, metrics: ScreenMetrics) {
    self.options = options
    self.metrics = metrics
    let configuration = options.configuration
    library = LibraryView(
      userFilter: UserFilter(
        sort: configuration.sort, search: options.search, text: options.searchText ?? ""))
    sidebar = SidebarState(albums: AlbumTree(months: options.locale.monthNames))
    grid = GridState(size: options.gridSize)
    picks = PicksState(
      selection: Selection(limit: configuration.selectionLimit),
      preselected: configuration.preselectedAssetIdentifiers)
    preview = PreviewState(isWanted: options.showsPreview)
    layout = ScreenLayout(metrics: metrics, options: ScreenLayout.Options())
    updateLayout()
  }

  /// Works out the layout anew, where what it follows from has changed.
  ///
  /// Called once an update, and where an update goes on with what it has just opened.
  mutating func updateLayout() {
    let options = layoutOptions
    if options != layout.options || metrics != layout.metrics {
      layout = ScreenLayout(metrics: metrics, options: options)
    }
  }

  /// What the layout follows from, besides the screen.
  var layoutOptions: ScreenLayout.Options {
    ScreenLayout.Options(
      showsSidebar: allows(.collectionNavigation) && options.showsAlbums,
      focusesSidebar: input.focus == .sidebar,
      showsPreview: allows(.preview) ? preview.isWanted : false, isFullScreen: preview.isFullScreen,
      gridSize: grid.size,
      hasBanner: authorization.status == .limited || authorization.mode == .managing,
      hasHeaders: library.days != nil, showsStrip: picks.showsStrip, showsInfo: preview.showsInfo,
      isCompact: options.configuration.mode == .compact)
  }
}
