import AssetLibrary

/// What the grid shows of the library, and the query behind it.
struct LibraryView: Sendable {
  /// The user's position in an album.
  struct Position: Hashable, Sendable {
    var anchor: LocalIdentifier?
    var anchorBeforeSearch: LocalIdentifier?
    /// What was searched for there.
    var search: SearchQuery?
    var topRow = 0
  }

  /// The album that the grid shows.
  var album = AlbumTarget.recents
  var title = "Recents"
  /// The user's positions in the albums visited before.
  var positions: [AlbumTarget: Position] = [:]
  var userFilter: UserFilter
  var assets = FetchResult<Asset>()
  /// How many of the assets there are of each kind of medium; those that can't be read are of unknown kind.
  var counts: [MediaType: Int] = [:]
  /// The days of the assets; nil if they are not ordered by date.
  var days: [DaySection]?
  var status = LibraryStatus(isComplete: false, assetCount: 0)
  /// Under limited access, how many photos the grid would show without limits and filters.
  var photoCount: Int?
  /// The generation of the latest query; 0 = none yet.
  var generation = 0
  var isFetching = false
  /// The query whose result is shown; nil before the first one.
  var answeredQuery: FetchQuery?
  /// How many of all photos the search finds, where an album is shown; nil = not known, or not asked.
  var countEverywhere: Int?
  /// Whether the pending query differs from the answered one, rather than repeating it after a change.
  var isFetchingNewQuery = false
  /// Whether another fetch is needed once the pending one is done.
  var isStale = false
  /// How many photos there are of each kind, for the filter menu.
  var kindCounts = KindCounts()
  /// The notes of the library that were already shown.
  var shownNotes: Set<String> = []

  init(userFilter: UserFilter) {
    self.userFilter = userFilter
  }
}
