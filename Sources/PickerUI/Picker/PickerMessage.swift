package import AssetLibrary
package import Pixels

/// Something that happened; `Picker.update` makes the next state of it.
package enum PickerMessage: Sendable {
  case key(Key)
  case mouse(MouseEvent)
  /// Text was pasted into the terminal.
  case paste(String)
  case resized(ScreenMetrics)
  case authorization(AuthorizationStatus)
  /// Access is asked for: the prompt is up until it is answered.
  case consent(ConsentRequest)
  case fetched(FetchAnswer)
  case albums(AlbumsAnswer)
  case posters(PosterAnswer)
  /// Long work has begun or come further.
  case work(Work)
  /// Long work has ended; with words for the user, if there is something to say.
  case workEnded(Work.ID, words: String?, hasFailed: Bool = false)
  /// What was asked for with `PickerEffect.selectInBulk`.
  case bulkSelected(BulkSelectionResult)
  case libraryChanged
  case pictures([PictureKey: PictureStatus])
  case details(LocalIdentifier, AssetDetails)
  /// The pictures of a burst, in the order in which they were taken.
  case burst(String, [Asset])
  /// How many pictures some bursts have.
  case burstCounts([String: Int])
  /// Word of what plays, with the generation of its request.
  case playback(PlaybackEvent, generation: Int)
  case timer(PickerTimer)
}

/// What the screen is like.
package struct ScreenMetrics: Hashable, Sendable {
  package var size: CellSize
  /// A character cell in pixels; its shape makes boxes square.
  package var cell: PixelSize
  /// How pictures are asked for; nil = no pictures at all.
  package var pictureGeometry: PictureGeometry?

  /// How wide a cell is for its height.
  var cellShape: Double { Double(cell.width) / Double(max(1, cell.height)) }

  package init(size: CellSize, cell: PixelSize, pictureGeometry: PictureGeometry?) {
    self.size = size
    self.cell = cell
    self.pictureGeometry = pictureGeometry
  }
}

/// A question to the library.
package struct FetchQuery: Hashable, Sendable {
  /// Later questions have larger numbers: answers to earlier ones are stale.
  package var generation: Int
  package var collection: LocalIdentifier?
  package var options: FetchOptions
  /// What is picked: the answer says which of it is gone.
  package var selected: [LocalIdentifier] = []
  /// What the caller has selected and has not been found yet.
  package var preselected: [LocalIdentifier] = []
  /// How albums are counted, where they are asked for as well; their answer follows.
  package var albums: FetchOptions?

  /// The same in the place of one that nobody waits for any more.
  ///
  /// Albums that were to be counted with that one are counted with this one.
  package func replacing(_ earlier: FetchQuery?) -> FetchQuery {
    var query = self
    if query.albums == nil { query.albums = earlier?.albums }
    return query
  }
}

/// The library's answer.
package struct FetchAnswer: Sendable {
  package var query: FetchQuery
  package var assets: FetchResult<Asset>
  /// The days of the assets; nil where they don't stand in the order of their dates.
  package var days: [DaySection]?
  package var status: LibraryStatus
  /// How many assets are allowed, under limited access.
  package var allowed: Set<LocalIdentifier>
  /// What is picked and no longer in the library.
  package var vanished: Set<LocalIdentifier>
  /// What the caller has selected and was found.
  package var preselected: [Asset]
  /// How many assets of the last answer to the same question have gone since, once the library was known.
  package var removedCount: Int

  package init(
    query: FetchQuery, assets: FetchResult<Asset>, status: LibraryStatus, allowed: Set<LocalIdentifier>,
    vanished: Set<LocalIdentifier> = [], preselected: [Asset] = [], removedCount: Int = 0
  ) {
    self.query = query
    self.assets = assets
    let isByDate = query.options.sortDescriptors.first?.key == .creationDate
    days = isByDate ? DaySection.split(assets) : nil
    self.status = status
    self.allowed = allowed
    self.vanished = vanished
    self.preselected = preselected
    self.removedCount = removedCount
  }
}

/// The albums, as they were counted with some options.
package struct AlbumsAnswer: Sendable {
  package var options: FetchOptions
  package var collections: FetchResult<AssetCollection>
  package var lists: FetchResult<CollectionList>
  /// The newest first.
  package var moments: FetchResult<AssetCollection>

  package init(
    options: FetchOptions, collections: FetchResult<AssetCollection>,
    lists: FetchResult<CollectionList> = FetchResult(),
    moments: FetchResult<AssetCollection> = FetchResult()
  ) {
    self.options = options
    self.collections = collections
    self.lists = lists
    self.moments = moments
  }
}

/// A moment that was asked for with `PickerEffect.startTimer`.
package enum PickerTimer: Hashable, Sendable {
  /// The old preview has stood long enough.
  case preview(generation: Int)
  /// A notice has been read.
  case notice(generation: Int)
  /// A second click comes too late to belong to the first.
  case click(generation: Int)
  /// The user has held still: what moves may play.
  case playback(generation: Int)
  /// The mouse is still held beside the grid: time to scroll on.
  case scroll(generation: Int)
}

/// Something to be done outside of the state; a value, performed by the host.
package enum PickerEffect: Hashable, Sendable {
  case requestAuthorization
  case answerConsent(ConsentDecision)
  case setLimitedSelection(Set<LocalIdentifier>)
  case fetch(FetchQuery)
  /// The pictures that should be at hand now, the most urgent first; what is under way for others ends.
  case demand([PictureWant])
  /// Many photos are to be picked: beside the run loop, which the user's keys wait for.
  case selectInBulk(BulkSelection)
  case loadDetails(Asset)
  case countBursts([String])
  /// Asks for the pictures of a burst.
  case loadBurst(String, FetchOptions)
  case fetchPosters(PosterQuery)
  /// Tells the caller what is picked now.
  case report([Asset])
  /// The user wants no more of some long work.
  case stopWork(Work.ID)
  /// Takes up the reading of the library that the user stopped.
  case resumeReading
  /// Plays something in the place of a picture; what played before ends.
  case play(PlaybackRequest)
  case stopPlaying
  /// Makes itself heard.
  case ring
  case startTimer(PickerTimer, milliseconds: Int)
  case redraw
  case suspend
  case finish(PickerOutcome)

  /// Whether the picker ends with it.
  var isEnd: Bool { if case .finish = self { true } else { false } }
}

/// How the picker ended.
package enum PickerOutcome: Hashable, Sendable {
  /// The chosen assets in the order the configuration asks for; empty = confirmed with nothing to pick.
  case picked([Asset])
  case cancelled
  case refused(AuthorizationStatus)
}
