import AssetLibrary

extension PickerState {
  mutating func authorize(_ status: AuthorizationStatus) -> [PickerEffect] {
    access = status
    switch status {
    case .notDetermined:
      stage = .opening
      return []
    case .denied, .restricted:
      stage = .refused(status)
      return []
    case .authorized:
      stage = .library
      return fetch()
    case .limited:
      stage = .library
      return options.choosesAccessFirst ? manageAccess() : fetch()
    }
  }

  /// Asks the library anew.
  mutating func fetch() -> [PickerEffect] {
    generation += 1
    isFetching = true
    isStale = false
    // Albums stay as they are, however the user narrows what is shown of them.
    var counting = FetchOptions(filter: options.configuration.filter)
    counting.access = mode == .managing ? .managingAccess : .granted
    counting.includeHiddenAssets = userFilter.showsHidden
    var fetch = counting
    fetch.filter = userFilter.filter(within: options.configuration.filter)
    fetch.sortDescriptors = userFilter.sort.descriptors
    fetch.search = userFilter.search
    var collection: LocalIdentifier?
    switch place {
    case .collection(let identifier): collection = identifier == AssetCollection.recents ? nil : identifier
    case .period(let period): fetch.require(period.predicate)
    case .list, .days: break
    }
    var query = FetchQuery(generation: generation, collection: collection, options: fetch)
    query.selected = selection.identifiers
    query.preselected = mode == .picking ? preselected : []
    isAskingAnew = answered?.collection != query.collection || answered?.options != query.options
    if albumOptions != counting {
      albumOptions = counting
      query.albums = counting
      posters.forget(unless: counting)
    }
    return [.fetch(query)]
  }

  /// Asks again after a change; one question at a time, however fast the changes come.
  mutating func refetch() -> [PickerEffect] {
    guard stage == .library else { return [] }
    if isFetching {
      isStale = true
      return []
    }
    return fetch()
  }

  mutating func libraryChanged() -> [PickerEffect] {
    albumOptions = nil
    burstCounts.markStale()
    return refetch()
  }

  /// Asks again because the user narrowed or widened what is shown.
  mutating func narrow() -> [PickerEffect] {
    range = nil
    return refetch()
  }

  mutating func take(_ answer: FetchAnswer) -> [PickerEffect] {
    guard answer.query.generation == generation else { return [] }
    isFetching = false
    isAskingAnew = false
    answered = answer.query
    assets = answer.assets
    days = answer.days
    areRowsStale = true
    range?.reached = nil
    let before = library
    library = answer.status
    if library.progress == nil { stoppedWorks.remove(Work.reading) }
    allowed = answer.allowed
    if mode == .managing { markAllowed() }
    findCursor()
    if let restoredRow { topRow = restoredRow }
    restoredRow = nil
    var effects = takePreselected(answer)
    effects += sayWhatChanged(answer, since: before) + ring(after: before)
    return isStale ? effects + fetch() : effects
  }

  /// Puts the cursor where it was: at its asset, or at the one it had before a search left that out.
  private mutating func findCursor() {
    if let home, let index = assets.index(of: home, near: cursor) {
      cursor = index
      anchor = home
      self.home = nil
    } else if let anchor {
      if let index = assets.index(of: anchor, near: cursor) {
        cursor = index
      } else if home == nil, !userFilter.isEmpty {
        home = anchor
        cursor = 0
      }
    }
    cursor = max(0, min(cursor, assets.count - 1))
    // An asset that went leaves the cursor to the one in its place.
    if anchor != nil { anchor = assets.isEmpty ? anchor : assets.identifier(at: cursor) }
  }

  mutating func take(_ answer: AlbumsAnswer) -> [PickerEffect] {
    albums.take(answer)
    posters.markStale()
    if albums.index(of: sidebarTarget) == nil { sidebarTarget = place }
    if let line = albums.lines.first(where: { $0.target == place }) { placeTitle = title(of: line) }
    return openAlbumToStartIn()
  }

  /// Opens the album that the caller named, when it turns up and the user has not gone elsewhere.
  private mutating func openAlbumToStartIn() -> [PickerEffect] {
    guard let album = options.album, !hasOpenedAlbum, mode == .picking else { return [] }
    guard anchor == nil, place == .recents else {
      hasOpenedAlbum = true
      return []
    }
    let found = albums.collections.first {
      $0.id.rawValue == album || $0.title.lowercased() == album.lowercased()
    }
    if let found {
      hasOpenedAlbum = true
      return open(.collection(found.id))
    }
    guard library.isComplete else { return [] }
    hasOpenedAlbum = true
    return say("no album here is called “\(album)”")
  }

  /// Selects what the caller has selected, as it turns up.
  private mutating func takePreselected(_ answer: FetchAnswer) -> [PickerEffect] {
    guard mode == .picking, !preselected.isEmpty, !answer.query.preselected.isEmpty, bulkSelection == nil
    else { return [] }
    let found = Dictionary(answer.preselected.map { ($0.id, $0) }) { first, _ in first }
    // What is picked now comes after it.
    endRange()
    // What the caller has selected it need not be told; what was picked beside it, it does.
    let wasTold = reported == selection.identifiers
    var obstacles: [String] = []
    for asset in preselected.compactMap({ found[$0] }) {
      if let obstacle = obstacle(to: asset) { obstacles.append(obstacle) } else { selection.preselect(asset) }
    }
    preselected.removeAll { found[$0] != nil }
    if wasTold { reported = selection.identifiers }
    if let obstacle = obstacles.first { return say(obstacle, .error) }
    return selection.excess > 0 ? say(excessWords) : []
  }

  /// Why a selection that started too large can't be used.
  var excessWords: String {
    let locale = options.locale
    return "\(locale.number(selection.count)) are selected and the limit is \(locale.number(limit)): "
      + "unselect \(locale.number(selection.excess)) to go on"
  }

  /// Drops what is gone from the picks, and says what went.
  private mutating func sayWhatChanged(
    _ answer: FetchAnswer, since before: LibraryStatus
  ) -> [PickerEffect] {
    let lost =
      answer.vanished.isEmpty ? [] : selection.assets.filter { answer.vanished.contains($0.id) }
    if !lost.isEmpty {
      selection.keep { !answer.vanished.contains($0) }
      bulkSelection?.vanished.formUnion(answer.vanished)
      endRange()
      let names =
        lost.count == 1 ? name(of: lost[0]).string : "\(lost.count) picked photos"
      return say("\(names) \(lost.count == 1 ? "is" : "are") gone from the disk and no longer picked")
    }
    if library.isStopped, !before.isStopped { return say(stoppedWords, .dim) }
    if answer.removedCount > 0 {
      let isOne = answer.removedCount == 1
      return say(
        "\(options.locale.count(answer.removedCount, "photo", "photos")) \(isOne ? "is" : "are") gone", .dim)
    }
    guard let note = answer.status.notes.first(where: { shownNotes.insert($0).inserted }) else { return [] }
    return say(note)
  }
}
