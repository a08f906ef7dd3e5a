package import AssetLibrary

/// What the grid shows of the library, and the query behind it.
struct LibraryView: Sendable {
  /// The user's position in an album.
  struct Position: Hashable, Sendable {
    var anchor: LocalIdentifier?
    var anchorBeforeSearch: LocalIdentifier?
    /// The search at that position.
    var search: SearchQuery?
    /// The first visible photo.
    var topPhoto = 0
  }

  /// The album that the grid shows.
  var album = AlbumTarget.recents
  var title = "Recents"
  /// The user's positions in the albums visited before.
  var positions: [AlbumTarget: Position] = [:]
  var userFilter: UserFilter
  /// The suggestions for the search of `userFilter`.
  var suggestions = SuggestionState()
  /// The order of the photos in the user's own albums, which is independent of that of other albums.
  private var albumSort: AssetSort
  /// The order of Recently Deleted.
  private var deletedSort = AssetSort.given
  var assets = FetchResult<Asset>()
  /// The number of assets of each media type; unreadable assets have an unknown type.
  var counts: [MediaType: Int] = [:]
  /// The days of the assets; nil if they are not ordered by date.
  var days: [DaySection]?
  var status = LibraryStatus(isComplete: false, assetCount: 0)
  /// Under limited access, the number of photos that the grid would show without limits and filters.
  var photoCount: Int?
  /// The generation of the latest query; 0 = none yet.
  var generation = 0
  var isFetching = false
  /// The query whose result is shown; nil before the first one.
  var answeredQuery: FetchQuery?
  /// If an album is shown, how many of all photos the search finds; nil = unknown or not requested.
  var countEverywhere: Int?
  /// Whether the pending query differs from the answered one, rather than repeating it after a change.
  var isFetchingNewQuery = false
  /// Whether another fetch is needed once the pending one is done.
  var isStale = false
  /// The number of photos of each kind, for the filter menu.
  var kindCounts = KindCounts()
  /// The notes of the library that were already shown.
  var shownNotes: Set<String> = []

  /// The searches of this run and earlier ones, the latest first.
  private(set) var recentSearches: [String]
  /// Whether the user can go to other albums, and to all photos.
  private let offersAlbums: Bool
  /// What was known about the library before it was read.
  private let openingNotes: [String]

  init(
    userFilter: UserFilter, albumSort: AssetSort = .given, offersAlbums: Bool = true,
    openingNotes: [String] = [], recentSearches: [String] = []
  ) {
    self.openingNotes = openingNotes
    self.recentSearches = recentSearches
    self.userFilter = userFilter
    self.albumSort = albumSort
    self.offersAlbums = offersAlbums
  }
}

extension LibraryView {
  /// The number of photos that the search finds in all photos, if an album is shown and it has fewer of them.
  var countInAllPhotos: Int? {
    guard let count = countEverywhere, count > assets.count, !isFetchingNewQuery, userFilter.search != nil,
      album != .recents, offersAlbums
    else { return nil }
    return count
  }

  /// Whether the search finds nothing in the album, but something in all photos.
  var isFoundOnlyElsewhere: Bool { assets.isEmpty && countInAllPhotos != nil }

  /// "Nothing in May 2022", for a search without results in the album.
  var nothingHere: String { "Nothing in \(DisplayText(title).truncated(to: 24).string)" }

  /// Whether there are unreadable sources that can be retried.
  var canTryAgain: Bool { status.isComplete && !status.unreadableSources.isEmpty }

  /// Whether reading the library was stopped, or some sources could not be read.
  var canResume: Bool { status.isStopped || canTryAgain }

  /// Remembers the search, for later suggestions.
  mutating func noteSearch() {
    let text = userFilter.text
    guard userFilter.search != nil, text.contains(where: { !$0.isWhitespace }) else { return }
    recentSearches.removeAll { $0 == text }
    recentSearches.insert(text, at: 0)
    recentSearches = Array(recentSearches.prefix(ScreenPreferences.mostRecentSearches))
  }
}

extension LibraryStatus {
  /// Names the unreadable sources and the key that retries them; empty if all sources could be read.
  func unreadableMessage(_ options: PickerOptions) -> String {
    guard let first = unreadableSources.first else { return "" }
    let others = unreadableSources.count - 1
    return first.description + (others > 0 ? " · \(options.locale.number(others)) more" : "")
      + (options.keyLabel(.redraw).map { " · \($0) try again" } ?? "")
  }

  /// Reports that the library is incomplete, and the key that resumes the scan.
  func stoppedMessage(_ options: PickerOptions) -> String {
    "Reading stopped" + (options.keyLabel(.redraw).map { ". Press \($0) to resume" } ?? "")
  }
}

extension LibraryView {
  /// Makes the query for what should be shown; results of earlier queries are stale from now on.
  /// - Parameters:
  ///   - filter: the caller's filter.
  ///   - mode: whether the photos are limited to what the client may see.
  mutating func makeQuery(within filter: PickerFilter?, mode: AccessMode) -> FetchQuery {
    generation += 1
    isFetching = true
    isStale = false
    isFetchingNewQuery = !shows(within: filter, mode: mode)
    let (collection, options) = wanted(within: filter)
    var query = FetchQuery(generation: generation, collection: collection, options: options, mode: mode)
    if userFilter.search != nil, album != .recents { query.everywhere = wantedEverywhere(within: filter) }
    return query
  }

  /// Whether the current album was made by the user.
  var showsUserAlbum: Bool {
    if case .collection(let identifier) = album { UserAlbum.isIdentifier(identifier) } else { false }
  }

  /// The sort order of the current album.
  var sort: AssetSort {
    get { showsUserAlbum ? albumSort : showsRecentlyDeleted ? deletedSort : userFilter.sort }
    set {
      if showsUserAlbum {
        albumSort = newValue
      } else if showsRecentlyDeleted {
        deletedSort = newValue
      } else {
        userFilter.sort = newValue
      }
    }
  }

  /// The name of the current album's own order; nil if it has none.
  var ownOrderName: String? {
    showsUserAlbum ? "album order" : showsRecentlyDeleted ? "last deleted" : nil
  }

  /// The order as shown in the title.
  var sortName: String { sort == .given ? ownOrderName ?? sort.rawValue : sort.rawValue }

  /// Whether the shown result answers the user's last query, even if it is outdated.
  func shows(within filter: PickerFilter?, mode: AccessMode) -> Bool {
    guard let answeredQuery, answeredQuery.mode == mode else { return false }
    let (collection, options) = wanted(within: filter)
    return answeredQuery.collection == collection && answeredQuery.options == options
  }

  /// The collection (nil for the whole library) and the options for what should be shown.
  private func wanted(within filter: PickerFilter?) -> (LocalIdentifier?, FetchOptions) {
    var options = wantedEverywhere(within: filter)
    options.sortDescriptors = sort.descriptors
    var collection: LocalIdentifier?
    switch album {
    case .collection(let identifier): collection = identifier == AssetCollection.recents ? nil : identifier
    case .period(let period): options.require(period.predicate)
    case .list, .days: break
    }
    return (collection, options)
  }

  /// The options that apply the search and the filters to all photos.
  private func wantedEverywhere(within filter: PickerFilter?) -> FetchOptions {
    var options = countOptions(within: filter)
    options.filter = userFilter.filter(within: filter)
    options.sortDescriptors = userFilter.sort.descriptors
    options.search = userFilter.search
    return options
  }

  /// The options to count albums with: the caller's restrictions without the user's filters.
  func countOptions(within filter: PickerFilter?) -> FetchOptions {
    var options = FetchOptions(filter: filter)
    options.includeHiddenAssets = userFilter.showsHidden
    return options
  }

  /// Applies the result of the latest query.
  mutating func show(_ answer: FetchAnswer) {
    isFetching = false
    isFetchingNewQuery = false
    // The count for the same query remains valid until the next one arrives.
    if answeredQuery?.everywhere != answer.query.everywhere { countEverywhere = nil }
    answeredQuery = answer.query
    assets = answer.assets
    counts = answer.counts
    days = answer.days
    status = answer.status
    photoCount = answer.libraryCount
  }

  /// Switches to another album, which is empty until it is fetched.
  /// - Parameters:
  ///   - position: where the user is in the current album.
  ///   - remembers: whether the positions in all albums are kept.
  /// - Returns: where the user was in the other album.
  mutating func open(_ target: AlbumTarget, leaving position: Position, remembers: Bool) -> Position {
    positions[album] = position
    if !remembers { positions = [:] }
    album = target
    assets = FetchResult()
    days = nil
    return positions[target] ?? Position()
  }

  /// The first note on the library that has not been shown yet.
  mutating func nextNote() -> String? {
    (openingNotes + status.notes).first { shownNotes.insert($0).inserted }
  }
}

/// A request for the assets to show, performed by the host.
package struct FetchQuery: Hashable, Sendable {
  /// Increases with every query: results of earlier ones are stale.
  package var generation: Int
  /// The collection to fetch; nil = the whole library.
  package var collection: LocalIdentifier?
  package var options: FetchOptions
  package var mode = AccessMode.picking
  /// The picked assets; the result says which of them have vanished.
  package var selected: [LocalIdentifier] = []
  /// The preselected assets that were not found yet.
  package var preselected: [LocalIdentifier] = []
  /// The options to count albums with, if albums are requested too; their result follows separately.
  package var albums: FetchOptions?
  /// Whether Recently Deleted is among the requested albums.
  package var listsRecentlyDeleted = false
  /// The options to count how many of all photos the search of an album finds, if that is requested; the count follows
  /// separately.
  package var everywhere: FetchOptions?

  /// Returns the query to use in place of an earlier, obsolete one.
  ///
  /// It takes over the request for albums.
  package func replacing(_ earlier: FetchQuery?) -> FetchQuery {
    var query = self
    if query.albums == nil { query.albums = earlier?.albums }
    return query
  }
}

/// The result of a `FetchQuery`.
package struct FetchAnswer: Sendable {
  package var query: FetchQuery
  package var assets: FetchResult<Asset>
  /// The days of the assets; nil if they are not ordered by date.
  package var days: [DaySection]?
  /// The number of assets of each media type; unreadable assets have an unknown type.
  package var counts: [MediaType: Int]
  package var status: LibraryStatus
  /// Under limited access, the number of photos that the user's grid shows without any filter; nil otherwise.
  package var libraryCount: Int?
  /// The allowed assets under limited access.
  package var allowed: Set<LocalIdentifier>
  /// The picked assets that are no longer in the library.
  package var vanished: Set<LocalIdentifier>
  /// The assets that were found of the caller's preselection.
  package var preselected: [Asset]
  /// The number of assets removed since the last result of the same query, once the scan is complete.
  package var removedCount: Int

  package init(
    query: FetchQuery, assets: FetchResult<Asset>, status: LibraryStatus, libraryCount: Int? = nil,
    allowed: Set<LocalIdentifier>,
    vanished: Set<LocalIdentifier> = [], preselected: [Asset] = [], removedCount: Int = 0
  ) {
    self.query = query
    self.assets = assets
    let isByDate = query.options.sortDescriptors.first?.key == .creationDate
    counts = assets.countsOfAssets()
    days = isByDate ? DaySection.split(assets) : nil
    self.status = status
    self.libraryCount = libraryCount
    self.allowed = allowed
    self.vanished = vanished
    self.preselected = preselected
    self.removedCount = removedCount
  }
}

// Photos of Recently Deleted can be viewed, restored, and deleted for good, and nothing else.
extension LibraryView {
  /// Whether the current album is Recently Deleted.
  var showsRecentlyDeleted: Bool { album == .collection(SmartAlbum.recentlyDeleted.localIdentifier) }

  /// Whether keys apply to photos of Recently Deleted rather than of the library.
  func handlesDeletedPhotos(in pane: InputState.Pane) -> Bool { showsRecentlyDeleted && pane != .strip }
}
