package import AssetLibrary
import Pixels

/// Everything the picker knows, as a value.
///
/// `Picker.update` makes the next one, `Picker.view` draws it.
package struct PickerState: Sendable {
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
    /// What is searched for from the start, and how it was written.
    package var search: SearchQuery?
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

  /// What the screen shows as a whole.
  enum Stage: Hashable, Sendable {
    /// Nothing is decided yet.
    case opening
    case consent(ConsentRequest, choice: ConsentDecision)
    case refused(AuthorizationStatus)
    case library
  }

  /// What choosing means.
  enum Mode: Hashable, Sendable {
    case picking
    /// Choosing what the client may see.
    case managing
  }

  enum Pane: Hashable, Sendable {
    case sidebar, grid
    /// The selection in its order.
    case strip
  }

  package let options: Options
  var metrics: ScreenMetrics
  var stage = Stage.opening
  var access = AuthorizationStatus.notDetermined
  var mode = Mode.picking

  // The library and what is shown of it.
  var albums: AlbumTree
  /// What the grid shows.
  var place = AlbumTarget.recents
  var placeTitle = "Recents"
  /// Where the user was in the albums that were left.
  var positions: [AlbumTarget: Position] = [:]
  var userFilter: UserFilter
  var assets = FetchResult<Asset>()
  /// The days of the assets, where they stand in the order of their dates; nil where they don't.
  var days: [DaySection]?
  var library = LibraryStatus(isComplete: false, assetCount: 0)
  var allowed: Set<LocalIdentifier> = []
  /// The number of the last question to the library; 0 = none yet.
  var generation = 0
  var isFetching = false
  /// The question that what is shown answers; nil before the first answer.
  var answered: FetchQuery?
  /// Whether something is asked that was not answered yet, rather than the same again after a change.
  var isAskingAnew = false
  /// Whether the question changed since it was asked.
  var isStale = false
  /// How the albums were counted last; nil = they have to be counted anew.
  var albumOptions: FetchOptions?
  /// The photos that stand for the albums.
  var posters = Posters()
  /// Whether the album to start in was opened, or the user went elsewhere first.
  var hasOpenedAlbum = false
  /// Long work outside of the picker, what was begun last at the end.
  var works: [Work] = []
  /// What of it was told to stop.
  var stoppedWorks: Set<Work.ID> = []
  /// Words about the library that were shown.
  var shownNotes: Set<String> = []

  // The grid.
  /// The index of the asset under the cursor.
  var cursor = 0
  /// The asset that the cursor keeps to; nil until the first key, so that it stays in the first place
  /// while the library fills.
  var anchor: LocalIdentifier?
  /// The asset that the cursor was at before a search left it out, until the user moves.
  var home: LocalIdentifier?
  /// The column that moving up and down keeps to, past shorter rows.
  var column: Int?
  /// The first row of the grid in sight.
  var topRow = 0
  /// The first row that was in sight when the album was left, until its photos are there again.
  var restoredRow: Int?
  var rows = GridRows(count: 0, columns: 1)
  /// Whether the rows have to be made anew, whatever their width.
  var areRowsStale = true
  /// Whether the rows were broken where a day begins.
  var rowsHaveHeaders = false
  var gridSize: GridSize
  var burstCounts = BurstCounts()

  // The selection.
  var selection: Selection
  /// What the caller has selected and has not turned up in an answer yet.
  var preselected: [LocalIdentifier]
  /// The picks while the access is being chosen.
  var setAside: Selection?
  /// While the access is being chosen: what is allowed and has not turned up in an answer yet; nil before
  /// the first answer.
  var unmarked: Set<LocalIdentifier>?
  /// The range that is being selected.
  var range: RangeSelection?
  /// The photos that are being picked beside the run loop.
  var bulkSelection: BulkSelection?
  var bulkSelectionGeneration = 0
  /// What was pressed meanwhile and has to wait for them, in order.
  var deferred: [PickerMessage] = []
  /// What the caller was told last, where each change is told.
  var reported: [LocalIdentifier] = []
  var showsStrip = false
  /// The place in the selection that the strip's cursor is at.
  var stripCursor = 0

  // The screen.
  var focus = Pane.grid
  var sidebarTarget = AlbumTarget.recents
  /// The first line of the albums in sight.
  var sidebarTop = 0
  /// nil until the user turns the preview on or off: where there is room.
  var showsPreview: Bool?
  var isFullScreen = false
  var showsInfo = false
  /// The version of an asset that is looked at, where it is another one than the current.
  var versionChoice: VersionChoice?
  /// The burst whose pictures are looked at one by one.
  var burst: BurstReview?
  /// How closely a picture in full screen is looked at; nil = all of it is seen.
  var zoom: Zoom?
  /// The first line of the info in sight.
  var infoScroll = 0
  var overlay: Overlay?
  var prompt: Prompt?
  var mouse = MouseState()
  var notice: Notice?
  var noticeGeneration = 0

  // Pictures.
  var pictures: [PictureKey: PictureStatus] = [:]
  var wants: [PictureWant] = []
  /// The camera's facts of the previewed asset and its neighbours; empty ones until they are read.
  var details: [LocalIdentifier: AssetDetails] = [:]
  /// The preview that stays until the next one is ready.
  var heldPreview: PictureKey?
  var previewGeneration = 0
  /// The part of a picture that was asked for last.
  var askedPart: PictureKey?
  var playback = Playback()

  /// A word to the user in the last line.
  struct Notice: Hashable, Sendable {
    var text: String
    var tone: TextStyle.Tone
  }

  /// Where the user is in an album.
  struct Position: Hashable, Sendable {
    var anchor: LocalIdentifier?
    var topRow = 0
  }

  package init(options: Options, metrics: ScreenMetrics) {
    self.options = options
    self.metrics = metrics
    gridSize = options.gridSize
    showsPreview = options.showsPreview
    let configuration = options.configuration
    selection = Selection(limit: configuration.selectionLimit)
    preselected = configuration.preselectedAssetIdentifiers
    albums = AlbumTree(months: options.locale.monthNames)
    userFilter = UserFilter(
      sort: configuration.sort, search: options.search, text: options.searchText ?? "")
  }
}
