import AssetLibrary
import Pixels

/// The whole state of the picker, with one value for each of its parts.
///
/// `Picker.update` changes it, `Picker.view` draws it.
package struct PickerState: Sendable {
  package private(set) var options: PickerOptions
  /// The positions of the panes; derived from the other parts by `updateLayout`.
  private(set) var layout: ScreenLayout
  /// The layers that are open over the photos, beside them, or instead of them.
  var layers = LayerStack()
  var authorization = AuthorizationState()
  var library: LibraryView
  /// The user's changes to the library.
  var edits = LibraryEdits()
  var sidebar: Sidebar
  var grid: GridState
  var picks: Picks
  var preview: PreviewState
  var pictures = PictureState()
  var input = InputState()
  var status: StatusState

  package init(options: PickerOptions, metrics: ScreenMetrics) {
    self.options = options
    let configuration = options.configuration
    library = LibraryView(
      userFilter: UserFilter(
        sort: configuration.sort, search: options.search.query, text: options.search.text ?? "",
        vocabulary: options.search.vocabulary),
      albumSort: options.opening.sortsUserAlbums ? configuration.sort : .given,
      offersAlbums: options.allows(.collectionNavigation), openingNotes: options.missingSourcesNote,
      recentSearches: options.screen.recentSearches)
    sidebar = Sidebar(
      albums: AlbumTree(
        months: options.locale.monthNames, expectedColumns: options.screen.neededAlbumColumns ?? 0),
      columns: options.screen.albumColumns)
    grid = GridState(size: options.screen.gridSize)
    picks = Picks(configuration)
    preview = PreviewState(
      isWanted: options.screen.showsPreview, share: options.screen.previewShare)
    status = StatusState(ringsBell: options.ringsBell)
    layout = ScreenLayout(metrics: metrics, options: ScreenLayout.Options())
    showOpeningPage()
    picks.use(rules.measure)
    _ = picks.note()
    updateLayout()
  }

  /// Recomputes the layout if its inputs have changed.
  ///
  /// Called at the end of each update, and during an update that needs the layout of a newly opened part.
  /// - Parameter metrics: those of the screen; nil = unchanged.
  mutating func updateLayout(for metrics: ScreenMetrics? = nil) {
    if input.focus == .sidebar || metrics != nil { sidebar.nameColumnLimit = nil }
    let options = ScreenLayout.Options(of: self)
    if options != layout.options || metrics != nil {
      layout = ScreenLayout(metrics: metrics ?? layout.metrics, options: options)
    }
  }
}

extension ScreenLayout.Options {
  /// The inputs of the layout, apart from the screen.
  init(of picker: PickerState) {
    let isManaging = picker.authorization.mode == .managing
    self.init(
      showsSidebar: picker.options.allows(.collectionNavigation) && picker.options.screen.showsAlbums,
      focusesSidebar: picker.input.focus == .sidebar,
      albumColumns: min(
        picker.sidebar.albums.columns(withPosters: Sidebar.posterSize(picker.layout.metrics) != nil),
        picker.sidebar.nameColumnLimit ?? .max),
      wantedAlbumColumns: picker.sidebar.columns,
      previewShare: picker.preview.share,
      showsPreview: picker.options.allows(.preview) ? picker.preview.isWanted : false,
      isFullScreen: picker.preview.isFullScreen,
      gridSize: picker.grid.size,
      hasBanner: picker.authorization.status == .limited || isManaging,
      captions: picker.options.screen.captions, isByName: picker.library.sort.isByName,
      showsStrip: picker.picks.strip.isOpen,
      collectsPicks: picker.options.allows(.stagingArea) && !picker.picks.selection.isSingleChoice
        || isManaging,
      hasPicks: !picker.picks.selection.isEmpty,
      pickCount: picker.picks.selection.count,
      showsInfo: picker.preview.showsInfo,
      isCompact: picker.options.configuration.mode == .compact,
      menuRows: picker.layers.fromTop.lazy.compactMap { $0.rows(in: picker) }.first)
  }
}

extension PickerState {
  /// Performs an order of the caller.
  mutating func perform(_ order: PickerOrder) -> [PickerEffect] {
    // A bulk selection started with the earlier picks; what the caller orders applies to its result.
    if picks.isBusy {
      input.waiting.keep(.order(order))
      return []
    }
    switch order {
    case .update(let update):
      guard let limit = update.selectionLimit else { return [] }
      options.configuration.selectionLimit = limit
      return choose { $0.limit(to: limit, on: $1) }
    case .deselect(let identifiers): return choose { $0.deselect(identifiers, on: $1) }
    case .move(let identifier, let other): return choose { picks, _ in picks.move(identifier, after: other) }
    case .scroll(let identifier):
      guard let index = library.assets.index(of: identifier, near: grid.cursor) else {
        // It may be found later.
        if !library.status.isComplete { grid.keepCursor(on: identifier) }
        return []
      }
      return moveCursor(to: index)
    case .scrollToInitialPosition: return moveCursor(to: 0)
    case .zoomIn:
      grid.changeColumns(by: -1, in: layout.cellsWhenClosed)
      return []
    case .zoomOut:
      grid.changeColumns(by: 1, in: layout.cellsWhenClosed)
      return []
    }
  }
}

extension PickerState {
  /// How the caller configured this picker.
  package typealias Options = PickerOptions

  private mutating func showOpeningPage() { layers.page = OpeningPage() }

  /// The asset shown in the preview: under the cursor of the grid or the strip, or another picture of its
  /// burst.
  var current: Asset? { CursorPhotos(of: self)[0] }

  /// The rules for which photos can be picked.
  var rules: PickRules {
    PickRules(
      options, mode: authorization.mode, representation: picks.representation, trims: picks.trims,
      keyPhotoTimes: picks.keyPhotoTimes)
  }
}

/// The photos that the cursor moves along: the picks, the pictures of the burst that is shown, or those of the grid.
struct CursorPhotos {
  private enum Photos {
    case picks(Selection.Assets)
    case burst([Asset])
    case grid(FetchResult<Asset>)
  }

  private let photos: Photos
  private let cursor: Int

  /// The photo at a distance from the cursor, 0 for the one under it; nil past the ends.
  subscript(distance: Int) -> Asset? {
    let index = cursor + distance
    switch photos {
    case .picks(let picks): return picks.indices.contains(index) ? picks[index] : nil
    case .burst(let members): return members.indices.contains(index) ? members[index] : nil
    case .grid(let assets): return assets.indices.contains(index) ? assets[index] : nil
    }
  }
}

extension CursorPhotos {
  init(of picker: PickerState) {
    let (grid, assets) = (picker.grid, picker.library.assets)
    if picker.input.focus == .strip {
      (photos, cursor) = (.picks(picker.picks.selection.assets), picker.picks.strip.cursor)
    } else if picker.input.focus == .grid, picker.preview.burst != nil,
      assets.indices.contains(grid.cursor),
      let burst = picker.preview.shownBurst(of: assets.identifier(at: grid.cursor))
    {
      (photos, cursor) = (.burst(burst.members), burst.index)
    } else {
      (photos, cursor) = (.grid(assets), grid.cursor)
    }
  }
}
