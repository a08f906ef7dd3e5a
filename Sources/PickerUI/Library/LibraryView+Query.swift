import AssetLibrary

extension LibraryView {
  /// The question for what is to be shown now; answers to earlier ones are stale from here on.
  /// - Parameters:
  ///   - filter: what the caller lets through.
  ///   - access: what the client may see.
  mutating func ask(within filter: PickerFilter?, access: FetchOptions.Access) -> FetchQuery {
    generation += 1
    isFetching = true
    isStale = false
    var options = countOptions(within: filter, access: access)
    options.filter = userFilter.filter(within: filter)
    options.sortDescriptors = userFilter.sort.descriptors
    options.search = userFilter.search
    var collection: LocalIdentifier?
    switch place {
    case .collection(let identifier): collection = identifier == AssetCollection.recents ? nil : identifier
    case .period(let period): options.require(period.predicate)
    case .list, .days: break
    }
    isAskingAnew = answered?.collection != collection || answered?.options != options
    return FetchQuery(generation: generation, collection: collection, options: options)
  }

  /// How albums are counted: as the caller lets them be seen, however the user narrows what is shown of them.
  func countOptions(within filter: PickerFilter?, access: FetchOptions.Access) -> FetchOptions {
    var options = FetchOptions(filter: filter)
    options.access = access
    options.includeHiddenAssets = userFilter.showsHidden
    return options
  }

  /// Shows the answer to the last question.
  mutating func show(_ answer: FetchAnswer) {
    isFetching = false
    isAskingAnew = false
    answered = answer.query
    assets = answer.assets
    days = answer.days
    status = answer.status
  }

  /// Shows nothing, until there is an answer about another album.
  /// - Parameter position: where the user was in the one that is left.
  /// - Returns: where the user was in the other one.
  mutating func leave(at position: Position, for target: AlbumTarget, remembers: Bool) -> Position {
    positions[place] = position
    if !remembers { positions = [:] }
    place = target
    assets = FetchResult()
    days = nil
    return positions[target] ?? Position()
  }

  /// The first word of the library that was not shown yet.
  mutating func nextNote() -> String? { status.notes.first { shownNotes.insert($0).inserted } }
}
