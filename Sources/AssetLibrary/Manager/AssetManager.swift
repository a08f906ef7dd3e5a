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

  /// Makes changes to assets, all or none of them. May wait for a disk: not for the thread that draws.
  /// - Throws: `AssetError` when the client may not see one of the assets, when one is not there, or when a
  ///   change can't be kept.
  func performChanges(_ changes: [AssetChange]) throws(AssetError)

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

  /// The collections that a list of albums shows.
  public func fetchCollections(options: FetchOptions) -> FetchResult<AssetCollection> {
    fetchCollections(of: .default, options: options)
  }
}
