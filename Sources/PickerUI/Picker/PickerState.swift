import AssetLibrary
import Pixels

/// The whole state of the picker, with one value for each of its parts.
///
/// `Picker.update` changes it, `Picker.view` draws it.
package struct PickerState: Sendable {
  /// What fills the screen.
  enum Page: Hashable, Sendable {
    /// Authorization is pending.
    case opening
    case consent(ConsentRequest, choice: ConsentDecision)
    case refused(AuthorizationStatus)
    case library
  }

  package let options: Options
  var metrics: ScreenMetrics
  /// Where the panes are; derived from the other parts by `updateLayout`.
  private(set) var layout: ScreenLayout
  var page = Page.opening
  var authorization = AuthorizationState()
  var library: LibraryView
  var sidebar: SidebarState
  var grid: GridState
  var picks: PicksState
  var handover: HandoverState
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
        sort: configuration.sort, search: options.search.query, text: options.search.text ?? "",
        vocabulary: options.search.vocabulary))
    sidebar = SidebarState(
      albums: AlbumTree(months: options.locale.monthNames), columns: options.screen.albumColumns)
    grid = GridState(size: options.screen.gridSize)
    picks = PicksState(
      selection: Selection(configuration),
      preselected: configuration.preselectedAssetIdentifiers)
    handover = HandoverState(configuration.representation)
    preview = PreviewState(
      isWanted: options.screen.showsPreview, share: options.screen.previewShare)
    layout = ScreenLayout(metrics: metrics, options: ScreenLayout.Options())
    picks.selection.use(pickMeasure)
    picks.history.adopt(picks.selection)
    updateLayout()
  }

  /// Recomputes the layout if its inputs have changed.
  ///
  /// Called at the end of each update, and within one that needs the layout of what it has just opened.
  mutating func updateLayout() {
    let options = layoutOptions
    if options != layout.options || metrics != layout.metrics {
      layout = ScreenLayout(metrics: metrics, options: options)
    }
  }

  /// The inputs of the layout, apart from the screen.
  var layoutOptions: ScreenLayout.Options {
    ScreenLayout.Options(
      showsSidebar: allows(.collectionNavigation) && options.screen.showsAlbums,
      focusesSidebar: input.focus == .sidebar,
      albumColumns: sidebar.albums.columns(withPosters: posterKey != nil),
      wantedAlbumColumns: sidebar.columns,
      previewShare: preview.share,
      showsPreview: allows(.preview) ? preview.isWanted : false, isFullScreen: preview.isFullScreen,
      gridSize: grid.size,
      hasBanner: authorization.status == .limited || authorization.mode == .managing,
      captions: options.screen.captions, isByName: library.userFilter.sort.isByName,
      showsStrip: picks.showsStrip,
      collectsPicks: !isSingleChoice || authorization.mode == .managing, hasPicks: !picks.selection.isEmpty,
      pickCount: picks.selection.count,
      showsInfo: preview.showsInfo,
      isCompact: options.configuration.mode == .compact,
      menuRows: menuEntryCount.map { $0 + 1 })
  }
}

extension PickerState {
  /// The fewest rows that the picker is drawn on.
  package static var leastRows: Int { ScreenLayout.minimumSize.rows }
}
