import AssetLibrary

/// What the grid shows of the library, and the questions that it follows from.
struct LibraryView: Sendable {
  /// Where the user is in an album.
  struct Position: Hashable, Sendable {
    var anchor: LocalIdentifier?
    var topRow = 0
  }

  /// What the grid shows.
  var place = AlbumTarget.recents
  var title = "Recents"
  /// Where the user was in the albums that were left.
  var positions: [AlbumTarget: Position] = [:]
  var userFilter: UserFilter
  var assets = FetchResult<Asset>()
  /// The days of the assets, where they stand in the order of their dates; nil where they don't.
  var days: [DaySection]?
  var status = LibraryStatus(isComplete: false, assetCount: 0)
  /// The number of the last question to the library; 0 = none yet.
  var generation = 0
  var isFetching = false
  /// The question that what is shown answers; nil before the first answer.
  var answered: FetchQuery?
  /// Whether something is asked that was not answered yet, rather than the same again after a change.
  var isAskingAnew = false
  /// Whether the question changed since it was asked.
  var isStale = false
  /// Words about the library that were shown.
  var shownNotes: Set<String> = []

  init(userFilter: UserFilter) {
    self.userFilter = userFilter
  }
}
