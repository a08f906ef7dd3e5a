import System
package import SystemPackage

/// The library as a front end sees it: access, fetches, change notifications, images and bytes.
///
/// The picker uses only this protocol. Methods may be called from any thread. They don't wait for a disk, a
/// decoder or the user unless they are `async` or their documentation says so.
///
///     if await manager.requestAuthorization(for: .readWrite) == .authorized {
///       let newest = manager.fetchAssets(in: AssetCollection.recents, options: FetchOptions())
///       for asset in newest.prefix(3) { print(asset.creationDate.components.year, asset.pixelSize) }
///     }
public protocol AssetManager: ImageManager {
  /// Returns the client's current authorization status.
  func authorizationStatus(for level: AccessLevel) -> AuthorizationStatus

  /// Asks the user for access if there is no decision yet; otherwise returns the decision at once.
  func requestAuthorization(for level: AccessLevel) async -> AuthorizationStatus

  /// Returns the assets of a collection (nil = all) that the client may see. Under limited access, only smart
  /// albums have assets, and Recently Deleted has none.
  func fetchAssets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset>

  /// Returns the assets with these identifiers that the client may see, in the order of the identifiers.
  func fetchAssets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset>

  /// Returns all photos of a burst that the client may see, not only the one that represents it.
  func fetchAssets(ofBurst identifier: String, options: FetchOptions) -> FetchResult<Asset>

  /// Returns the non-empty collections that the client may see.
  ///
  /// Under limited access these are smart albums only, without Recently Deleted, and their counts include only
  /// allowed assets, as in PhotoKit.
  func fetchCollections(of types: CollectionTypes, options: FetchOptions) -> FetchResult<AssetCollection>

  /// Returns the collections that hold an asset, under the same rules as `fetchCollections(of:options:)`.
  func fetchCollections(
    containing asset: LocalIdentifier, of types: CollectionTypes, options: FetchOptions
  ) -> FetchResult<AssetCollection>

  /// Returns the lists of albums that the client may see; none under limited access.
  func fetchCollectionLists(options: FetchOptions) -> FetchResult<CollectionList>

  /// Returns up to three assets that represent a collection; the first one is its poster.
  func fetchKeyAssets(in collection: LocalIdentifier, options: FetchOptions) -> FetchResult<Asset>

  /// Returns the exact number of assets in a fetch; `estimatedAssetCount` of a collection is only an
  /// estimate.
  func assetCount(in collection: LocalIdentifier?, options: FetchOptions) -> Int

  /// Returns completions for a search from the assets that the client may see, as `AssetStore.searchTexts`
  /// does; under limited access, without the titles of the user's albums.
  func searchTexts(
    in fields: SearchFields, beginningWith prefix: String, collection: LocalIdentifier?, options: FetchOptions
  ) -> [SearchText]

  /// The user's albums with their contents; none under limited access.
  var userAlbums: UserAlbums { get }

  /// Applies changes to assets and albums, either all or none. May wait for a disk: don't call it on the
  /// drawing thread.
  ///
  /// Observers are notified once for all changes.
  /// - Parameter changes: the changes in the order in which they are applied.
  /// - Returns: the changes that undo them, in the order in which to apply them.
  /// - Throws: `AssetError` if the client may not see one of the assets or albums, if one does not exist, if the user
  ///   must be asked first (the asynchronous method does that), or if a change can't be stored. Nothing has changed then,
  ///   except by `deletePermanently`.
  @discardableResult
  func performChanges(_ changes: [AssetChange]) throws(AssetError) -> [AssetChange]

  /// Applies changes to assets and albums, either all or none, without blocking the caller's thread, and asks the user
  /// before.
  ///
  /// The user is asked once for each kind of change as long as the program runs, and about each call that moves files to
  /// the trash or deletes them for good. Changes that have begun are completed even if the task is cancelled.
  /// - Parameter changes: the changes in the order in which they are applied.
  /// - Returns: the changes that undo them, in the order in which to apply them.
  /// - Throws: `AssetError` as the method that blocks, and if the user refuses or can't be asked.
  @discardableResult
  func performChanges(_ changes: [AssetChange]) async throws(AssetError) -> [AssetChange]

  /// Copies the files of a new asset into the library without showing them; `AssetChange.createAsset` creates it.
  ///
  /// Requires access of the level `addOnly`. Waits for a disk. What is not created vanishes with the process.
  /// - Parameter creation: the content of the asset.
  /// - Returns: the identifier that the asset will have, or that of an asset that the client may see and that has the
  ///   same files, byte for byte; nothing is copied then.
  /// - Throws: `AssetError` if the client may not save, or a file can't be read or copied.
  func prepareAsset(_ creation: AssetCreation) throws(AssetError) -> LocalIdentifier

  /// Discards an asset that was prepared and will not be created; does nothing for other identifiers.
  func discardPreparedAsset(_ asset: LocalIdentifier)

  /// Returns what was inserted, updated, moved and deleted since a token, as far as the client may see it.
  ///
  /// The answer contains the token for the next call, in this process or a later one. Each call compares the
  /// current library with what earlier calls recorded, so an asset that was added and removed between two
  /// calls is not reported. Under limited access, only allowed assets are reported; an asset that the user
  /// has allowed meanwhile is not reported as inserted. May wait for a disk: don't call it on the drawing
  /// thread.
  ///
  ///     var known = try manager.fetchPersistentChanges(since: nil)
  ///     // later, perhaps after a restart:
  ///     known = try manager.fetchPersistentChanges(since: known.token)
  ///     for change in known.changes { print(change.kind, change.path ?? "") }
  ///
  /// - Parameter token: nil reports all current assets as inserted.
  /// - Throws: `PersistentChangeError.tokenExpired` if the history no longer reaches back to the token.
  func fetchPersistentChanges(
    since token: PersistentChangeToken?
  ) throws(PersistentChangeError) -> PersistentChanges

  /// How far the library has been read, limited to what the client may know.
  var libraryStatus: LibraryStatus { get }

  /// Stops the initial scan of the library. Assets found so far stay, and `libraryStatus` is marked as
  /// stopped.
  func stopReading()

  /// Resumes a stopped scan, and retries sources that could not be read.
  func resumeReading()

  /// Allows background work, such as comparing the index with the disk. Call it after the first fetch is on
  /// the screen, which that work would have delayed.
  func allowBackgroundWork()

  /// Waits until the initial scan of the library is over, and starts it if necessary.
  ///
  /// Implies `allowBackgroundWork()`. No thread waits. Returns early if the task is cancelled.
  func waitUntilComplete() async

  /// Calls `handler` on any thread after each change that the client may see, until `stopObserving`.
  @discardableResult
  func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID

  /// Removes an observer; a call that is running on another thread is not interrupted.
  func stopObserving(_ observer: ObserverID)

  /// Downloads the bytes of a remote resource, which stay local as long as this manager exists; does nothing if they
  /// are local. Blocks until the end of the download: don't call it on the drawing thread.
  /// - Parameters:
  ///   - resource: a file of the asset.
  ///   - asset: the asset that the resource belongs to.
  ///   - progress: receives the downloaded fraction, from 0 to 1; returns `stop` to stop the download.
  /// - Throws: `AssetError` if the client may not see the asset, or the download fails.
  func download(
    _ resource: AssetResource, of asset: Asset, progress: (Double) -> DownloadDecision
  ) throws(AssetError)

  /// Reads camera settings, descriptions and keywords from the asset's file. Don't call it on the drawing
  /// thread.
  /// - Throws: `AssetError` if the client may not see the asset, or the file can't be read.
  func details(of asset: Asset) throws(AssetError) -> AssetDetails
}

extension AssetManager {
  /// Does nothing: the default for libraries without remote files.
  public func download(
    _ resource: AssetResource, of asset: Asset, progress: (Double) -> DownloadDecision
  ) throws(AssetError) {}

  /// No albums: the default for libraries in which the user can't make albums.
  public var userAlbums: UserAlbums { UserAlbums() }

  /// Throws `unsupported`: the default for libraries without a history.
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

  /// Returns the albums that a list directly contains: PhotoKit's `PHCollection.fetchCollections(in:options:)`.
  /// - Parameters:
  ///   - list: the list; nil = the albums of the top level, those that the user made among them.
  ///   - options: only albums with assets that match them.
  public func fetchAlbums(
    in list: LocalIdentifier?, options: FetchOptions = FetchOptions()
  ) -> FetchResult<AssetCollection> {
    let (all, limit) = Self.unlimited(options)
    return FetchResult(limit.limited(fetchCollections(of: .album, options: all).filter { $0.parent == list }))
  }

  /// Returns the lists that a list directly contains.
  /// - Parameters:
  ///   - list: the list; nil = the lists of the top level.
  ///   - options: only lists with assets that match them.
  public func fetchCollectionLists(
    in list: LocalIdentifier?, options: FetchOptions = FetchOptions()
  ) -> FetchResult<CollectionList> {
    let (all, limit) = Self.unlimited(options)
    return FetchResult(limit.limited(fetchCollectionLists(options: all).filter { $0.parent == list }))
  }

  /// Returns the lists that contain an album or a list, at any depth, the nearest one first.
  ///
  /// None for albums that the user made, smart albums and moments, which are in no list.
  /// - Parameters:
  ///   - collection: the identifier of the album or list.
  ///   - options: only lists with assets that match them.
  public func fetchCollectionLists(
    containing collection: LocalIdentifier, options: FetchOptions = FetchOptions()
  ) -> FetchResult<CollectionList> {
    let (all, limit) = Self.unlimited(options)
    let lists = Dictionary(
      fetchCollectionLists(options: all).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var next =
      lists[collection].map(\.parent)
      ?? fetchCollections(of: .album, options: all).first { $0.id == collection }?.parent
    var found: [CollectionList] = []
    while let list = next.flatMap({ lists[$0] }) {
      found.append(list)
      next = list.parent
    }
    return FetchResult(limit.limited(found))
  }

  /// Returns options without the limit, which counts results rather than what they are chosen from, and the
  /// original ones.
  private static func unlimited(_ options: FetchOptions) -> (all: FetchOptions, limit: FetchOptions) {
    var all = options
    all.fetchLimit = 0
    return (all, options)
  }

  /// Returns the collections that a list of albums shows.
  public func fetchCollections(options: FetchOptions) -> FetchResult<AssetCollection> {
    fetchCollections(of: .default, options: options)
  }

  /// Returns all assets that the client may see: PhotoKit's `PHAsset.fetchAssets(with:)`.
  public func fetchAssets(with options: FetchOptions = FetchOptions()) -> FetchResult<Asset> {
    fetchAssets(in: nil, options: options)
  }

  /// Returns the assets of a collection: PhotoKit's `PHAsset.fetchAssets(in:options:)`.
  public func fetchAssets(
    in collection: AssetCollection, options: FetchOptions = FetchOptions()
  ) -> FetchResult<Asset> {
    fetchAssets(in: collection.localIdentifier, options: options)
  }
}

// The asynchronous ways.
extension AssetManager {
  /// The changes that the client may see, from now on.
  ///
  /// Each access starts another sequence, which ends when its task is cancelled. If the task is slower than the
  /// library, changes that follow each other are delivered as one.
  ///
  ///     for await change in manager.changes where change.contains(.contents) {
  ///       show(manager.fetchAssets(in: album, options: options))
  ///     }
  public var changes: AsyncStream<LibraryChange> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let observer = observeChanges { change in
        // What the newest element displaces is part of it.
        var news = change
        while case .dropped(let lost) = continuation.yield(news), !news.isSuperset(of: lost) {
          news.formUnion(lost)
        }
      }
      continuation.onTermination = { _ in stopObserving(observer) }
    }
  }

  /// Waits for the change that completes the library.
  public func waitUntilComplete() async {
    allowBackgroundWork()
    let changes = changes
    if libraryStatus.isComplete { return }
    for await _ in changes where libraryStatus.isComplete { return }
  }

  /// Applies changes without blocking the caller's thread: the default for managers that do not ask the user.
  ///
  /// Changes that have begun are completed even if the task is cancelled.
  /// - Parameter changes: the changes in the order in which they are applied.
  /// - Returns: the changes that undo them, in the order in which to apply them.
  /// - Throws: `AssetError`, as the method that blocks.
  @discardableResult
  public func performChanges(_ changes: [AssetChange]) async throws(AssetError) -> [AssetChange] {
    if Task.isCancelled { throw .cancelled("photos") }
    let result = await WorkerThread.value {
      Result { () throws(AssetError) in try performChanges(changes) }
    }
    return try result.get()
  }

  /// Reads camera settings, descriptions and keywords from the asset's file, without blocking the caller's
  /// thread.
  /// - Throws: `AssetError` if the client may not see the asset, or the file can't be read.
  public func loadDetails(of asset: Asset) async throws(AssetError) -> AssetDetails {
    let result = await WorkerThread.value {
      Result { () throws(AssetError) in try details(of: asset) }
    }
    return try result.get()
  }
}

extension AssetManager {
  /// Repeats a fetch, and compares its result with the previous one.
  ///
  /// If `wantsIncrementalChangeDetails` is false, the details have no indexes: reload the whole result.
  ///
  ///     manager.observeChanges { change in
  ///       guard change.contains(.contents) else { return }
  ///       let details = manager.changeDetails(of: shown, in: album, options: options)
  ///       …
  ///     }
  ///
  /// - Parameters:
  ///   - before: the previous result of the same fetch.
  ///   - collection: nil = all assets.
  ///   - options: the options of the fetch.
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
  /// Whether the initial scan is over, either finished or stopped.
  public var isComplete: Bool
  /// Whether the user stopped the initial scan, so that assets may be missing.
  public var isStopped = false
  /// The number of assets found so far.
  public var assetCount: Int
  /// The files and folders that could not be read.
  public var issues: [AssetError]
  /// The sources that could not be read at all, such as unavailable servers, each with the reason.
  public var unreadableSources: [AssetError] = []
  /// Whether none of the library's sources could be read.
  public var isUnreadable = false
  /// Messages to the user about the whole library, for example that changes can't be watched.
  public var notes: [String]
  /// Why the library can't be used at all; nil if it can, or if that is not known yet.
  public var unavailabilityReason: AssetError?
  /// The progress of the initial scan; nil if it is over or its progress is unknown.
  public var progress: LibraryProgress?

  /// Creates a status; the other properties have their default values.
  public init(isComplete: Bool, assetCount: Int, issues: [AssetError] = [], notes: [String] = []) {
    self.isComplete = isComplete
    self.assetCount = assetCount
    self.issues = issues
    self.notes = notes
  }
}

/// The progress of a library's initial scan.
public struct LibraryProgress: Hashable, Sendable {
  /// The phases of the scan.
  public enum Phase: Hashable, Sendable {
    /// Walks folders and reads the headers of files.
    case reading
    /// Reads further parts of files whose headers are not sufficient.
    case describing
  }

  /// The current phase.
  public var phase: Phase
  /// The estimated completed fraction of the phase, from 0 to 1.
  public var fraction: Double
  /// Seconds since the start of the phase.
  public var elapsed: Double

  /// Creates a progress value.
  public init(phase: Phase, fraction: Double, elapsed: Double) {
    self.phase = phase
    self.fraction = fraction
    self.elapsed = elapsed
  }
}

/// Random access to the bytes of a resource; closed with the last reference.
public protocol ResourceReader: Sendable {
  /// The length in bytes.
  var count: Int { get }

  /// The file descriptor of an open file whose entire content is the resource; nil if there is no such file.
  ///
  /// The reader owns the descriptor, which is valid as long as the reader. Don't move its file position.
  var descriptor: Int32? { get }

  /// Fills `buffer` with bytes from `offset`.
  /// - Returns: the number of bytes read, which is less than the size of the buffer only at the end.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int
}

extension ResourceReader {
  /// Returns nil: the default of readers without a file.
  public var descriptor: Int32? { nil }

  /// Reads the bytes of a range, clamped to the end of the resource.
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

/// Presents a byte range of a resource as a resource.
public struct ResourcePart: ResourceReader {
  private let whole: any ResourceReader
  private let range: Range<Int>

  /// Creates a reader of a range.
  /// - Parameters:
  ///   - whole: the resource.
  ///   - range: the byte range, clamped to the length of the resource.
  public init(of whole: any ResourceReader, _ range: Range<Int>) {
    self.whole = whole
    self.range = range.clamped(to: 0..<max(0, whole.count))
  }

  /// The length of the range in bytes.
  public var count: Int { range.count }

  /// Fills `buffer` with bytes from `offset` within the range.
  public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    let length = max(0, min(buffer.count, count - offset))
    return try whole.read(
      at: range.lowerBound + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]))
  }
}

/// An error about one file, folder or server: a code to decide on, and the reason as text for the user.
///
///     do {
///       let photo = try await manager.image(for: asset, targetSize: size)
///     } catch where error.code == .networkRequired {
///       // Ask the user, then request it again with `isNetworkAccessAllowed`.
///     }
public struct AssetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the cause.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// None of the others; `reason` says more.
    case failed
    /// The caller or the user cancelled the operation.
    case cancelled
    /// The original is not on this machine, and the options don't allow the network.
    case networkRequired
    /// The client may not see the asset, or the system refuses the file.
    case accessDenied
    /// The file, the asset or the album does not exist, or no longer.
    case notFound
    /// The content of the file is not intact.
    case damaged
    /// The content is intact, but nothing here can read, draw, play or change it.
    case unsupported
    /// A helper program is missing, does not start, or can't be confined.
    case helperMissing
    /// The content is not available in the requested type.
    case noSuchType
  }

  /// The name of the file, folder or server as shown to the user.
  public var subject: String
  /// The cause, as text to follow a colon.
  public var reason: String
  /// The kind of the cause.
  public var code: Code
  /// Whether a retry may succeed, because the cause is not in the file.
  public var isTransient: Bool

  /// Whether the operation stalled: the file itself is the likely cause if that happens in several runs.
  public var isStall: Bool

  /// Whether the cause is a lack of disk space on this machine.
  package var isOutOfSpace = false

  /// Whether a file could not be written on this machine, whatever its content: a fallback would hide the cause.
  package var isWriteFailure = false

  /// Creates an error; a stall is also transient.
  /// - Parameters:
  ///   - subject: the name of the file, folder or server.
  ///   - reason: the cause, as text to follow a colon.
  ///   - code: the kind of the cause.
  ///   - isTransient: whether a retry may succeed.
  ///   - isStall: whether the operation stalled.
  public init(
    _ subject: String, _ reason: String, code: Code = .failed, isTransient: Bool = false,
    isStall: Bool = false
  ) {
    self.subject = subject
    self.reason = reason
    self.code = code
    self.isTransient = isTransient || isStall
    self.isStall = isStall
  }

  /// The subject and the reason, as "a.jpg: permission denied".
  public var description: String { "\(Wording.name(subject)): \(reason)" }
}

extension AssetError {
  /// The error of an operation that its caller cancelled.
  package static func cancelled(_ subject: String) -> AssetError {
    AssetError(subject, "cancelled", code: .cancelled)
  }

  /// The error of a system call that writes a file.
  /// - Parameters:
  ///   - subject: the name of the file, as shown to the user.
  ///   - reason: the cause, as text to follow a colon.
  ///   - error: the error of the call.
  package static func writing(_ subject: String, _ reason: String, _ error: Errno) -> AssetError {
    var failure = AssetError(subject, reason, code: Code(error))
    failure.isWriteFailure = true
    return failure
  }
}

extension AssetError.Code {
  /// The code for an error of the system.
  package init(_ error: Errno) {
    self =
      switch error {
      case .noSuchFileOrDirectory, .notDirectory: .notFound
      case .permissionDenied, .notPermitted: .accessDenied
      case .canceled: .cancelled
      default: .failed
      }
  }
}
