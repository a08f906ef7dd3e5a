import AssetLibrary
import Dispatch

/// A store that opens no file before it is told to: whoever works on one stands still meanwhile.
final class GatedStore: AssetStore {
  private let store: MemoryAssetStore
  private let gate = DispatchSemaphore(value: 0)
  private let arrivals: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation

  init(_ store: MemoryAssetStore) {
    self.store = store
    (arrivals, arrival) = AsyncStream.makeStream()
  }

  /// Waits until somebody stands before the gate.
  func waitForArrival() async {
    for await _ in arrivals { break }
  }

  /// Lets one through.
  func open() { gate.signal() }

  func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    arrival.yield()
    gate.wait()
    return try store.reader(for: resource)
  }

  func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    store.assets(in: collection, options: options)
  }

  func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> {
    store.assets(withLocalIdentifiers: identifiers, options: options)
  }

  func collections(
    of types: CollectionTypes, options: FetchOptions
  ) -> FetchResult<AssetCollection> {
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

  func details(of asset: Asset) throws(AssetError) -> AssetDetails { try store.details(of: asset) }
}
