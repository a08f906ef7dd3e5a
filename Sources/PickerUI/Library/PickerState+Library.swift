import AssetLibrary

extension PickerState {
  mutating func authorize(_ status: AuthorizationStatus) -> [PickerEffect] {
    authorization.status = status
    switch status {
    case .notDetermined:
      page = .opening
      return []
    case .denied, .restricted:
      page = .refused(status)
      return []
    case .authorized:
      page = .library
      return fetch()
    case .limited:
      page = .library
      return options.choosesAccessFirst ? manageAccess() : fetch()
    }
  }

  /// What fetches may see: everything while the user chooses what the client may see.
  var fetchAccess: FetchOptions.Access { authorization.mode == .managing ? .managingAccess : .granted }

  /// Asks the library anew.
  mutating func fetch() -> [PickerEffect] {
    let filter = options.configuration.filter
    var query = library.ask(within: filter, access: fetchAccess)
    query.selected = picks.selection.identifiers
    query.preselected = authorization.mode == .picking ? picks.preselected : []
    query.albums = sidebar.needsCount(library.countOptions(within: filter, access: fetchAccess))
    return [.fetch(query)]
  }

  /// Asks again after a change; one question at a time, however fast the changes come.
  mutating func refetch() -> [PickerEffect] {
    guard page == .library else { return [] }
    if library.isFetching {
      library.isStale = true
      return []
    }
    return fetch()
  }

  mutating func libraryChanged() -> [PickerEffect] {
    sidebar.countOptions = nil
    grid.burstCounts.markStale()
    return refetch()
  }

  /// Asks again because the user narrowed or widened what is shown.
  mutating func narrow() -> [PickerEffect] {
    picks.range = nil
    return refetch()
  }

  mutating func show(_ answer: FetchAnswer) -> [PickerEffect] {
    guard answer.query.generation == library.generation else { return [] }
    let before = library.status
    library.show(answer)
    grid.areRowsStale = true
    picks.range?.reached = nil
    if library.status.progress == nil { status.stoppedWorks.remove(Work.reading) }
    authorization.allowed = answer.allowed
    if authorization.mode == .managing { markAllowed() }
    grid.findCursor(in: library.assets, isNarrowed: !library.userFilter.isEmpty)
    var effects = selectPreselected(answer)
    effects += sayWhatChanged(answer, since: before) + ring(after: before)
    return library.isStale ? effects + fetch() : effects
  }

  mutating func list(_ answer: AlbumsAnswer) -> [PickerEffect] {
    sidebar.list(answer, place: library.place)
    if let line = sidebar.albums.lines.first(where: { $0.target == library.place }) {
      library.title = line.longTitle
    }
    return openAlbumToStartIn()
  }

  /// Opens the album that the caller named, when it turns up and the user has not gone elsewhere.
  private mutating func openAlbumToStartIn() -> [PickerEffect] {
    guard let album = options.album, !sidebar.hasOpenedAlbum, authorization.mode == .picking else {
      return []
    }
    guard grid.anchor == nil, library.place == .recents else {
      sidebar.hasOpenedAlbum = true
      return []
    }
    let found = sidebar.albums.collections.first {
      $0.id.rawValue == album || $0.title.lowercased() == album.lowercased()
    }
    if let found {
      sidebar.hasOpenedAlbum = true
      return open(.collection(found.id))
    }
    guard library.status.isComplete else { return [] }
    sidebar.hasOpenedAlbum = true
    return say("no album here is called “\(album)”")
  }

  /// Selects what the caller has selected, as it turns up.
  private mutating func selectPreselected(_ answer: FetchAnswer) -> [PickerEffect] {
    guard authorization.mode == .picking, !picks.preselected.isEmpty, !answer.query.preselected.isEmpty,
      picks.bulk == nil
    else { return [] }
    let found = Dictionary(answer.preselected.map { ($0.id, $0) }) { first, _ in first }
    // What is picked now comes after it.
    endRange()
    // What the caller has selected it need not be told; what was picked beside it, it does.
    let wasTold = picks.reported == picks.selection.identifiers
    var obstacles: [String] = []
    for asset in picks.preselected.compactMap({ found[$0] }) {
      if let obstacle = obstacle(to: asset) {
        obstacles.append(obstacle)
      } else {
        picks.selection.preselect(asset)
      }
    }
    picks.preselected.removeAll { found[$0] != nil }
    if wasTold { picks.reported = picks.selection.identifiers }
    if let obstacle = obstacles.first { return say(obstacle, .error) }
    return picks.selection.excess > 0 ? say(excessWords) : []
  }

  /// Why a selection that started too large can't be used.
  var excessWords: String {
    let locale = options.locale
    return "\(locale.number(picks.selection.count)) are selected and the limit is \(locale.number(limit)): "
      + "unselect \(locale.number(picks.selection.excess)) to go on"
  }

  /// Drops what is gone from the picks, and says what went.
  private mutating func sayWhatChanged(
    _ answer: FetchAnswer, since before: LibraryStatus
  ) -> [PickerEffect] {
    let lost =
      answer.vanished.isEmpty ? [] : picks.selection.assets.filter { answer.vanished.contains($0.id) }
    if !lost.isEmpty {
      picks.selection.keep { !answer.vanished.contains($0) }
      picks.bulk?.vanished.formUnion(answer.vanished)
      endRange()
      let names =
        lost.count == 1 ? name(of: lost[0]).string : "\(lost.count) picked photos"
      return say("\(names) \(lost.count == 1 ? "is" : "are") gone from the disk and no longer picked")
    }
    if library.status.isStopped, !before.isStopped { return say(stoppedWords, .dim) }
    if answer.removedCount > 0 {
      let isOne = answer.removedCount == 1
      return say(
        "\(options.locale.count(answer.removedCount, "photo", "photos")) \(isOne ? "is" : "are") gone", .dim)
    }
    guard let note = library.nextNote() else { return [] }
    return say(note)
  }
}
