import AssetLibrary
import Synchronization

/// A library in memory that notes what it is told to do beside answering.
final class NotedLibrary: AssetStore {
  enum Order: Hashable {
    case stopReading, resumeReading, allowBackgroundWork
  }

  let memory: MemoryAssetStore
  private let noted = Mutex<[Order]>([])
  private let changed: Mutex<LibraryStatus>

  init(_ assets: [Asset]) {
    memory = MemoryAssetStore(assets)
    changed = Mutex(memory.status)
  }

  /// What it was told, in order.
  var orders: [Order] { noted.withLock { $0 } }

  /// How far it is read.
  var status: LibraryStatus {
    get { changed.withLock { $0 } }
    set { changed.withLock { $0 = newValue } }
  }

  func stopReading() { noted.withLock { $0.append(.stopReading) } }
  func resumeReading() { noted.withLock { $0.append(.resumeReading) } }
  func allowBackgroundWork() { noted.withLock { $0.append(.allowBackgroundWork) } }

  func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    memory.assets(in: collection, options: options)
  }

  func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> { memory.assets(withLocalIdentifiers: identifiers, options: options) }

  func collections(of types: CollectionTypes, options: FetchOptions) -> FetchResult<AssetCollection> {
    memory.collections(of: types, options: options)
  }

  func collectionLists(options: FetchOptions) -> FetchResult<CollectionList> {
    memory.collectionLists(options: options)
  }

  func perform(_ changes: [AssetChange]) throws(AssetError) { try memory.perform(changes) }
  func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    memory.observeChanges(handler)
  }
  func stopObserving(_ observer: ObserverID) { memory.stopObserving(observer) }
  func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    try memory.reader(for: resource)
  }
  func details(of asset: Asset) throws(AssetError) -> AssetDetails { try memory.details(of: asset) }
}
