/// The library as a front end sees it: permission, fetches, change notices, pictures, bytes.
///
/// The picker knows only this protocol. Calls may come from any thread; none waits for a disk, a decoder
/// or the user, except where a function is `async` or says so.
///
///     if await manager.requestAuthorization(for: .readWrite) == .authorized {
///       let newest = manager.fetchAssets(in: AssetCollection.recents, options: FetchOptions())
///       for asset in newest.prefix(3) { print(asset.creationDate.components.year, asset.pixelSize) }
///     }
public protocol AssetManager: ImageManager {
  /// What the client may see now.
  func authorizationStatus(for level: AccessLevel) -> AuthorizationStatus

  /// Asks the user where nothing is decided yet; answers at once where something is.
  func requestAuthorization(for level: AccessLevel) async -> AuthorizationStatus

  /// The assets of a collection (nil = all) that the client may see; under limited access of smart albums only.
  func fetchAssets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset>

  /// The assets with these identifiers that the client may see, in the order of the identifiers.
  func fetchAssets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset>

  /// All pictures of a burst that the client may see, whether they represent it or not.
  func fetchAssets(ofBurst identifier: String, options: FetchOptions) -> FetchResult<Asset>

  /// The collections that the client may see and that hold something.
  ///
  /// Under limited access these are smart albums only, counted over what is allowed (Apple).
  func fetchCollections(of types: CollectionTypes, options: FetchOptions) -> FetchResult<AssetCollection>

  /// Returns the collections that hold an asset, under the same rules as `fetchCollections(of:options:)`.
  func fetchCollections(
    containing asset: LocalIdentifier, of types: CollectionTypes, options: FetchOptions
  ) -> FetchResult<AssetCollection>

  /// The lists of albums that the client may see; none under limited access.
  func fetchCollectionLists(options: FetchOptions) -> FetchResult<CollectionList>

  /// The assets that stand for a collection, at most three; the first is its poster.
  func fetchKeyAssets(in collection: LocalIdentifier, options: FetchOptions) -> FetchResult<Asset>

  /// How many assets a fetch would give: exact, where a collection's own count is an estimate.
  func assetCount(in collection: LocalIdentifier?, options: FetchOptions) -> Int

  /// The texts that a search can be completed with, as `AssetStore.searchTexts` gives them, of what the client may
  /// see; under limited access none of the user's albums.
  func searchTexts(
    in fields: SearchFields, beginningWith prefix: String, collection: LocalIdentifier?, options: FetchOptions
  ) -> [SearchText]

  /// The albums that the user made, with all that is in them; none under limited access.
  var userAlbums: UserAlbums { get }

  /// Makes changes of assets and albums, all or none of them. May wait for a disk: not for the thread that draws.
  ///
  /// Observers hear of all of them at once.
  /// - Returns: the changes that take them back, in the order in which they have to be made.
  /// - Throws: `AssetError` when the client may not see one of the assets or albums, when one is not there, or when a
  ///   change can't be kept; nothing changed then.
  @discardableResult
  func performChanges(_ changes: [AssetChange]) throws(AssetError) -> [AssetChange]

  /// Returns what was inserted, updated, moved and deleted since a token, as far as the client may see it.
  ///
  /// The token in the answer is for the next call, in this process or a later one. Each call compares the library as it
  /// is known now with what earlier calls recorded, so an asset that came and went in between is not mentioned. Under
  /// limited access the answer holds allowed assets only; assets that became allowed since are not reported as
  /// inserted. May wait for a disk: not for the thread that draws.
  ///
  ///     var known = try manager.fetchPersistentChanges(since: nil)
  ///     // later, perhaps after a restart:
  ///     known = try manager.fetchPersistentChanges(since: known.token)
  ///     for change in known.changes { print(change.kind, change.path ?? "") }
  ///
  /// - Parameter token: nil = since before the first asset: everything is inserted.
  /// - Throws: `PersistentChangeError.tokenExpired` when the history no longer reaches back to the token.
  func fetchPersistentChanges(
    since token: PersistentChangeToken?
  ) throws(PersistentChangeError) -> PersistentChanges

  /// How far the library is known, as far as the client may hear of it.
  var libraryStatus: LibraryStatus { get }

  /// Gives up the first look at the library; what was found stays, and the status says so.
  func stopReading()

  /// Takes up again what was stopped, and tries the sources again that could not be read.
  func resumeReading()

  /// Says that what was fetched first is shown, so that work begins that would only have slowed it down, as the
  /// comparison of an index with the disk.
  func allowBackgroundWork()

  /// Calls `handler` after each change of what the client may see, on any thread, until `stopObserving`.
  @discardableResult
  func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID

  /// Ends what `observeChanges` began; a call that is under way on another thread goes on.
  func stopObserving(_ observer: ObserverID)

  /// Brings the bytes of a resource that is only remote; nothing happens where they are here. Waits for them: not for the
  /// thread that draws.
  /// - Parameters:
  ///   - resource: a file of the asset.
  ///   - asset: the one that the resource belongs to.
  ///   - progress: hears the fraction that has arrived, from 0 to 1; its answer `stop` ends the download.
  /// - Throws: `AssetError` when the client may not see the asset, or its bytes can't be had.
  func download(
    _ resource: AssetResource, of asset: Asset, progress: (Double) -> DownloadDecision
  ) throws(AssetError)

  /// What the photograph tells of its camera. Reads the file: not for the thread that draws.
  /// - Throws: `AssetError` when the client may not see it, or when it can't be read.
  func details(of asset: Asset) throws(AssetError) -> AssetDetails
}

extension AssetManager {
  /// Nothing is remote.
  public func download(
    _ resource: AssetResource, of asset: Asset, progress: (Double) -> DownloadDecision
  ) throws(AssetError) {}

  /// A library without albums of the user's own.
  public var userAlbums: UserAlbums { UserAlbums() }

  /// A library without a history.
  public func fetchPersistentChanges(
    since token: PersistentChangeToken?
  ) throws(PersistentChangeError) -> PersistentChanges { throw .unsupported }

  /// Returns the collections that meet conditions, in the order that the options ask for.
  public func fetchCollections(_ options: CollectionFetchOptions) -> FetchResult<AssetCollection> {
    options.apply(to: fetchCollections(of: options.types, options: options.assets))
  }

  /// Fetches the assets of each collection and looks for the asset.
  public func fetchCollections(
    containing asset: LocalIdentifier, of types: CollectionTypes, options: FetchOptions
  ) -> FetchResult<AssetCollection> {
    FetchResult(
      fetchCollections(of: types, options: options).filter {
        fetchAssets(in: $0.id, options: options).identifiers.contains(asset)
      })
  }

  /// The collections that a list of albums shows.
  public func fetchCollections(options: FetchOptions) -> FetchResult<AssetCollection> {
    fetchCollections(of: .default, options: options)
  }
}

extension AssetManager {
  /// Asks a fetch again, and says what became of its last answer.
  ///
  /// Without `wantsIncrementalChangeDetails` in the options there are no indexes: the new answer takes the old
  /// one's place.
  ///
  ///     manager.observeChanges { change in
  ///       guard change.contains(.contents) else { return }
  ///       let details = manager.changeDetails(of: shown, in: album, options: options)
  ///       …
  ///     }
  ///
  /// - Parameters:
  ///   - before: what the same fetch gave last.
  ///   - collection: nil = all assets.
  ///   - options: those of the fetch.
  public func changeDetails(
    of before: FetchResult<Asset>, in collection: LocalIdentifier?, options: FetchOptions
  ) -> FetchResultChangeDetails<Asset> {
    let after = fetchAssets(in: collection, options: options)
    return options.wantsIncrementalChangeDetails
      ? FetchResultChangeDetails(from: before, to: after)
      : FetchResultChangeDetails(replacing: before, with: after)
  }
}

/// How far a library has been read.
public struct LibraryStatus: Hashable, Sendable {
  /// Whether everything has been seen, or nothing more will be.
  public var isComplete: Bool
  /// Whether the user stopped the first look: not everything was seen.
  public var isStopped = false
  /// How many assets are known so far.
  public var assetCount: Int
  /// What could not be read.
  public var issues: [AssetError]
  /// The sources of which nothing could be read, a server that is down among them, each with its reason.
  public var unreadableSources: [AssetError] = []
  /// Whether these are all sources that the library has.
  public var isUnreadable = false
  /// Messages to the user about the library as a whole, for example that its changes can't be watched.
  public var notes: [String]
  /// Why nothing can be made of the library; nil while something may.
  public var unavailabilityReason: AssetError?
  /// How far the first look at it has come; nil where that is over, or nobody can tell.
  public var progress: LibraryProgress?

  public init(isComplete: Bool, assetCount: Int, issues: [AssetError] = [], notes: [String] = []) {
    self.isComplete = isComplete
    self.assetCount = assetCount
    self.issues = issues
    self.notes = notes
  }
}

/// How far the first look at a library has come.
public struct LibraryProgress: Hashable, Sendable {
  /// What is being done.
  public enum Phase: Hashable, Sendable {
    /// Folders are walked, and the heads of their files read.
    case reading
    /// What their heads don't tell is looked for in the files.
    case describing
  }

  public var phase: Phase
  /// How much of the phase is done, from 0 to 1, as far as can be told.
  public var fraction: Double
  /// Seconds since the phase began.
  public var elapsed: Double

  public init(phase: Phase, fraction: Double, elapsed: Double) {
    self.phase = phase
    self.fraction = fraction
    self.elapsed = elapsed
  }
}

/// Random access to the bytes of one resource; closed when the last reference goes.
public protocol ResourceReader: Sendable {
  /// The number of bytes.
  var count: Int { get }

  /// The open file whose whole content the resource is; nil where there is no such file.
  ///
  /// It stays the reader's: valid for as long as the reader is, and its position may not be moved.
  var descriptor: Int32? { get }

  /// Fills `buffer` from `offset` and answers how many bytes there were; fewer only at the end.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int
}

extension ResourceReader {
  public var descriptor: Int32? { nil }

  /// The bytes of a range, cut off at the end of the resource.
  public func bytes(in range: Range<Int>) throws(AssetError) -> [UInt8] {
    var failure: AssetError?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      do throws(AssetError) {
        let whole = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[..<range.count])
        count = try read(at: range.lowerBound, into: whole)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

/// A range of a resource as a resource of its own.
public struct ResourcePart: ResourceReader {
  private let whole: any ResourceReader
  private let range: Range<Int>

  /// - Parameters:
  ///   - whole: the resource.
  ///   - range: bytes of it, cut off at the end of the resource.
  public init(of whole: any ResourceReader, _ range: Range<Int>) {
    self.whole = whole
    self.range = range.clamped(to: 0..<max(0, whole.count))
  }

  public var count: Int { range.count }

  public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    let length = max(0, min(buffer.count, count - offset))
    return try whole.read(
      at: range.lowerBound + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]))
  }
}

/// Something about one file or folder that went wrong: the thing, and the reason in words.
public struct AssetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file or folder as it should be shown to the user.
  public var subject: String
  /// The cause, as words that follow a colon.
  public var reason: String
  /// Whether the same file may do another time: the cause lies outside of it.
  public var isTransient: Bool

  /// Whether the cause may have been the file all the same: where it happens in several runs, it was.
  public var isStall: Bool

  /// Whether the cause is that there is no room for it on this machine.
  package var isLackOfRoom = false

  public init(_ subject: String, _ reason: String, isTransient: Bool = false, isStall: Bool = false) {
    self.subject = subject
    self.reason = reason
    self.isTransient = isTransient || isStall
    self.isStall = isStall
  }

  public var description: String { "\(Wording.name(subject)): \(reason)" }
}
