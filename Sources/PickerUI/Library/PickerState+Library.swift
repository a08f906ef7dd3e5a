import AssetLibrary

extension PickerState {
  mutating func authorize(_ status: AuthorizationStatus) -> [PickerEffect] {
    // Told again of each change of what the client may see.
    if showsLibrary, authorization.status == status { return [] }
    if status != .limited { abandonManaging() }
    authorization.status = status
    showPage(of: status)
    switch status {
    case .notDetermined:
      return []
    case .denied, .restricted: return []
    case .authorized:
      if options.opening.endsWithAccess { return [.finish(.accessChosen)] }
      return begin()
    case .limited:
      guard options.opening.choosesAccess || authorization.choosesAccess else { return begin() }
      authorization.choosesAccess = false
      return manageAccess()
    }
  }

  /// Shows what the caller wants to be seen first.
  private mutating func begin() -> [PickerEffect] {
    guard let album = options.opening.collection, !sidebar.hasOpenedInitialAlbum else { return fetch() }
    sidebar.hasOpenedInitialAlbum = true
    sidebar.target = .collection(album.id)
    let effects = open(sidebar.target)
    library.title = album.title
    return effects
  }

  /// Fetches what is to be shown.
  mutating func fetch() -> [PickerEffect] {
    let filter = options.configuration.filter
    var query = library.makeQuery(within: filter, mode: authorization.mode)
    query.selected = picks.selection.identifiers
    query.preselected = authorization.mode == .picking ? picks.preselected : []
    query.albums = sidebar.needsCount(library.countOptions(within: filter))
    return [.fetch(query)]
  }

  /// Fetches again after a change; while a fetch is pending, only once when it is done.
  mutating func refetch() -> [PickerEffect] {
    guard showsLibrary else { return [] }
    if library.isFetching {
      library.isStale = true
      // The pending query may be the old one again, after a change of the library.
      library.isFetchingNewQuery = !library.shows(
        within: options.configuration.filter, mode: authorization.mode)
      return []
    }
    return fetch()
  }

  mutating func libraryChanged() -> [PickerEffect] {
    sidebar.countOptions = nil
    grid.burstCounts.markStale()
    library.kindCounts.markStale()
    return refetch()
  }

  /// Fetches again because the user changed the filters, the search or the order.
  mutating func filterChanged() -> [PickerEffect] {
    picks.range = nil
    return refetch()
  }

  mutating func showHidden() -> [PickerEffect] {
    library.userFilter.showsHidden.toggle()
    return filterChanged()
      + showNotice(
        library.userFilter.showsHidden ? "hidden photos are shown" : "hidden photos are left out", .dim)
  }

  /// Removes the search, else the filter that was added last.
  mutating func removeLastFilter() -> [PickerEffect] {
    if !library.userFilter.text.isEmpty {
      library.userFilter.setSearchText("")
    } else if let last = library.userFilter.conditions.last {
      library.userFilter.remove(last)
    } else {
      return []
    }
    return filterChanged()
  }

  mutating func showEverything() -> [PickerEffect] {
    guard !library.userFilter.isEmpty else { return [] }
    library.userFilter.setSearchText("")
    library.userFilter.removeConditions()
    return filterChanged()
  }

  mutating func show(_ answer: FetchAnswer) -> [PickerEffect] {
    guard answer.query.generation == library.generation else { return [] }
    let before = library.status
    library.show(answer)
    defer { edits.fetched() }
    if let reason = library.status.unavailabilityReason { return [.finish(.unavailable(reason))] }
    picks.range?.endIndex = nil
    if library.status.progress == nil { status.stoppedWorks.remove(Work.reading) }
    authorization.allowed = answer.allowed
    if authorization.mode == .managing { selectAllowed() }
    grid.findCursor(
      in: library.assets, search: answer.query.options.search, isNarrowed: !library.userFilter.isEmpty)
    var effects = selectPreselected(answer)
    effects += reportChanges(answer, since: before) + ring(after: before)
    return library.isStale ? effects + fetch() : effects
  }

  /// How many photos the search finds in all photos, where an album is shown that has fewer of them.
  var countInAllPhotos: Int? {
    guard let count = library.countEverywhere, count > library.assets.count, !library.isFetchingNewQuery,
      library.userFilter.search != nil, library.album != .recents, allows(.collectionNavigation)
    else { return nil }
    return count
  }

  /// Whether an album has nothing of what the search finds in all photos.
  var isFoundOnlyElsewhere: Bool { library.assets.isEmpty && countInAllPhotos != nil }

  /// Searches in all photos in place of the album that is shown.
  mutating func searchAllPhotos() -> [PickerEffect] {
    layers.close(.prompt)
    setFocus(.grid)
    library.userFilter.trimText()
    noteSearch()
    sidebar.target = .recents
    return open(.recents)
  }

  mutating func list(_ answer: AlbumsAnswer) -> [PickerEffect] {
    sidebar.list(answer, shown: library.album)
    if let line = sidebar.albums.lines.first(where: { $0.target == library.album }) {
      library.title = longTitle(of: line)
    }
    let effects = openInitialAlbum()
    // What was typed before the albums were there finds them now.
    return effects + tell(Prompt.self) { .handled($0.albumsListed(in: &$1)) }
  }

  /// Opens the album that the caller named as soon as it is listed, unless the user went elsewhere first.
  private mutating func openInitialAlbum() -> [PickerEffect] {
    guard let album = options.opening.album, !sidebar.hasOpenedInitialAlbum, authorization.mode == .picking
    else {
      return []
    }
    guard grid.anchor == nil, library.album == .recents else {
      sidebar.hasOpenedInitialAlbum = true
      return []
    }
    let found = sidebar.albums.collections.filter {
      $0.id.rawValue == album || $0.title.lowercased() == album.lowercased()
    }
    if found.count == 1 {
      sidebar.hasOpenedInitialAlbum = true
      return open(.collection(found[0].id))
    }
    guard library.status.isComplete else { return [] }
    // Everything in place of an album would be more than the caller allows to be picked.
    return [.finish(.albumNotFound)]
  }

  /// Selects the caller's preselected assets that were found.
  private mutating func selectPreselected(_ answer: FetchAnswer) -> [PickerEffect] {
    guard authorization.mode == .picking, !picks.preselected.isEmpty, !answer.query.preselected.isEmpty,
      picks.bulk == nil
    else { return [] }
    // A video that is still being read may tell how long it lasts.
    let read = answer.preselected.filter {
      library.status.isComplete || requirements.shortfall(of: $0) != .unknownDuration
    }
    let found = Dictionary(read.map { ($0.id, $0) }) { first, _ in first }
    // Cancelling a range would remove what is added after it began.
    endRange()
    notePicks()
    // The caller's own preselection is not reported back to it, unless other changes are still unreported.
    let wasReported = picks.reported == picks.selection.identifiers
    var reasons: [String] = []
    for asset in picks.preselected.compactMap({ found[$0] }) {
      if let reason = reasonNotSelectable(asset) {
        reasons.append(reason)
      } else {
        picks.selection.preselect(asset)
      }
    }
    picks.preselected.removeAll { found[$0] != nil }
    picks.history.add(found.keys.sorted().compactMap { found[$0] }.filter { picks.selection.contains($0.id) })
    picks.history.adopt(picks.selection)
    if wasReported { picks.reported = picks.selection.identifiers }
    if let reason = reasons.first { return showNotice(reason, .error) }
    return picks.selection.excess > 0 ? showNotice(excessMessage) : []
  }

  /// Why a selection that is larger than the limit can't be used.
  var excessMessage: String {
    let locale = options.locale
    let (selection, limits) = (picks.selection, picks.selection.kindLimits)
    let over = selection.tally.excess(over: limits)
    var count = (locale.number(selection.count), limit)
    if selection.excessOverLimit == 0 || over.images + over.videos > selection.excessOverLimit {
      let videos = (locale.count(selection.tally.videos, "video", "videos"), limits.videos)
      count =
        over.videos > 0 ? videos : (locale.count(selection.tally.images, "image", "images"), limits.images)
    }
    return "\(count.0) are selected and the limit is \(locale.number(count.1)): "
      + "unselect \(locale.number(picks.selection.excess)) to go on"
  }

  /// Unselects assets that have vanished, and shows a notice about the most important change.
  private mutating func reportChanges(
    _ answer: FetchAnswer, since before: LibraryStatus
  ) -> [PickerEffect] {
    let lost =
      answer.vanished.isEmpty ? [] : picks.selection.assets.filter { answer.vanished.contains($0.id) }
    if !lost.isEmpty {
      picks.selection.keep { !answer.vanished.contains($0) }
      picks.history.keep { !answer.vanished.contains($0) }
      picks.bulk?.vanished.formUnion(answer.vanished)
      endRange()
      let names =
        lost.count == 1 ? lost[0].shortName : "\(lost.count) picked photos"
      return showNotice(
        "\(names) \(Wording.noun(lost.count, "is", "are")) gone from the disk and no longer picked")
    }
    if library.status.isStopped, !before.isStopped { return showNotice(stoppedMessage, .dim) }
    if canTryAgain, library.status.assetCount > 0,
      !before.isComplete || before.unreadableSources != library.status.unreadableSources
    {
      return showNotice(unreadableMessage, .error)
    }
    if answer.removedCount > 0, !edits.explainsRemovals {
      let isOne = answer.removedCount == 1
      return showNotice(
        "\(options.locale.count(answer.removedCount, "photo", "photos")) \(isOne ? "is" : "are") gone", .dim)
    }
    guard let note = library.nextNote() else { return [] }
    return showNotice(note)
  }
}
