import Synchronization
import SystemPackage

/// A library in memory, for tests and for programs that bring their own pictures.
///
/// Assets and the bytes of their resources are added and removed by calls; observers hear of each.
public final class MemoryAssetStore: AssetStore {
  private let library = Mutex(MemoryLibrary())
  private let observers = ChangeObservers()
  private let now: @Sendable () -> AssetDate

  /// An empty library.
  /// - Parameter now: the clock that Recently Added goes by.
  public init(now: @escaping @Sendable () -> AssetDate = { .now }) {
    self.now = now
  }

  /// Adds an asset, or replaces the one with its identifier.
  /// - Parameters:
  ///   - asset: the new one.
  ///   - bytes: what its primary resource holds.
  ///   - album: the title of an album that it also belongs to; "Trips/Lisbon" lies in the list "Trips".
  ///   - details: what the photograph tells of its camera; nil = nothing.
  public func add(_ asset: Asset, bytes: [UInt8] = [], album: String? = nil, details: AssetDetails? = nil) {
    library.withLock { $0.add(asset, bytes: bytes, album: album, details: details) }
    observers.notify([.contents, .status])
  }

  /// Removes an asset; nothing happens when there is none.
  public func remove(_ identifier: LocalIdentifier) {
    library.withLock { $0.remove(identifier) }
    observers.notify([.contents, .status])
  }

  /// Gives a resource of an asset its bytes.
  public func setBytes(_ bytes: [UInt8], of resource: AssetResource) {
    library.withLock { $0.bytes[resource.path] = bytes }
  }

  /// Plays an original that is elsewhere: its bytes can't be read before they are downloaded.
  public func setRemote(_ resource: AssetResource) {
    library.withLock { _ = $0.remote.insert(resource.path) }
  }

  /// Plays a library that is still being read, or one that is read.
  public func setComplete(_ isComplete: Bool) {
    library.withLock { $0.isComplete = isComplete }
    observers.notify(.status)
  }

  // MARK: Fetching

  public func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    let library = library.withLock { $0 }
    var assets = library.members(of: collection, options: options, now: now())
    assets.sort(by: options.areInIncreasingOrder)
    return FetchResult(options.limited(assets))
  }

  public func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> {
    var options = options
    options.includeAllBurstAssets = true
    let assets = library.withLock { $0 }.assets(identifiers, options: options)
    return FetchResult(options.limited(assets))
  }

  public func collections(
    of types: CollectionTypes, options: FetchOptions
  ) -> FetchResult<AssetCollection> {
    FetchResult(library.withLock { $0 }.collections(of: types, options: options, now: now()))
  }

  public func collectionLists(options: FetchOptions) -> FetchResult<CollectionList> {
    FetchResult(library.withLock { $0 }.collectionLists(options: options, now: now()))
  }

  public func searchTexts(
    in fields: SearchFields, beginningWith prefix: String, collection: LocalIdentifier?, options: FetchOptions
  ) -> [SearchText] {
    library.withLock { $0 }.searchTexts(
      in: fields, beginningWith: TextPattern.fold(prefix), collection: collection, options: options,
      now: now())
  }

  public func perform(_ changes: [AssetChange]) throws(AssetError) {
    let unknown = library.withLock { $0.perform(changes) }
    if let unknown { throw AssetError(unknown.rawValue, "no such asset") }
    observers.notify(.contents)
  }

  public var status: LibraryStatus {
    library.withLock { LibraryStatus(isComplete: $0.isComplete, assetCount: $0.assets.count) }
  }

  @discardableResult
  public func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    observers.add(handler)
  }

  public func stopObserving(_ observer: ObserverID) { observers.remove(observer) }

  // MARK: Contents

  public func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    guard let bytes = library.withLock({ $0.remote.contains(resource.path) ? nil : $0.bytes[resource.path] })
    else {
      throw AssetError(resource.path.string, "no such resource")
    }
    let whole = MemoryResourceReader(bytes: bytes)
    guard let range = resource.byteRange else { return whole }
    return ResourcePart(of: whole, range)
  }

  public func isLocal(_ resource: AssetResource) -> Bool {
    library.withLock { !$0.remote.contains(resource.path) }
  }

  /// Plays a download in four parts.
  public func download(
    _ resource: AssetResource, progress: (Double) -> DownloadDecision
  ) throws(AssetError) {
    for part in 0...4 where progress(Double(part) / 4) == .stop {
      throw AssetError(resource.path.string, "the download was stopped")
    }
    library.withLock { _ = $0.remote.remove(resource.path) }
  }

  public func details(of asset: Asset) throws(AssetError) -> AssetDetails {
    library.withLock { $0.details[asset.id] } ?? AssetDetails()
  }
}
