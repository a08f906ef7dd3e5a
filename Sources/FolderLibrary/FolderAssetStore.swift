public import AssetLibrary
import Dispatch
import Synchronization
public import SystemPackage

/// A library of photo folders on disk.
///
/// The scan runs on threads of its own; fetches answer from what it has found so far and never wait for it.
public final class FolderAssetStore: AssetStore {
  private let scan: FolderScan
  private let snapshot = Mutex(FolderSnapshot())
  private let observers = Mutex<[@Sendable () -> Void]>([])
  private let finished = DispatchGroup()

  /// A library of the given folders (walked with all below them) and files.
  public init(sources: [FilePath]) {
    scan = FolderScan(sources: sources)
  }

  /// Starts the scan and returns at once.
  public func start() {
    finished.enter()
    scan.start { [self] news in
      snapshot.withLock { $0.apply(news) }
      for observer in observers.withLock({ $0 }) { observer() }
      if news.isLast { finished.leave() }
    }
  }

  /// Waits until the scan that `start` began has seen everything.
  public func waitUntilComplete() { finished.wait() }

  /// Gives the scan up; what was found stays.
  public func stop() { scan.cancel() }

  public func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    snapshot.withLock { $0 }.assets(in: collection, options: options)
  }

  public func collections(options: FetchOptions) -> FetchResult<AssetCollection> {
    snapshot.withLock { $0 }.collections(options: options)
  }

  public var status: LibraryStatus { snapshot.withLock { $0.status } }

  public func observeChanges(_ handler: @escaping @Sendable () -> Void) {
    observers.withLock { $0.append(handler) }
  }

  public func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    try OpenFile(resource.path)
  }

  public func details(of asset: Asset) throws(AssetError) -> AssetDetails {
    guard let resource = asset.primaryResource, !asset.isBroken else { return AssetDetails() }
    return try AssetReader.details(of: resource)
  }

  /// The assets that `path` stands for: itself, or all below it when it is a folder.
  ///
  /// Reads the disk. The identifiers are those under which a library that holds the same files knows them.
  /// - Throws: `AssetError` when there is no such path.
  public static func identifiers(at path: FilePath) throws(AssetError) -> Set<LocalIdentifier> {
    guard path.fileType != nil else { throw AssetError(path: path, Errno.noSuchFileOrDirectory) }
    let store = FolderAssetStore(sources: [path])
    store.start()
    store.waitUntilComplete()
    return Set(store.assets(in: nil, options: FetchOptions()).map(\.id))
  }
}
