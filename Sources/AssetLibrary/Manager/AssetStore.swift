import System
public import SystemPackage

/// The interface of a library backend: assets and collections, changes to them, and the bytes of resources.
///
/// A store has no knowledge of access and images. All methods may be called from any thread. They respond
/// from memory without waiting for a disk, except `reader(for:)`, `details(of:)`, `perform(_:)` and methods
/// whose documentation says so. Clients of a store should depend only on the protocol that they need.
public protocol AssetStore: AssetFetching, LibraryWatching, OriginalAccess {}

/// Queries for assets and collections.
public protocol AssetFetching: Sendable {
  /// Returns the assets of a collection (nil = all), filtered and sorted.
  ///
  /// Only the collection Recently Deleted contains deleted assets; no other fetch returns them.
  func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset>

  /// Returns the assets with these identifiers that the options admit, in the order of the identifiers.
  ///
  /// All photos of a burst are included, not only the one that represents it.
  func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset>

  /// Returns all photos of a burst that the options admit, not only the one that represents it.
  func assets(ofBurst identifier: String, options: FetchOptions) -> FetchResult<Asset>

  /// Returns the collections that are not empty under the options: smart albums in their fixed order, Recently
  /// Deleted, then albums by path, then moments, the newest first.
  ///
  /// The album of a folder contains everything below the folder. The fetch limit and the sort order of the
  /// options are ignored, because they apply to assets.
  func collections(of types: CollectionTypes, options: FetchOptions) -> FetchResult<AssetCollection>

  /// Returns the lists that contain albums that are not empty under the options, by path.
  func collectionLists(options: FetchOptions) -> FetchResult<CollectionList>

  /// Returns up to three assets that represent a collection; the first one is its poster.
  func keyAssets(in collection: LocalIdentifier, options: FetchOptions) -> FetchResult<Asset>

  /// Returns completions for a search: texts of the given fields (albums, cameras, people, keywords) that
  /// begin with a prefix or contain a word that does, from the assets of a collection (nil = all).
  /// - Returns: the most frequent texts of each field first.
  func searchTexts(
    in fields: SearchFields, beginningWith prefix: String, collection: LocalIdentifier?, options: FetchOptions
  ) -> [SearchText]

  /// Returns the assets of a path: the asset that a file belongs to, or all assets below a folder.
  ///
  /// May wait for a disk. Files that belong to no asset of the library are skipped.
  /// - Throws: `AssetError` if the path does not exist.
  func identifiers(at path: FilePath) throws(AssetError) -> Set<LocalIdentifier>

  /// Returns the assets of each path, in the order of the paths.
  func identifiers(at paths: [FilePath]) -> [Result<Set<LocalIdentifier>, AssetError>]

  /// Returns a number that identifies the current file of each asset whose file was replaced by another one
  /// while the asset kept its identifier. Other assets are not in the result.
  func successorFiles(of identifiers: Set<LocalIdentifier>) -> [LocalIdentifier: UInt64]

  /// Reads camera settings, descriptions and keywords from the asset's file.
  func details(of asset: Asset) throws(AssetError) -> AssetDetails
}

extension AssetFetching {
  /// Compares paths textually, without accessing a disk.
  public func identifiers(at path: FilePath) throws(AssetError) -> Set<LocalIdentifier> {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    let found = assets(in: nil, options: options).lazy.filter { asset in
      asset.resources.contains { $0.path.starts(with: path) }
    }.map(\.id)
    guard !found.isEmpty else { throw AssetError(path.string, "no such file or folder", code: .notFound) }
    return Set(found)
  }

  /// Queries one path after the other.
  public func identifiers(at paths: [FilePath]) -> [Result<Set<LocalIdentifier>, AssetError>] {
    paths.map { path in
      do throws(AssetError) {
        return .success(try identifiers(at: path))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Returns no entries: the default of libraries in which no file replaces another one.
  public func successorFiles(of identifiers: Set<LocalIdentifier>) -> [LocalIdentifier: UInt64] { [:] }

  /// Returns no completions.
  public func searchTexts(
    in fields: SearchFields, beginningWith prefix: String, collection: LocalIdentifier?, options: FetchOptions
  ) -> [SearchText] { [] }

  /// Returns the collections that a list of albums shows.
  public func collections(options: FetchOptions) -> FetchResult<AssetCollection> {
    collections(of: .default, options: options)
  }

  /// Fetches the assets with the burst's identifier.
  public func assets(ofBurst identifier: String, options: FetchOptions) -> FetchResult<Asset> {
    var options = options
    options.includeAllBurstAssets = true
    options.require(.burstIdentifier(identifier))
    return assets(in: nil, options: options)
  }

  /// Returns the newest three assets that can be shown.
  public func keyAssets(in collection: LocalIdentifier, options: FetchOptions) -> FetchResult<Asset> {
    var options = options
    options.sortDescriptors = AssetSort.newest.descriptors
    options.fetchLimit = 3
    // Any condition excludes broken assets, even an empty one.
    options.require(.and([]))
    return assets(in: collection, options: options)
  }
}

/// The state of a library, its changes, and notifications about them.
public protocol LibraryWatching: Sendable {
  /// The user's albums with their contents.
  var userAlbums: UserAlbums { get }

  /// Applies changes, either all or none, and notifies observers once; no byte of a file changes.
  /// - Parameter changes: the changes in the order in which they are applied.
  /// - Returns: the changes that undo them, in the order in which to apply them.
  /// - Throws: `AssetError` if an asset or album does not exist, or a change can't be stored. Nothing has
  ///   changed then, except by `deletePermanently`.
  @discardableResult
  func perform(_ changes: [AssetChange]) throws(AssetError) -> [AssetChange]

  /// Copies the files of a new asset into the library without showing them; `AssetChange.createAsset` creates it.
  ///
  /// Waits for a disk.
  /// - Parameters:
  ///   - creation: the content of the asset.
  ///   - options: the assets with which it is compared; nil = none. If one of them has all of its files, byte for
  ///     byte, nothing is copied.
  /// - Returns: the identifier that the asset will have, or that of the identical asset.
  /// - Throws: `AssetError` if a file can't be read or copied, or is not a photo or video.
  func prepareAsset(
    _ creation: AssetCreation, comparedWith options: FetchOptions?
  ) throws(AssetError) -> LocalIdentifier

  /// Discards an asset that was prepared and will not be created; does nothing for other identifiers.
  func discardPreparedAsset(_ asset: LocalIdentifier)

  /// Returns the changes of the library since a token, including hidden assets and the user's albums.
  ///
  /// May wait for a disk.
  /// - Parameter token: nil reports all current assets and albums as inserted.
  func persistentChanges(
    since token: PersistentChangeToken?
  ) throws(PersistentChangeError) -> PersistentChanges

  /// How far the library has been read.
  var status: LibraryStatus { get }

  /// Starts reading the library and returns at once; does nothing if it has been started.
  func start()

  /// Stops the initial scan of the library. Assets found so far stay, and `status` is marked as stopped.
  func stopReading()

  /// Resumes a stopped scan, and retries sources that could not be read.
  func resumeReading()

  /// Allows background work that would have delayed the first fetch. A store that was created for an
  /// interactive program waits for this call.
  func allowBackgroundWork()

  /// Blocks until the initial scan is over.
  func waitUntilComplete()

  /// Calls `handler` on any thread after each change, until `stopObserving`.
  @discardableResult
  func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID

  /// Removes an observer; a call that is running on another thread is not interrupted.
  func stopObserving(_ observer: ObserverID)
}

extension LibraryWatching {
  /// No albums: the default of libraries in which the user can't make albums.
  public var userAlbums: UserAlbums { UserAlbums() }

  /// Throws an error: the default of libraries into which nothing can be saved.
  public func prepareAsset(
    _ creation: AssetCreation, comparedWith options: FetchOptions?
  ) throws(AssetError) -> LocalIdentifier {
    throw AssetError("library", "nothing can be saved into it", code: .unsupported)
  }

  /// Does nothing: the default of libraries into which nothing can be saved.
  public func discardPreparedAsset(_ asset: LocalIdentifier) {}

  /// Throws `unsupported`: the default of stores without a history.
  public func persistentChanges(
    since token: PersistentChangeToken?
  ) throws(PersistentChangeError) -> PersistentChanges { throw .unsupported }

  /// Does nothing: the default of libraries that are complete from the start.
  public func start() {}

  /// Does nothing: the default of libraries that are complete from the start.
  public func stopReading() {}

  /// Does nothing: the default of libraries that are complete from the start.
  public func resumeReading() {}

  /// Does nothing: the default of libraries without background work.
  public func allowBackgroundWork() {}

  /// Returns at once: the default of libraries that are complete from the start.
  public func waitUntilComplete() {}
}

/// Access to the bytes of resources: local ones are read, remote ones downloaded.
public protocol OriginalAccess: Sendable {
  /// Opens a resource for reading. May wait for a disk.
  func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader

  /// Opens a resource for reading, without blocking the caller's thread.
  func loadReader(for resource: AssetResource) async throws(AssetError) -> any ResourceReader

  /// Returns whether the bytes of a resource can be read without network access.
  ///
  /// Every store must say it: what is not local is read only by requests that allow network access. A store that
  /// never uses a network returns true.
  func isLocal(_ resource: AssetResource) -> Bool

  /// Downloads a remote resource, so that it is local afterwards. Blocks until the end of the download.
  /// - Parameters:
  ///   - resource: a resource that is not local.
  ///   - progress: receives the downloaded fraction, from 0 to 1; returns `stop` to stop the download.
  /// - Throws: `AssetError` if the download fails or was stopped.
  func download(
    _ resource: AssetResource, progress: (Double) -> DownloadDecision
  ) throws(AssetError)

  /// Downloads a remote resource, so that it is local afterwards, without blocking the caller's thread.
  ///
  /// Cancelling the task stops the download.
  /// - Parameters:
  ///   - resource: a resource that is not local.
  ///   - progressHandler: receives the downloaded fraction, from 0 to 1, on any thread.
  /// - Throws: `AssetError` if the download fails, or with the code `cancelled`.
  func loadOriginal(
    of resource: AssetResource, progressHandler: (@Sendable (Double) -> Void)?
  ) async throws(AssetError)

  /// Downloads a remote resource into an empty open file instead of the cache, and sets the file's
  /// modification time. Blocks until the end of the download.
  ///
  /// Use it if `hasRoom` returns false.
  /// - Throws: `AssetError` if the download or a write fails, or if the download was stopped; the file then
  ///   contains a part of the bytes.
  func download(
    _ resource: AssetResource, into descriptor: Int32, progress: (Double) -> DownloadDecision
  ) throws(AssetError)

  /// Returns whether the cache on this machine has room for a remote resource.
  func hasRoom(for resource: AssetResource) -> Bool

  /// Protects a resource from eviction: once local, it stays local until it was released as often as it was
  /// held, or the program ends.
  func hold(_ resource: AssetResource)

  /// Undoes one `hold`.
  func release(_ resource: AssetResource)

  /// Marks originals as delivered: other programs may now use them by path, so they are not evicted.
  func keepOriginals(of resources: [AssetResource])

  /// Returns the local parts of a remote resource, if they suffice for a thumbnail; nil otherwise. May wait
  /// for a disk.
  func partialResource(for resource: AssetResource) -> PartialResource?

  /// Returns whether `partialResource` may succeed. It is called before each image request and must not wait
  /// for a disk.
  func mayHavePartialResource(of resource: AssetResource) -> Bool

  /// Requests thumbnails of visible remote assets; a change notification follows. Returns at once.
  func prepareThumbnails(of identifiers: [LocalIdentifier])
}

extension OriginalAccess {
  /// Calls `reader(for:)` on a thread of its own.
  public func loadReader(for resource: AssetResource) async throws(AssetError) -> any ResourceReader {
    try await WorkerThread.value { Result { () throws(AssetError) in try reader(for: resource) } }.get()
  }

  /// Does nothing for a local file, and throws an error for a remote one: the default of libraries without
  /// remote files.
  public func download(
    _ resource: AssetResource, progress: (Double) -> DownloadDecision
  ) throws(AssetError) {
    if isLocal(resource) { return }
    throw AssetError(resource.subject, "its store can't download it", code: .unsupported)
  }

  /// Calls `download(_:progress:)` on a thread of its own.
  public func loadOriginal(
    of resource: AssetResource, progressHandler: (@Sendable (Double) -> Void)?
  ) async throws(AssetError) {
    let cancellation = Cancellation()
    let result = await withTaskCancellationHandler {
      await WorkerThread.value {
        Result { () throws(AssetError) in
          // A store may call its handler only when the download is done.
          if cancellation.isCancelled { throw .cancelled(resource.subject) }
          try download(resource) { fraction in
            progressHandler?(fraction)
            return cancellation.isCancelled ? .stop : .proceed
          }
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }

  /// Throws an error: the default of libraries without remote files.
  public func download(
    _ resource: AssetResource, into descriptor: Int32, progress: (Double) -> DownloadDecision
  ) throws(AssetError) {
    throw AssetError(resource.subject, "is on this machine")
  }

  /// Returns true: the default of libraries without remote files.
  public func hasRoom(for resource: AssetResource) -> Bool { true }

  /// Does nothing: local files are not evicted.
  public func hold(_ resource: AssetResource) {}

  /// Does nothing: local files are not evicted.
  public func release(_ resource: AssetResource) {}

  /// Does nothing: local files are not evicted.
  public func keepOriginals(of resources: [AssetResource]) {}

  /// Returns nil: the default of libraries without remote files.
  public func partialResource(for resource: AssetResource) -> PartialResource? { nil }

  /// Returns false: the default of libraries without remote files.
  public func mayHavePartialResource(of resource: AssetResource) -> Bool { false }

  /// Does nothing: the default of libraries without remote files.
  public func prepareThumbnails(of identifiers: [LocalIdentifier]) {}
}
