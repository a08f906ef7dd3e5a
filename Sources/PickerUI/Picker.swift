import AssetLibrary

/// The picker: a state, what changes it, and what it looks like.
///
/// All pure.
public enum Picker {
  /// What has to be done before anything has happened.
  public static func start(_ state: PickerState) -> [PickerEffect] { [.requestAuthorization] }

  /// Makes the next state of one thing that happened.
  /// - Returns: what is to be done outside, in this order.
  public static func update(_ state: inout PickerState, _ message: PickerMessage) -> [PickerEffect] {
    var effects: [PickerEffect]
    switch message {
    case .key(let key): effects = state.press(key)
    case .resized(let metrics): effects = state.resize(to: metrics)
    case .authorization(let status): effects = state.authorize(status)
    case .consent(let request):
      state.stage = .consent(request, choice: .deny)
      effects = []
    case .fetched(let answer): effects = state.take(answer)
    case .libraryChanged: effects = state.refetch()
    case .pictures(let statuses):
      state.take(statuses)
      effects = []
    case .details(let asset, let details):
      if state.details[asset] != nil { state.details[asset] = details }
      effects = []
    case .timer(let timer):
      state.take(timer)
      effects = []
    }
    effects += state.followUp()
    return effects
  }
}

extension PickerState {
  // MARK: The library

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
    var fetch = FetchOptions(filter: options.configuration.filter, sort: options.configuration.sort)
    fetch.access = mode == .managing ? .managingAccess : .granted
    fetch.search = options.search
    var query = FetchQuery(
      generation: generation, collection: collection == AssetCollection.recents ? nil : collection,
      options: fetch)
    query.selected = selection.assets.map(\.id)
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

  mutating func take(_ answer: FetchAnswer) -> [PickerEffect] {
    guard answer.query.generation == generation else { return [] }
    isFetching = false
    collections = answer.collections
    assets = answer.assets
    library = answer.status
    allowed = answer.allowed
    if mode == .managing { markAllowed() }
    sidebarCursor = collections.index(of: collection, near: sidebarCursor) ?? 0
    if let anchor {
      cursor = assets.index(of: anchor, near: cursor) ?? cursor
    }
    cursor = max(0, min(cursor, assets.count - 1))
    // An asset that went leaves the cursor to the one in its place.
    if anchor != nil { anchor = current?.id }
    scrollToCursor()
    var effects = openAlbumToStartIn()
    effects += sayWhatChanged(answer)
    return effects.contains(where: \.isFetch) || !isStale ? effects : effects + fetch()
  }

  /// Opens the album that the caller named, when it turns up and the user has not gone elsewhere.
  private mutating func openAlbumToStartIn() -> [PickerEffect] {
    guard let album = options.album, !hasOpenedAlbum, mode == .picking else { return [] }
    guard anchor == nil, collection == AssetCollection.recents else {
      hasOpenedAlbum = true
      return []
    }
    let found = collections.first {
      $0.id.rawValue == album || $0.title.lowercased() == album.lowercased()
    }
    if let found {
      hasOpenedAlbum = true
      return open(found.id)
    }
    guard library.isComplete else { return [] }
    hasOpenedAlbum = true
    return say("no album here is called “\(album)”")
  }

  /// Drops what is gone from the picks, and says what went.
  private mutating func sayWhatChanged(_ answer: FetchAnswer) -> [PickerEffect] {
    let lost = selection.assets.filter { answer.vanished.contains($0.id) }
    if !lost.isEmpty {
      selection.keep { !answer.vanished.contains($0.id) }
      let names =
        lost.count == 1 ? DisplayText(bytes: lost[0].nameBytes).string : "\(lost.count) picked photos"
      return say("\(names) \(lost.count == 1 ? "is" : "are") gone from the disk and no longer picked")
    }
    if answer.removedCount > 0 {
      let isOne = answer.removedCount == 1
      return say(
        "\(options.locale.count(answer.removedCount, "photo", "photos")) \(isOne ? "is" : "are") gone", .dim)
    }
    guard let note = answer.status.notes.first(where: { shownNotes.insert($0).inserted }) else { return [] }
    return say(note)
  }

  /// Lets the user choose what the client may see.
  mutating func manageAccess() -> [PickerEffect] {
    guard access == .limited, mode == .picking else { return [] }
    setAside = selection
    selection = Selection(limit: 0)
    unmarked = nil
    mode = .managing
    isFullScreen = false
    return open(AssetCollection.recents)
  }

  /// Marks what is allowed as it turns up: nothing is withdrawn that the user did not withdraw.
  private mutating func markAllowed() {
    var waiting = unmarked ?? allowed
    for asset in assets where waiting.remove(asset.id) != nil { _ = selection.add(asset) }
    unmarked = waiting
  }

  /// Ends the choice of what may be seen.
  mutating func endManaging(keeping isKept: Bool) -> [PickerEffect] {
    var effects: [PickerEffect] = []
    if isKept, let unmarked {
      let chosen = unmarked.union(selection.assets.map(\.id))
      setAside?.keep { chosen.contains($0.id) }
      allowed = chosen
      effects.append(.setLimitedSelection(chosen))
    }
    selection = setAside ?? Selection(limit: options.configuration.selectionLimit)
    setAside = nil
    unmarked = nil
    mode = .picking
    return effects + open(AssetCollection.recents)
  }

  /// Shows another collection from its beginning.
  mutating func open(_ identifier: LocalIdentifier) -> [PickerEffect] {
    collection = identifier
    cursor = 0
    anchor = nil
    topRow = 0
    assets = FetchResult()
    return fetch()
  }

  // MARK: The screen

  mutating func resize(to metrics: ScreenMetrics) -> [PickerEffect] {
    // Other cells, other pictures: whoever made the old ones has forgotten them.
    if metrics.cell != self.metrics.cell || metrics.grain != self.metrics.grain { forgetPictures() }
    self.metrics = metrics
    scrollToCursor()
    return []
  }

  /// Brings the cursor's row into sight, moving the grid no more than needed.
  mutating func scrollToCursor() {
    let geometry = layout.cells
    guard geometry.columns > 0 else { return }
    let row = cursor / geometry.columns
    topRow = min(topRow, row)
    topRow = max(topRow, row - geometry.rows + 1)
    let lastRow = max(0, (assets.count - 1) / geometry.columns)
    topRow = max(0, min(topRow, lastRow - geometry.rows + 1))
  }

  mutating func say(_ text: String, _ tone: TextStyle.Tone = .warning) -> [PickerEffect] {
    notice = Notice(text: text, tone: tone)
    noticeGeneration += 1
    return [.startTimer(.notice(generation: noticeGeneration), milliseconds: 5000)]
  }

  mutating func take(_ timer: PickerTimer) {
    switch timer {
    case .preview(let generation):
      if generation == previewGeneration { heldPreview = nil }
    case .notice(let generation):
      if generation == noticeGeneration { notice = nil }
    }
  }
}

extension PickerEffect {
  fileprivate var isFetch: Bool { if case .fetch = self { true } else { false } }
}
