import AssetLibrary
import Dispatch
import Synchronization

/// A store that answers no fetch of a collection before it is told to, and notes which were asked.
final class GatedLibrary: AssetStore {
  private let store: MemoryAssetStore
  private let gate = DispatchSemaphore(value: 0)
  private let arrivals: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation
  private let asked = Mutex<[LocalIdentifier?]>([])

  init(_ assets: [Asset]) {
    store = MemoryAssetStore(assets)
    (arrivals, arrival) = AsyncStream.makeStream()
  }

  /// The collections whose assets were asked for, in order.
  var askedCollections: [LocalIdentifier?] { asked.withLock { $0 } }

  /// Waits until somebody stands before the gate.
  func waitForArrival() async {
    for await _ in arrivals { break }
  }

  /// Lets so many through, each once.
  func open(_ count: Int = 1) {
    for _ in 0..<count { gate.signal() }
  }

  func remove(_ name: String) { store.remove(LocalIdentifier(name)) }
  func setComplete(_ isComplete: Bool) { store.setComplete(isComplete) }

  func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    asked.withLock { $0.append(collection) }
    arrival.yield()
    gate.wait()
    return store.assets(in: collection, options: options)
  }

  func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> { store.assets(withLocalIdentifiers: identifiers, options: options) }

  func collections(of types: CollectionTypes, options: FetchOptions) -> FetchResult<AssetCollection> {
    store.collections(of: types, options: options)
  }

  func collectionLists(options: FetchOptions) -> FetchResult<CollectionList> {
    store.collectionLists(options: options)
  }

  func perform(_ changes: [AssetChange]) throws(AssetError) { try store.perform(changes) }
  var status: LibraryStatus { store.status }
  func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    store.observeChanges(handler)
  }
  func stopObserving(_ observer: ObserverID) { store.stopObserving(observer) }
  func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    try store.reader(for: resource)
  }
  func details(of asset: Asset) throws(AssetError) -> AssetDetails { try store.details(of: asset) }
}
