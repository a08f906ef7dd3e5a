package import AssetLibrary
import Pixels

/// The whole state of the picker, with one value for each of its parts.
///
/// `Picker.update` changes it, `Picker.view` draws it.
package struct PickerState: Sendable {
  package let options: Options
  var metrics: ScreenMetrics
  /// Where the panes are; derived from the other parts by `updateLayout`.
  private(set) var layout: ScreenLayout
  /// What stands in the place of the library; nil = nothing.
  var page: (any Layer)?
  /// What is open over the photos or beside them.
  var layers = LayerStack()
  var authorization = AuthorizationState()
  var library: LibraryView
  /// What the user changes in the library.
  var edits = LibraryEdits()
  var sidebar: Sidebar
  var grid: GridState
  var picks: PicksState
  var handover: HandoverState
  var preview: PreviewState
  var pictures = PictureState()
  var input = InputState()
  var waiting = WaitingInput()
  var suggestions = SuggestionState()
  /// What was searched for in this picker, the latest first.
  var recentSearches: [String] = []
  var status = StatusState()

  package init(options: Options, metrics: ScreenMetrics) {
    self.options = options
    self.metrics = metrics
    let configuration = options.configuration
    library = LibraryView(
      userFilter: UserFilter(
        sort: configuration.sort, search: options.search.query, text: options.search.text ?? "",
        vocabulary: options.search.vocabulary),
      albumSort: options.opening.sortsUserAlbums ? configuration.sort : .given)
    sidebar = Sidebar(
      albums: AlbumTree(months: options.locale.monthNames), columns: options.screen.albumColumns)
    grid = GridState(size: options.screen.gridSize)
    picks = PicksState(
      selection: Selection(configuration),
      preselected: configuration.preselectedAssetIdentifiers)
    handover = HandoverState(configuration.representation)
    preview = PreviewState(
      isWanted: options.screen.showsPreview, share: options.screen.previewShare)
    layout = ScreenLayout(metrics: metrics, options: ScreenLayout.Options())
    showPage(of: .notDetermined)
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
      captions: options.screen.captions, isByName: library.sort.isByName,
      showsStrip: picks.strip.isOpen,
      collectsPicks: !isSingleChoice || authorization.mode == .managing, hasPicks: !picks.selection.isEmpty,
      pickCount: picks.selection.count,
      showsInfo: preview.showsInfo,
      isCompact: options.configuration.mode == .compact,
      menuRows: layers.fromTop.lazy.compactMap { $0.rows(in: self) }.first)
  }
}

extension PickerState {
  /// The fewest rows that the picker is drawn on.
  package static var leastRows: Int { ScreenLayout.minimumSize.rows }
}

extension PickerState {
  var symbols: Symbols { options.symbols }

  /// Whether a part of the picker is not disabled by the caller.
  func allows(_ capability: PickerConfiguration.Capabilities) -> Bool {
    !options.configuration.disabledCapabilities.contains(capability)
  }

  /// The asset under the grid's cursor.
  var cursorIdentifier: LocalIdentifier? {
    library.assets.indices.contains(grid.cursor) ? library.assets.identifier(at: grid.cursor) : nil
  }

  /// The asset shown in the preview: under the cursor of the grid or the strip, or another picture of its
  /// burst.
  var current: Asset? {
    if input.focus == .strip {
      return picks.selection.assets.indices.contains(picks.strip.cursor)
        ? picks.selection.assets[picks.strip.cursor] : nil
    }
    if let burstMember { return burstMember }
    return library.assets.indices.contains(grid.cursor) ? library.assets[grid.cursor] : nil
  }

  /// The asset at an offset from the current one; nil past the ends.
  func neighbor(_ distance: Int) -> Asset? {
    if input.focus == .strip {
      let index = picks.strip.cursor + distance
      return picks.selection.assets.indices.contains(index) ? picks.selection.assets[index] : nil
    }
    if burstMember != nil, let burst = preview.burst {
      let index = burst.index + distance
      return burst.members.indices.contains(index) ? burst.members[index] : nil
    }
    let index = grid.cursor + distance
    return library.assets.indices.contains(index) ? library.assets[index] : nil
  }

  /// Why an asset can't be picked; nil if it can.
  func reasonNotSelectable(_ asset: Asset) -> String? {
    let name = asset.shortName
    if asset.isBroken { return "\(name) can't be picked: \(asset.defect ?? "")" }
    if authorization.mode == .picking, hasForbiddenLineBreak(asset) {
      return "\(name) has a line break in its name: use --print0"
    }
    if authorization.mode == .picking, options.client.needsOriginals, !asset.isLocallyAvailable {
      if options.opening.isOffline {
        return
          "\(name) can't be picked: its original is not on this machine, and no server is asked (--offline)"
      }
      if options.configuration.selection.isToldEarly {
        return "\(name) can't be picked yet: its original is not on this machine; the preview brings it"
      }
    }
    if let shortfall = requirements.shortfall(of: asset) {
      return "\(name) can't be picked: \(words(for: shortfall))"
    }
    if let reason = pickMeasure.unavailability(of: asset) { return "\(name) can't be picked: \(reason)" }
    return nil
  }

  /// Whether an asset is shown although it can't be picked, because of what the caller takes.
  func isUnfit(_ asset: Asset) -> Bool {
    requirements.shortfall(of: asset) != nil || pickMeasure.unavailability(of: asset) != nil
  }

  /// Whether an asset can't be picked because as many are as may be.
  func isBeyondLimit(_ asset: Asset) -> Bool {
    authorization.mode == .picking && !isSingleChoice && picks.selection.isFull(asset.mediaType)
      && !picks.selection.contains(asset.id)
  }

  /// What can't be picked although it is shown; nothing while the accessible photos are chosen.
  var requirements: PickerRequirements {
    authorization.mode == .picking ? options.configuration.requirements : PickerRequirements()
  }

  private func words(for shortfall: PickerRequirements.Shortfall) -> String {
    switch shortfall {
    case .tooShort(let minimum): "it is shorter than \(options.locale.duration(minimum))"
    case .tooLong(let maximum): "it is longer than \(options.locale.duration(maximum))"
    case .unknownDuration: "how long it lasts is not known"
    case .tooLarge(let maximum): "it is larger than \(options.locale.size(maximum))"
    }
  }

  /// Whether a line break in an asset's name would make the output ambiguous.
  func hasForbiddenLineBreak(_ asset: Asset) -> Bool {
    !options.acceptsLineBreaks && asset.pathBytes.hasLineBreak
  }

  /// Whether the user added filters or a search to those of the caller.
  var isNarrowedByUser: Bool {
    !library.userFilter.conditions.isEmpty || library.userFilter.text != options.search.text ?? ""
  }

  /// How many assets can be chosen; 0 = no limit.
  var limit: Int { picks.selection.limit }

  /// Whether picking a photo replaces the previous pick.
  var isSingleChoice: Bool { limit == 1 }

  /// The picks in the order that the caller requested.
  func results(_ picked: Selection.Assets) -> [Asset] {
    options.configuration.selection.isOrdered
      ? Array(picked) : picked.sorted(by: library.userFilter.sort.areInIncreasingOrder)
  }
}

extension PickerState {
  /// How the caller configured this picker.
  package struct Options: Sendable {
    package var configuration = PickerConfiguration()
    package var bindings = KeyBindings.standard
    package var callerKeys = CallerKeys()
    package var symbols = Symbols.unicode
    package var locale = LocaleFormat()
    /// The path of the user's home folder; empty where it is not known.
    package var home: [UInt8] = []
    /// How the screen looks at first.
    package var screen = ScreenPreferences()
    /// Whether the output can hold names with line breaks.
    package var acceptsLineBreaks = false
    /// Whether an empty selection can be confirmed once something was picked.
    package var allowsEmpty = false
    /// Whether the results are copied before the picker ends, which shows how far that has come.
    package var deliversResults = false
    /// Whether all files of an asset are handed over rather than the one that stands for it.
    package var handsOverAllResources = false
    package var search = SearchOptions()
    package var opening = OpeningOptions()
    package var client = ClientOptions()
    /// Whether the library can't be changed from the picker.
    package var isReadOnly = false
    /// Whether warnings and the end of long work ring the bell.
    package var ringsBell = false
    /// The largest number of photos picked at once on the run loop; larger ranges become bulk selections.
    var maximumSynchronousPicks = 2000

    package init() {}
  }

  /// Who asks for photos.
  package struct ClientOptions: Sendable {
    /// Its name in prompts about access.
    package var name = "tpick"
    /// What the photos are for, in the caller's words; it stands before the title.
    package var purpose: String?
    /// The command that gives it access, once it was denied for good; nil where it was for this run alone.
    package var grantCommand: String?
    /// Whether it reads the files: originals on servers are brought before it gets the result.
    package var needsOriginals = true
  }

  /// What the picker opens with, besides a search.
  package struct OpeningOptions: Sendable {
    /// Whether it is the choice of accessible photos under limited access.
    package var choosesAccess = false
    /// Whether what is decided on the client's access is all that the picker is for.
    package var endsWithAccess = false
    /// Where the photos come from, as the user wrote it; empty where that is no folder.
    package var folders: [[UInt8]] = []
    /// Whether no server is asked anything.
    package var isOffline = false
    /// Whether the caller's order holds in albums of the user's too, which have one of their own.
    package var sortsUserAlbums = false
    /// The album, as far as the caller could find it.
    package var collection: AssetCollection?
    /// The title or identifier of the album where the caller could not: opened as soon as the library lists it.
    package var album: String?
  }

  /// The search that the picker opens with, and the words that searches understand.
  package struct SearchOptions: Sendable {
    package var query: SearchQuery?
    /// The text as the caller wrote it.
    package var text: String?
    package var vocabulary: SearchVocabulary

    package init(
      query: SearchQuery? = nil, text: String? = nil, vocabulary: SearchVocabulary = SearchVocabulary()
    ) {
      self.query = query
      self.text = text
      self.vocabulary = vocabulary
    }
  }
}
