import Synchronization
import SystemPackage

/// A library in memory, for tests and for programs that bring their own pictures.
///
/// Assets and the bytes of their resources are added and removed by calls; observers hear of each.
public final class MemoryAssetStore: AssetStore {
  private struct Contents {
    var assets: [Asset] = []
    var albums: [LocalIdentifier: [LocalIdentifier]] = [:]
    var bytes: [FilePath: [UInt8]] = [:]
    var details: [LocalIdentifier: AssetDetails] = [:]
    var isComplete = true
  }

  private let contents = Mutex(Contents())
  private let observers = Mutex<[@Sendable () -> Void]>([])

  public init() {}

  /// Adds an asset, or replaces the one with its identifier.
  /// - Parameters:
  ///   - bytes: what its primary resource holds.
  ///   - album: the title of an album that it also belongs to.
  public func add(_ asset: Asset, bytes: [UInt8] = [], album: String? = nil, details: AssetDetails? = nil) {
    contents.withLock { contents in
      contents.assets.removeAll { $0.id == asset.id }
      contents.assets.append(asset)
      if let path = asset.primaryResource?.path { contents.bytes[path] = bytes }
      if let album { contents.albums[LocalIdentifier(album), default: []].append(asset.id) }
      contents.details[asset.id] = details
    }
    notify()
  }

  /// Removes an asset; nothing happens when there is none.
  public func remove(_ identifier: LocalIdentifier) {
    contents.withLock { contents in
      contents.assets.removeAll { $0.id == identifier }
      for album in contents.albums.keys { contents.albums[album]?.removeAll { $0 == identifier } }
    }
    notify()
  }

  /// Plays a library that is still being read, or one that is read.
  public func setComplete(_ isComplete: Bool) {
    contents.withLock { $0.isComplete = isComplete }
    notify()
  }

  public func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    let contents = contents.withLock { $0 }
    let members = collection.flatMap { album in
      album == AssetCollection.recents ? nil : Set(contents.albums[album] ?? [])
    }
    var assets = contents.assets.filter { asset in
      options.admits(asset) && (members?.contains(asset.id) ?? true)
    }
    assets.sort(by: options.sort.areInIncreasingOrder)
    return FetchResult(options.fetchLimit > 0 ? Array(assets.prefix(options.fetchLimit)) : assets)
  }

  public func collections(options: FetchOptions) -> FetchResult<AssetCollection> {
    let albums = contents.withLock { $0.albums.keys.sorted() }
    let all = assets(in: nil, options: options).count
    var collections = [
      AssetCollection(
        localIdentifier: AssetCollection.recents, title: "Recents", kind: .smartAlbum,
        estimatedAssetCount: all)
    ]
    for album in albums {
      let count = assets(in: album, options: options).count
      guard count > 0 else { continue }
      collections.append(
        AssetCollection(
          localIdentifier: album, title: album.rawValue, kind: .album, estimatedAssetCount: count))
    }
    return FetchResult(collections)
  }

  public var status: LibraryStatus {
    contents.withLock { LibraryStatus(isComplete: $0.isComplete, assetCount: $0.assets.count) }
  }

  public func observeChanges(_ handler: @escaping @Sendable () -> Void) {
    observers.withLock { $0.append(handler) }
  }

  private func notify() {
    for observer in observers.withLock({ $0 }) { observer() }
  }

  public func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    guard let bytes = contents.withLock({ $0.bytes[resource.path] }) else {
      throw AssetError(resource.path.string, "no such resource")
    }
    return MemoryResourceReader(bytes: bytes)
  }

  public func details(of asset: Asset) throws(AssetError) -> AssetDetails {
    contents.withLock { $0.details[asset.id] } ?? AssetDetails()
  }
}

/// Bytes in memory behind the reader protocol.
struct MemoryResourceReader: ResourceReader {
  let bytes: [UInt8]

  var count: Int { bytes.count }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    guard offset < bytes.count else { return 0 }
    let end = min(bytes.count, offset + buffer.count)
    buffer.copyBytes(from: bytes[offset..<end])
    return end - offset
  }
}
