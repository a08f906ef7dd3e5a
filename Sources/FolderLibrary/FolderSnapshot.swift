import AssetLibrary
import SystemPackage

/// What is known of a library of folders at one moment: a value that fetches read.
struct FolderSnapshot: Sendable {
  struct Folder: Sendable {
    var identifier: LocalIdentifier
    var title: String
    var depth: Int
    /// The path below the source, for the order of the list.
    var order: [UInt8]
  }

  struct Entry: Sendable {
    var asset: Asset
    /// The index of the folder that holds it.
    var folder: Int
  }

  private(set) var folders: [Folder] = []
  /// Newest first.
  private(set) var entries: [Entry] = []
  /// What is there already: a file that is named by itself may lie in a folder that is named too.
  private var known: Set<LocalIdentifier> = []
  var issues: [AssetError] = []
  var isComplete = false

  /// Adds a folder and answers its index.
  mutating func add(_ folder: Folder) -> Int {
    folders.append(folder)
    return folders.count - 1
  }

  /// Merges new entries into their places: linear in the library, n log n in what is new.
  mutating func merge(_ new: [Entry]) {
    let unknown = new.filter { known.insert($0.asset.id).inserted }
    guard !unknown.isEmpty else { return }
    let precedes = { (a: Entry, b: Entry) in AssetSort.newest.areInIncreasingOrder(a.asset, b.asset) }
    let new = unknown.sorted(by: precedes)
    var merged: [Entry] = []
    merged.reserveCapacity(entries.count + new.count)
    var old = entries[...]
    for entry in new {
      let older = old.firstIndex { precedes(entry, $0) } ?? old.endIndex
      merged.append(contentsOf: old[..<older])
      merged.append(entry)
      old = old[older...]
    }
    merged.append(contentsOf: old)
    entries = merged
  }

  func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    var folder: Int?
    if let collection, collection != AssetCollection.recents {
      folder = folders.firstIndex { $0.identifier == collection }
      if folder == nil { return FetchResult() }
    }
    var assets: [Asset] = []
    for entry in entries where folder == nil || entry.folder == folder {
      if options.admits(entry.asset) { assets.append(entry.asset) }
    }
    if options.sort != .newest { assets.sort(by: options.sort.areInIncreasingOrder) }
    return FetchResult(options.fetchLimit > 0 ? Array(assets.prefix(options.fetchLimit)) : assets)
  }

  func collections(options: FetchOptions) -> FetchResult<AssetCollection> {
    var counts = [Int](repeating: 0, count: folders.count)
    for entry in entries where options.admits(entry.asset) { counts[entry.folder] += 1 }
    var collections = [
      AssetCollection(
        localIdentifier: AssetCollection.recents, title: "Recents", kind: .smartAlbum,
        estimatedAssetCount: counts.reduce(0, +))
    ]
    let order = folders.indices.sorted { folders[$0].order.lexicographicallyPrecedes(folders[$1].order) }
    for index in order where counts[index] > 0 {
      let folder = folders[index]
      collections.append(
        AssetCollection(
          localIdentifier: folder.identifier, title: folder.title, kind: .album,
          estimatedAssetCount: counts[index], depth: folder.depth))
    }
    return FetchResult(collections)
  }

  var status: LibraryStatus {
    LibraryStatus(isComplete: isComplete, assetCount: entries.count, issues: issues)
  }
}
