public import AssetLibrary
public import Pixels

/// Something that happened; `Picker.update` makes the next state of it.
public enum PickerMessage: Sendable {
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
  /// What was asked for with `PickerEffect.gather`.
  case gathered(GatheringResult)
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
public struct ScreenMetrics: Hashable, Sendable {
  public var size: CellSize
  /// A character cell in pixels; its shape makes boxes square.
  public var cell: PixelSize
  /// How pictures are asked for; nil = no pictures at all.
  public var grain: PictureGrain?

  /// How wide a cell is for its height.
  var cellShape: Double { Double(cell.width) / Double(max(1, cell.height)) }

  public init(size: CellSize, cell: PixelSize, grain: PictureGrain?) {
    self.size = size
    self.cell = cell
    self.grain = grain
  }
}

/// A question to the library.
public struct FetchQuery: Hashable, Sendable {
  /// Later questions have larger numbers: answers to earlier ones are stale.
  public var generation: Int
  public var collection: LocalIdentifier?
  public var options: FetchOptions
  /// What is picked: the answer says which of it is gone.
  public var selected: [LocalIdentifier] = []
  /// What the caller has selected and has not been found yet.
  public var preselected: [LocalIdentifier] = []
  /// How albums are counted, where they are asked for as well; their answer follows.
  public var albums: FetchOptions?

  /// The same in the place of one that nobody waits for any more.
  ///
  /// Albums that were to be counted with that one are counted with this one.
  public func replacing(_ earlier: FetchQuery?) -> FetchQuery {
    var query = self
    if query.albums == nil { query.albums = earlier?.albums }
    return query
  }
}

/// The library's answer.
public struct FetchAnswer: Sendable {
  public var query: FetchQuery
  public var assets: FetchResult<Asset>
  /// The days of the assets; nil where they don't stand in the order of their dates.
  public var days: [DaySection]?
  public var status: LibraryStatus
  /// How many assets are allowed, under limited access.
  public var allowed: Set<LocalIdentifier>
  /// What is picked and no longer in the library.
  public var vanished: Set<LocalIdentifier>
  /// What the caller has selected and was found.
  public var preselected: [Asset]
  /// How many assets of the last answer to the same question have gone since, once the library was known.
  public var removedCount: Int

  public init(
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
public struct AlbumsAnswer: Sendable {
  public var options: FetchOptions
  public var collections: FetchResult<AssetCollection>
  public var lists: FetchResult<CollectionList>
  /// The newest first.
  public var moments: FetchResult<AssetCollection>

  public init(
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
public enum PickerTimer: Hashable, Sendable {
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
public enum PickerEffect: Hashable, Sendable {
  case requestAuthorization
  case answerConsent(ConsentDecision)
  case setLimitedSelection(Set<LocalIdentifier>)
  case fetch(FetchQuery)
  /// The pictures that should be at hand now, the most urgent first; what is under way for others ends.
  case demand([PictureWant])
  /// Many photos are to be picked: beside the run loop, which the user's keys wait for.
  case gather(Gathering)
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
public enum PickerOutcome: Hashable, Sendable {
  /// The chosen assets in the order the configuration asks for; empty = confirmed with nothing to pick.
  case picked([Asset])
  case cancelled
  case refused(AuthorizationStatus)
}
