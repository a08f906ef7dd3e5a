package import AssetLibrary

/// The originals of picks that are on their way from servers before the result is handed over.
struct OriginalDownloads: Sendable {
  /// One pick, and what has come of it.
  struct Item: Sendable {
    let asset: Asset
    var fraction = 0.0
    var isHere = false
    /// Why it can't be had, as words after a colon.
    var failure: String?

    /// Bytes of all its files.
    var byteCount: Int64 { asset.remoteByteCount }
  }

  /// All picks, in their order.
  let assets: [Asset]
  /// The key of the caller's that confirmed them.
  let key: Key?
  private(set) var items: [Item]
  /// Seconds since the first was asked for.
  private(set) var elapsed = 0.0
  /// Which ones nobody wants any more.
  private(set) var cancelled: Set<LocalIdentifier> = []
  var cursor = 0

  init(_ assets: [Asset], by key: Key?) {
    self.assets = assets
    self.key = key
    items = assets.filter { !$0.isLocallyAvailable }.map { Item(asset: $0) }
  }

  mutating func update(_ progress: DownloadProgress) {
    elapsed = max(elapsed, progress.elapsed)
    guard let index = items.firstIndex(where: { $0.asset.id == progress.asset }) else { return }
    items[index].fraction = progress.fraction
    items[index].isHere = progress.isHere
    items[index].failure = progress.failure
  }

  /// Takes one out that is not here yet.
  /// - Returns: the asset; nil where there is nothing to be taken out at the cursor.
  mutating func cancelCurrent() -> LocalIdentifier? {
    guard items.indices.contains(cursor), !items[cursor].isHere else { return nil }
    let asset = items.remove(at: cursor).asset.id
    cancelled.insert(asset)
    cursor = max(0, min(cursor, items.count - 1))
    return asset
  }

  /// Whether all that is wanted is here.
  var isComplete: Bool { items.allSatisfy(\.isHere) }

  /// Whether nothing more is to be waited for although not all is here.
  var isStuck: Bool { !isComplete && items.allSatisfy { $0.isHere || $0.failure != nil } }

  /// What is handed over.
  var result: [Asset] { assets.filter { !cancelled.contains($0.id) } }

  /// All of them, for the last line.
  var work: Work {
    var work = Work(
      id: Work.downloads, title: "downloading", done: items.filter(\.isHere).count, total: items.count,
      elapsed: elapsed, isStoppable: true)
    let all = items.reduce(0) { $0 + Double($1.byteCount) }
    let done = items.reduce(0) { $0 + Double($1.byteCount) * ($1.isHere ? 1 : $1.fraction) }
    work.bytes = Int64(saturating: done)
    work.fraction = all > 0 ? done / all : 0
    return work
  }

  /// Bytes a second so far; nil while that can't be told.
  var bytesPerSecond: Int64? {
    let bytes = work.bytes
    return elapsed >= 1 && bytes > 0 ? Int64(saturating: Double(bytes) / elapsed) : nil
  }
}

extension Work {
  /// The identifier of the downloads of picks.
  package static let downloads: ID = "downloads"
}

extension Asset {
  /// Whether the file that stands for it can be read without a network.
  package var isLocallyAvailable: Bool { primaryResource?.isLocallyAvailable ?? true }

  /// Bytes of that file where it is on a server alone.
  var remoteByteCount: Int64 { isLocallyAvailable ? 0 : byteCount }
}
