public import AssetLibrary
import Pixels

/// Everything the picker knows, as a value.
///
/// `Picker.update` makes the next one, `Picker.view` draws it.
public struct PickerState: Sendable {
  /// What the caller wants of this picker.
  public struct Options: Sendable {
    public var configuration = PickerConfiguration()
    public var bindings = KeyBindings.standard
    public var locale = LocaleFormat()
    /// Whether the output can hold names with line breaks.
    public var acceptsLineBreaks = false
    /// Opens with the choice of the photos that may be seen, when the access is limited.
    public var choosesAccessFirst = false
    /// What is searched for from the start, and how it was written.
    public var search: SearchQuery?
    public var searchText: String?
    /// The title or the identifier of the album to start in, once it turns up.
    public var album: String?
    /// How the client can be granted access, for the screen that says that it has none.
    public var client = "tpick"

    public init() {}
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
  }

  public let options: Options
  var metrics: ScreenMetrics
  var stage = Stage.opening
  var access = AuthorizationStatus.notDetermined
  var mode = Mode.picking

  var collections = FetchResult<AssetCollection>()
  var collection = AssetCollection.recents
  var assets = FetchResult<Asset>()
  var library = LibraryStatus(isComplete: false, assetCount: 0)
  var allowed: Set<LocalIdentifier> = []
  /// The number of the last question to the library; 0 = none yet.
  var generation = 0
  var isFetching = false
  /// Whether the library changed since the last question.
  var isStale = false

  /// Whether the album to start in was opened, or the user went elsewhere first.
  var hasOpenedAlbum = false
  /// Words about the library that were shown.
  var shownNotes: Set<String> = []

  /// The index of the asset under the cursor.
  var cursor = 0
  /// The asset that the cursor keeps to; nil until the first key, so that it stays in the first place
  /// while the library fills.
  var anchor: LocalIdentifier?
  /// The first row of the grid in sight.
  var topRow = 0
  var selection: Selection
  /// The picks while the access is being chosen.
  var setAside: Selection?
  /// While the access is being chosen: what is allowed and has not turned up in an answer yet; nil before
  /// the first answer.
  var unmarked: Set<LocalIdentifier>?

  var focus = Pane.grid
  var sidebarCursor = 0
  /// nil until the user turns the preview on or off: where there is room.
  var showsPreview: Bool?
  var isFullScreen = false
  var showsHelp = false
  var thumbnails = ScreenLayout.ThumbnailSize.medium

  var pictures: [PictureKey: PictureStatus] = [:]
  var wants: [PictureWant] = []
  /// The camera's facts of the previewed asset and its neighbours; empty ones until they are read.
  var details: [LocalIdentifier: AssetDetails] = [:]
  /// The preview that stays until the next one is ready.
  var heldPreview: PictureKey?
  var previewGeneration = 0
  var notice: Notice?
  var noticeGeneration = 0

  /// A word to the user in the last line.
  struct Notice: Hashable, Sendable {
    var text: String
    var tone: TextStyle.Tone
  }

  public init(options: Options, metrics: ScreenMetrics) {
    self.options = options
    self.metrics = metrics
    selection = Selection(limit: options.configuration.selectionLimit)
  }
}

extension PickerState {
  var layout: ScreenLayout {
    ScreenLayout(
      metrics: metrics,
      options: ScreenLayout.Options(
        focusesSidebar: focus == .sidebar, showsPreview: showsPreview, isFullScreen: isFullScreen,
        thumbnails: thumbnails, hasBanner: access == .limited || mode == .managing))
  }

  /// The asset under the cursor.
  var current: Asset? { assets.indices.contains(cursor) ? assets[cursor] : nil }

  /// Why an asset can't be picked; nil when it can.
  func obstacle(to asset: Asset) -> String? {
    let name = DisplayText(bytes: asset.primaryResource?.filename ?? []).string
    if asset.isBroken { return "\(name) can't be picked: \(asset.defect ?? "")" }
    if !options.acceptsLineBreaks, mode == .picking,
      asset.primaryResource?.path.bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) ?? false
    {
      return "\(name) has a line break in its name: use --print0"
    }
    return nil
  }

  /// How many assets can be chosen; 0 = no limit.
  var limit: Int { selection.limit }
}
