import AssetLibrary

extension PickerState {
  /// Fetches what should be shown.
  mutating func fetch() -> [PickerEffect] {
    let filter = options.configuration.filter
    var query = library.makeQuery(within: filter, mode: authorization.mode)
    query.selected = picks.selection.identifiers
    query.preselected = authorization.mode == .picking ? picks.preselected : []
    query.albums = sidebar.needsCount(library.countOptions(within: filter))
    // A client can't be given deleted photos, and a read-only library restores none.
    query.listsRecentlyDeleted = authorization.mode == .picking && !options.isReadOnly
    return [.fetch(query)]
  }

  /// Fetches again after a change; while a fetch is pending, only once after it.
  mutating func refetch() -> [PickerEffect] {
    guard layers.showsLibrary else { return [] }
    if library.isFetching {
      library.isStale = true
      // After a change of the library, the pending query may be a repetition of the answered one.
      library.isFetchingNewQuery = !library.shows(
        within: options.configuration.filter, mode: authorization.mode)
      return []
    }
    return fetch()
  }

  /// Fetches again because the user changed the filters, the search or the order.
  mutating func filterChanged() -> [PickerEffect] {
    picks.keepRange()
    return refetch()
  }

  /// Shows the result of a fetch.
  mutating func show(_ answer: FetchAnswer) -> [PickerEffect] {
    guard answer.query.generation == library.generation else { return [] }
    let before = library.status
    library.show(answer)
    defer { edits.fetched() }
    if let reason = library.status.unavailabilityReason { return [.finish(.unavailable(reason))] }
    picks.forgetIndexes()
    if library.status.progress == nil { status.stoppedWorks.remove(Work.reading) }
    authorization.allowed = answer.allowed
    var effects: [PickerEffect] = []
    if authorization.mode == .managing {
      effects += choose { $0.add(allowed: answer.allowed, on: $1) }
    }
    grid.findCursor(
      in: library.assets, search: answer.query.options.search, isNarrowed: !library.userFilter.isEmpty)
    if !answer.query.preselected.isEmpty {
      let isComplete = library.status.isComplete
      effects += choose { $0.preselect(answer.preselected, isComplete: isComplete, on: $1) }
    }
    effects += reportChanges(answer, since: before) + status.ring(after: before, now: library.status)
    return library.isStale ? effects + fetch() : effects
  }

  /// Shows an album, at the user's previous position in it if there is one.
  mutating func open(_ target: AlbumTarget, remembers: Bool = true) -> [PickerEffect] {
    guard target.isShowable else { return [] }
    let position = library.open(target, leaving: grid.position, remembers: remembers)
    if let line = sidebar.albums.lines.first(where: { $0.target == target }) {
      library.title = line.fullTitle(options.locale)
    } else if case .collection(let identifier) = target {
      library.title =
        sidebar.albums.collection(identifier)?.title ?? SmartAlbum(identifier)?.title ?? identifier.rawValue
    }
    grid.reset(to: position)
    picks.keepRange()
    return fetch()
  }

  /// Moves the sidebar's cursor to an album and shows it.
  mutating func enter(_ target: AlbumTarget) -> [PickerEffect] {
    guard target != sidebar.target else { return [] }
    sidebar.target = target
    return target != library.album ? open(target) : []
  }

  /// Searches all photos instead of the current album.
  mutating func searchAllPhotos() -> [PickerEffect] {
    layers.close(.prompt)
    setFocus(.grid)
    library.userFilter.trimText()
    library.noteSearch()
    sidebar.target = .recents
    return open(.recents)
  }

  mutating func list(_ answer: AlbumsAnswer) -> [PickerEffect] {
    let before = ScreenLayout.Options(of: self)
    if sidebar.list(answer, shown: library.album, isReading: !library.status.isComplete) {
      limitNames(since: before)
    }
    if let line = sidebar.albums.lines.first(where: { $0.target == library.album }) {
      library.title = line.fullTitle(options.locale)
    }
    let effects = openInitialAlbum()
    // Text that was typed before the albums were known is matched now.
    return effects + updateLayer(Prompt.self) { .handled($0.albumsListed(in: &$1)) }
  }

  /// Makes the sidebar wider only as far as the photos beside it keep their columns.
  ///
  /// In the very first run albums are found while photos are already visible. The names get their full width when the
  /// user goes to the albums or changes the size of the window; later runs begin with it.
  private mutating func limitNames(since before: ScreenLayout.Options) {
    sidebar.nameColumnLimit = nil
    let columns = { [metrics = layout.metrics] (options: ScreenLayout.Options) in
      var options = options
      options.isFullScreen = false
      return ScreenLayout(metrics: metrics, options: options).cells.columns
    }
    var wider = ScreenLayout.Options(of: self)
    let (needed, visible) = (wider.albumColumns, columns(before))
    wider.albumColumns = min(needed, layout.screen.columns)
    while wider.albumColumns > before.albumColumns, columns(wider) != visible { wider.albumColumns -= 1 }
    if wider.albumColumns < min(needed, layout.screen.columns) {
      sidebar.nameColumnLimit = wider.albumColumns
    }
  }

  /// Opens the caller's album as soon as it is listed, unless the user went elsewhere first.
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
      ($0.id.rawValue == album || $0.title.lowercased() == album.lowercased())
        // Deleted photos can't be picked.
        && $0.subtype != .smartAlbumRecentlyDeleted
    }
    if found.count == 1 {
      sidebar.hasOpenedInitialAlbum = true
      return open(.collection(found[0].id))
    }
    guard library.status.isComplete else { return [] }
    // Showing all photos instead of an album would offer more than the caller allows.
    return [.finish(.albumNotFound)]
  }

  /// Unpicks assets that have vanished, and shows a notice about the most important change.
  private mutating func reportChanges(
    _ answer: FetchAnswer, since before: LibraryStatus
  ) -> [PickerEffect] {
    let lost = picks.remove(answer.vanished)
    if !lost.isEmpty {
      _ = choose { picks, _ in picks.endRange() }
      // What the user moved to the trash has been reported already.
      if edits.explainsRemovals { return [] }
      let names =
        lost.count == 1 ? lost[0].shortName : "\(lost.count) picked photos"
      return status.showNotice(
        "\(names) \(Wording.noun(lost.count, "is", "are")) gone from the disk and no longer picked")
    }
    if library.status.isStopped, !before.isStopped {
      return status.showNotice(library.status.stoppedMessage(options), .dim)
    }
    if library.canTryAgain, library.status.assetCount > 0,
      !before.isComplete || before.unreadableSources != library.status.unreadableSources
    {
      return status.showNotice(library.status.unreadableMessage(options), .error)
    }
    if answer.removedCount > 0, !edits.explainsRemovals {
      let isOne = answer.removedCount == 1
      return status.showNotice(
        "\(options.locale.count(answer.removedCount, "photo", "photos")) \(isOne ? "is" : "are") gone", .dim)
    }
    guard let note = library.nextNote() else { return [] }
    return status.showNotice(note)
  }
}
