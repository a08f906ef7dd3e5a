import AssetLibrary

extension LibraryView {
  /// Makes the query for what is to be shown; results of earlier queries are stale from here on.
  /// - Parameters:
  ///   - filter: the caller's filter.
  ///   - mode: whose eyes it is for.
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

  /// Whether what is shown is what the user asked for last, however old it is.
  func shows(within filter: PickerFilter?, mode: AccessMode) -> Bool {
    guard let answeredQuery, answeredQuery.mode == mode else { return false }
    let (collection, options) = wanted(within: filter)
    return answeredQuery.collection == collection && answeredQuery.options == options
  }

  /// The collection, nil for the whole library, and the options for what is to be shown.
  private func wanted(within filter: PickerFilter?) -> (LocalIdentifier?, FetchOptions) {
    var options = wantedEverywhere(within: filter)
    var collection: LocalIdentifier?
    switch album {
    case .collection(let identifier): collection = identifier == AssetCollection.recents ? nil : identifier
    case .period(let period): options.require(period.predicate)
    case .list, .days: break
    }
    return (collection, options)
  }

  /// The options for what the search and the filters find in all photos.
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

  /// Takes the result of the latest query.
  mutating func show(_ answer: FetchAnswer) {
    isFetching = false
    isFetchingNewQuery = false
    // A number of the same question is right until the next one comes.
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

  /// The first note of the library that was not shown yet.
  mutating func nextNote() -> String? { status.notes.first { shownNotes.insert($0).inserted } }
}
