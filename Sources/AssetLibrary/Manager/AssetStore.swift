public import SystemPackage

/// What a backend implements: assets and collections as they are, changes of them, and the bytes of resources.
///
/// A store knows nothing of permissions and pictures. All calls may come from any thread and answer from
/// memory without waiting for a disk, except `reader(for:)`, `details(of:)`, `perform(_:)` and what says so.
/// What uses a store asks for the part that it needs.
public protocol AssetStore: AssetFetching, LibraryWatching, OriginalAccess {}

/// Assets and collections as they are at one moment.
public protocol AssetFetching: Sendable {
  /// The assets of a collection (nil = all), filtered and sorted.
  func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset>

  /// The assets with these identifiers that the options admit, in the order of the identifiers.
  ///
  /// The pictures of a burst are given whether they represent it or not.
  func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset>

  /// All pictures of a burst that the options admit, whether they represent it or not.
  func assets(ofBurst identifier: String, options: FetchOptions) -> FetchResult<Asset>

  /// The collections that hold something under the options: smart albums in their order, then albums by path, each
  /// with all that lies below it, then moments with the newest first. The limit and the order of the options are about assets and don't
  /// count here.
  func collections(of types: CollectionTypes, options: FetchOptions) -> FetchResult<AssetCollection>

  /// The lists that hold albums with something in them under the options, by path.
  func collectionLists(options: FetchOptions) -> FetchResult<CollectionList>

  /// The assets that stand for a collection, at most three; the first is its poster.
  func keyAssets(in collection: LocalIdentifier, options: FetchOptions) -> FetchResult<Asset>

  /// The texts of some fields (albums, cameras, people, keywords) that a search can be completed with: those that
  /// begin with a prefix, or have a word that does, among the assets of a collection (nil = all).
  /// - Returns: the commonest of each field first.
  func searchTexts(
    in fields: SearchFields, beginningWith prefix: String, collection: LocalIdentifier?, options: FetchOptions
  ) -> [SearchText]

  /// The assets that a path stands for: the one that the file belongs to, or all below a folder.
  ///
  /// May wait for a disk. What belongs to no asset of the library is left out.
  /// - Throws: `AssetError` when there is no such path.
  func identifiers(at path: FilePath) throws(AssetError) -> Set<LocalIdentifier>

  /// The same for many paths, in their order.
  func identifiers(at paths: [FilePath]) -> [Result<Set<LocalIdentifier>, AssetError>]

  /// A number of the file that an asset has now, for those whose file took the place of another one under the same
  /// identifier.
  func successorFiles(of identifiers: Set<LocalIdentifier>) -> [LocalIdentifier: UInt64]

  /// What the photograph tells of its camera.
  func details(of asset: Asset) throws(AssetError) -> AssetDetails
}

extension AssetFetching {
  /// Compares the paths as they are written: no disk has to hold them.
  public func identifiers(at path: FilePath) throws(AssetError) -> Set<LocalIdentifier> {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    let found = assets(in: nil, options: options).lazy.filter { asset in
      asset.resources.contains { $0.path.starts(with: path) }
    }.map(\.id)
    guard !found.isEmpty else { throw AssetError(path.string, "no such file or folder") }
    return Set(found)
  }

  /// Asks about one path after the other.
  public func identifiers(at paths: [FilePath]) -> [Result<Set<LocalIdentifier>, AssetError>] {
    paths.map { path in
      do throws(AssetError) {
        return .success(try identifiers(at: path))
      } catch {
        return .failure(error)
      }
    }
  }

  /// No identifier passes from one file to another.
  public func successorFiles(of identifiers: Set<LocalIdentifier>) -> [LocalIdentifier: UInt64] { [:] }

  /// A store without texts to complete a search with.
  public func searchTexts(
    in fields: SearchFields, beginningWith prefix: String, collection: LocalIdentifier?, options: FetchOptions
  ) -> [SearchText] { [] }

  /// The collections that a list of albums shows.
  public func collections(options: FetchOptions) -> FetchResult<AssetCollection> {
    collections(of: .default, options: options)
  }

  public func assets(ofBurst identifier: String, options: FetchOptions) -> FetchResult<Asset> {
    var options = options
    options.includeAllBurstAssets = true
    options.require(.burstIdentifier(identifier))
    return assets(in: nil, options: options)
  }

  /// The newest three that can be shown.
  public func keyAssets(in collection: LocalIdentifier, options: FetchOptions) -> FetchResult<Asset> {
    var options = options
    options.sortDescriptors = AssetSort.newest.descriptors
    options.fetchLimit = 3
    // Any condition leaves broken assets out.
    options.require(.and([]))
    return assets(in: collection, options: options)
  }
}

/// How a library becomes known, and how it changes.
public protocol LibraryWatching: Sendable {
  /// The albums that the user made, with all that is in them.
  var userAlbums: UserAlbums { get }

  /// Makes changes, all or none of them, and tells the observers once; the files stay as they are.
  /// - Returns: the changes that take them back, in the order in which they have to be made.
  /// - Throws: `AssetError` when an asset or album is not there or a change can't be kept; nothing changed then.
  @discardableResult
  func perform(_ changes: [AssetChange]) throws(AssetError) -> [AssetChange]

  /// Returns how the library differs from what it was at a token, hidden assets and albums of the user included.
  ///
  /// May wait for a disk.
  /// - Parameter token: nil = since before the first asset: everything is inserted.
  func persistentChanges(
    since token: PersistentChangeToken?
  ) throws(PersistentChangeError) -> PersistentChanges

  /// How far the store knows its library.
  var status: LibraryStatus { get }

  /// Gives up the first look at the library; what was found stays, and the status says so.
  func stopReading()

  /// Takes up again what was stopped, and tries the sources again that could not be read.
  func resumeReading()

  /// Begins with work that would only have slowed down what was fetched first; it waits for this call where the
  /// store was made for somebody who looks at a screen.
  func allowBackgroundWork()

  /// Waits until the first look at the library is over.
  func waitUntilComplete()

  /// Calls `handler` after each change, on any thread, until `stopObserving`.
  @discardableResult
  func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID

  /// Ends what `observeChanges` began; a call that is under way on another thread goes on.
  func stopObserving(_ observer: ObserverID)
}

extension LibraryWatching {
  /// A library without albums of the user's own.
  public var userAlbums: UserAlbums { UserAlbums() }

  /// A store without a history.
  public func persistentChanges(
    since token: PersistentChangeToken?
  ) throws(PersistentChangeError) -> PersistentChanges { throw .unsupported }

  /// What is known from the start is never read.
  public func stopReading() {}

  public func resumeReading() {}

  /// Nothing waits for it.
  public func allowBackgroundWork() {}

  /// What is known from the start need not be waited for.
  public func waitUntilComplete() {}
}

/// The bytes of resources: read where they are local, downloaded where they are remote.
public protocol OriginalAccess: Sendable {
  /// Opens the bytes of a resource.
  func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader

  /// Whether the bytes of a resource can be read without a network.
  func isLocal(_ resource: AssetResource) -> Bool

  /// Brings the bytes of a resource that is only remote, so that it is local afterwards. Waits for them.
  /// - Parameters:
  ///   - resource: one that is not local.
  ///   - progress: hears the fraction that has arrived, from 0 to 1; its answer `stop` ends the download.
  /// - Throws: `AssetError` when they can't be had, or when the download was stopped.
  func download(
    _ resource: AssetResource, progress: (Double) -> DownloadDecision
  ) throws(AssetError)

  /// Writes the bytes of a resource that is only remote into an empty open file, without their being kept, and gives it their
  /// date. Waits for them.
  ///
  /// For what there is no room for (`hasRoom`).
  /// - Throws: `AssetError` when they can't be had or written, or when the download was stopped; the file has some of them then.
  func download(
    _ resource: AssetResource, into descriptor: Int32, progress: (Double) -> DownloadDecision
  ) throws(AssetError)

  /// Whether a resource that is only remote can be kept on this machine.
  func hasRoom(for resource: AssetResource) -> Bool

  /// Says that a resource is to be used: once it is local it stays so until it was released as often, or the program ends,
  /// whatever else is brought.
  func hold(_ resource: AssetResource)

  /// Takes back one `hold`.
  func release(_ resource: AssetResource)

  /// Says that originals were handed over: other programs may use them by their paths from now on, so that they stay when
  /// room is made for others.
  func keepOriginals(of resources: [AssetResource])

  /// What is on this machine of a resource that is only remote, where that is enough for a small picture of it; nil where it is
  /// not. May wait for a disk.
  func partialResource(for resource: AssetResource) -> PartialResource?

  /// Whether `partialResource` may give something; asked before each picture, so that it must not wait for a disk.
  func mayHavePart(of resource: AssetResource) -> Bool

  /// Has thumbnails of remote assets brought soon, because somebody looks at them; a change notice follows. Returns at once.
  func prepareThumbnails(of identifiers: [LocalIdentifier])
}

extension OriginalAccess {
  /// Folders hold what they show.
  public func isLocal(_ resource: AssetResource) -> Bool { true }

  /// Nothing has to be brought.
  public func download(
    _ resource: AssetResource, progress: (Double) -> DownloadDecision
  ) throws(AssetError) {}

  /// Nothing is remote.
  public func download(
    _ resource: AssetResource, into descriptor: Int32, progress: (Double) -> DownloadDecision
  ) throws(AssetError) {
    throw AssetError(resource.subject, "is on this machine")
  }

  public func hasRoom(for resource: AssetResource) -> Bool { true }

  /// What is local stays.
  public func hold(_ resource: AssetResource) {}

  public func release(_ resource: AssetResource) {}

  public func keepOriginals(of resources: [AssetResource]) {}

  /// Nothing is remote.
  public func partialResource(for resource: AssetResource) -> PartialResource? { nil }

  public func mayHavePart(of resource: AssetResource) -> Bool { false }

  public func prepareThumbnails(of identifiers: [LocalIdentifier]) {}
}
