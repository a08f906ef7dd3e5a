import AssetLibrary
import Synchronization
import SystemPackage

/// A library in memory some of which can't be read, and that tells how many listen.
final class DamagedStore: AssetStore {
  let memory = MemoryAssetStore()
  private let issues: [AssetError]
  private let observers = Mutex<Set<ObserverID>>([])

  init(_ issues: [AssetError] = []) {
    self.issues = issues
  }

  var observerCount: Int { observers.withLock { $0.count } }

  var status: LibraryStatus {
    var status = memory.status
    status.issues = issues
    return status
  }

  func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    let observer = memory.observeChanges(handler)
    observers.withLock { _ = $0.insert(observer) }
    return observer
  }

  func stopObserving(_ observer: ObserverID) {
    memory.stopObserving(observer)
    observers.withLock { _ = $0.remove(observer) }
  }

  func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    memory.assets(in: collection, options: options)
  }

  func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> {
    memory.assets(withLocalIdentifiers: identifiers, options: options)
  }

  func collections(of types: CollectionTypes, options: FetchOptions) -> FetchResult<AssetCollection> {
    memory.collections(of: types, options: options)
  }

  func collectionLists(options: FetchOptions) -> FetchResult<CollectionList> {
    memory.collectionLists(options: options)
  }

  func perform(_ changes: [AssetChange]) throws(AssetError) { try memory.perform(changes) }

  func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    try memory.reader(for: resource)
  }

  func details(of asset: Asset) throws(AssetError) -> AssetDetails { try memory.details(of: asset) }
}
