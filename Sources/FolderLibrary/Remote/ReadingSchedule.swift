/// What a less urgent request to a server waits for, so that visible photos are read first.
package enum AwaitedReads: Sendable {
  /// Unread photos have become visible, or some have already been read.
  case firstLook
  /// The first visible photo has been read.
  case firstRead
  /// All visible photos have been read.
  case read
  /// All visible photos have been read, and all folders have been listed.
  case readAndListed
}

/// Decides which remote files to read next: headers of visible ones, then their thumbnails, then all other
/// headers in batches.
///
/// A value without threads, clocks and files: `RemoteReader` uses it under a lock and reports the result of
/// each task.
struct ReadingSchedule {
  /// The next task of a thread.
  enum Work: Hashable {
    case batch(UnreadAssets)
    case thumbnail(MissingThumbnail)
  }

  /// The result of a batch, by asset.
  struct BatchResult {
    /// Assets that are now fully known.
    var described: Set<UInt64> = []
    /// Assets that can't be read.
    var failed: Set<UInt64> = []
    /// Assets not read because others are more urgent.
    var postponed: [UInt64] = []
    /// Whether the server or the network is unavailable for the moment.
    var isUnreachable = false
  }

  /// The result of reading a thumbnail.
  enum ThumbnailResult {
    /// The thumbnail is stored, or is not needed.
    case kept
    /// The file has no usable thumbnail.
    case nothing
    /// Others are more urgent.
    case postponed
    /// The server or the network is unavailable for the moment.
    case unreachable
  }

  /// What to do after a task.
  struct FollowUp: Hashable {
    /// Whether there may be work for more threads.
    var startsThreads = false
    /// Whether to save the folders that were read.
    var saves = false
    /// The pause before threads are started again because the server is unavailable; nil = it is available.
    var pause: Duration?
  }

  /// The maximum number of threads: while one batch is parsed, the next one is downloaded.
  static let threadLimit = 3
  /// The number of assets in a batch of visible assets.
  static let visibleCount = 4
  /// The number of assets in any other batch.
  static let otherCount = 48
  /// The maximum number of queued visible assets; the oldest are dropped.
  private static let mostVisible = 400
  private static let longestPause = 60

  /// Visible assets whose headers are to be read, the most urgent last.
  private var visible: [UInt64] = []
  /// The number of visible batches being read.
  private var visibleUnderWay = 0
  /// Whether a visible batch has been read: until then, the first one has the network to itself.
  private var hasRead = false
  /// Visible assets that lack only their thumbnails, the most urgent last.
  private var thumbnails: [MissingThumbnail] = []
  /// File versions without a usable thumbnail; not retried in this run.
  private var withoutThumbnail: Set<UInt64> = []
  /// Whether to read assets that are not visible too.
  private var readsAll = false
  /// Batches of the other assets, the most urgent last; nil = to be computed.
  private var batches: [UnreadAssets]?
  private var underWay: Set<UInt64> = []
  /// Assets that can't be read in this run.
  private(set) var failed: Set<UInt64> = []
  /// Folders with changes that are not in the index yet.
  private var unsaved: Set<Int> = []
  private var threads = 0
  private(set) var isStopped = false
  /// No requests are sent before this time because the server does not respond.
  private var pauseEnd: ContinuousClock.Instant?
  private var pauses = 0
  /// The number of scans that are listing servers.
  private var listings = 0

  /// Whether visible headers are being read or queued.
  var hasVisibleWork: Bool { visibleUnderWay > 0 || !visible.isEmpty }

  /// Whether the caller has to keep waiting.
  func awaits(_ reads: AwaitedReads) -> Bool {
    if isStopped { return false }
    return switch reads {
    case .firstLook: !hasRead && !hasVisibleWork
    case .firstRead: !hasRead && hasVisibleWork
    case .read: pauseEnd == nil && hasVisibleWork
    case .readAndListed: hasVisibleWork || listings > 0
    }
  }

  // MARK: Requests

  /// Queues visible assets before all others.
  /// - Parameters:
  ///   - unread: assets whose headers have not been read.
  ///   - thumbnails: assets that lack only a thumbnail.
  /// - Returns: whether there is anything to do.
  mutating func want(_ unread: [UInt64], _ thumbnails: [MissingThumbnail]) -> Bool {
    let thumbnails = thumbnails.filter { !withoutThumbnail.contains($0.version) }
    if isStopped || unread.isEmpty && thumbnails.isEmpty { return false }
    visible.removeAll(where: unread.contains)
    visible += unread
    visible.removeFirst(max(0, visible.count - Self.mostVisible))
    self.thumbnails.removeAll(where: thumbnails.contains)
    self.thumbnails += thumbnails
    self.thumbnails.removeFirst(max(0, self.thumbnails.count - Self.mostVisible))
    return true
  }

  /// Lets all unread assets be read in the background.
  mutating func readAll() { (batches, readsAll) = (nil, true) }

  /// Records the start of a scan that lists servers; downloads of originals wait for its end.
  mutating func beginListing() { listings += 1 }

  mutating func endListing() { listings -= 1 }

  /// Stops handing out tasks.
  mutating func stop() { isStopped = true }

  mutating func resume() { isStopped = false }

  // MARK: Threads

  /// Adds a thread to the count.
  /// - Returns: false if the limit is reached.
  mutating func addThread() -> Bool {
    guard !isStopped, threads < Self.threadLimit else { return false }
    threads += 1
    return true
  }

  /// Removes a thread that could not be started from the count.
  mutating func removeThread() { threads -= 1 }

  /// Whether `setBatches` must be called before `next`.
  var needsBatches: Bool { batches == nil && readsAll && !isStopped && visible.isEmpty }

  /// Makes batches of all unread assets.
  /// - Parameter unread: assets with their folders and dates, in any order; the newest are read first.
  mutating func setBatches(_ unread: [(folder: Int, asset: UInt64, date: Int64)]) {
    guard batches == nil else { return }
    var found: [UnreadAssets] = []
    var open: [Int: Int] = [:]
    for (folder, asset, _) in unread.sorted(by: { $0.date > $1.date }) {
      if let place = open[folder], found[place].assets.count < Self.otherCount {
        found[place].assets.append(asset)
      } else {
        open[folder] = found.count
        found.append(UnreadAssets(folder: folder, assets: [asset], isWanted: false))
      }
    }
    batches = found.reversed()
  }

  /// Returns the next task of a thread; nil if there is none, and the thread is removed from the count.
  /// - Parameters:
  ///   - unread: returns those of the given assets that are still unread, with their folders; others are
  ///     dropped.
  ///   - connections: the best number of files of a folder to read at once.
  mutating func next(
    at now: ContinuousClock.Instant, unread: ([UInt64]) -> [(asset: UInt64, folder: Int)],
    connections: (_ folder: Int) -> Int
  ) -> Work? {
    let isOver = isStopped || pauseEnd.map { now < $0 } ?? false
    let work = isOver ? nil : nextWork(unread, connections)
    if work == nil { threads -= 1 }
    return work
  }

  /// Whether no threads are running.
  var isIdle: Bool { threads == 0 }

  private mutating func nextWork(
    _ unread: ([UInt64]) -> [(asset: UInt64, folder: Int)], _ connections: (Int) -> Int
  ) -> Work? {
    if let batch = visibleBatch(unread, connections) {
      underWay.formUnion(batch.assets)
      visibleUnderWay += 1
      return .batch(batch)
    }
    // The thread that finishes the visible assets continues with the others.
    if hasVisibleWork { return nil }
    if let thumbnail = thumbnails.popLast() { return .thumbnail(thumbnail) }
    while readsAll, var batch = batches?.popLast() {
      batch.assets.removeAll { underWay.contains($0) || failed.contains($0) }
      if batch.assets.isEmpty { continue }
      underWay.formUnion(batch.assets)
      return .batch(batch)
    }
    return nil
  }

  /// Returns the most urgent visible unread assets of one folder.
  private mutating func visibleBatch(
    _ unread: ([UInt64]) -> [(asset: UInt64, folder: Int)], _ connections: (Int) -> Int
  ) -> UnreadAssets? {
    if visible.isEmpty || !hasRead && visibleUnderWay > 0 { return nil }
    let unread = unread(visible.filter { !failed.contains($0) })
    // Assets that are being read in another batch stay queued, so that other batches yield to them.
    visible = unread.map(\.asset)
    let free = unread.filter { !underWay.contains($0.asset) }
    guard let folder = free.last?.folder else { return nil }
    let count = min(Self.visibleCount, connections(folder))
    let assets = free.filter { $0.folder == folder }.suffix(count).map(\.asset)
    visible.removeAll(where: assets.contains)
    return UnreadAssets(folder: folder, assets: assets, isWanted: true)
  }

  // MARK: Results

  /// Records the result of a batch.
  mutating func finish(
    _ batch: UnreadAssets, _ result: BatchResult, at now: ContinuousClock.Instant
  ) -> FollowUp {
    underWay.subtract(batch.assets)
    failed.formUnion(result.failed)
    if batch.isWanted { visibleUnderWay -= 1 }
    // If an asset became visible while it was read in another batch, the batch counts as visible too.
    let wasVisible = batch.isWanted || visible.contains { result.described.contains($0) }
    visible.removeAll { result.described.contains($0) || result.failed.contains($0) }
    // Other threads may have ended because visible assets were being read.
    let isFree = (!hasVisibleWork || !hasRead) && threads < Self.threadLimit
    if wasVisible { hasRead = true }
    if !result.postponed.isEmpty {
      batches?.append(UnreadAssets(folder: batch.folder, assets: result.postponed, isWanted: false))
    }
    if !result.described.isEmpty {
      unsaved.insert(batch.folder)
      (pauseEnd, pauses) = (nil, 0)
    }
    let isLast = batches?.isEmpty ?? false
    guard result.isUnreachable, !isStopped else { return FollowUp(startsThreads: isFree, saves: isLast) }
    batches = nil
    if batch.isWanted { visible += batch.assets }
    return FollowUp(saves: true, pause: beginPause(at: now))
  }

  /// Records the result of a thumbnail.
  mutating func finish(
    _ thumbnail: MissingThumbnail, _ result: ThumbnailResult, at now: ContinuousClock.Instant
  ) -> FollowUp {
    // Other threads may have ended because visible assets were being read.
    let isFree = !hasVisibleWork && threads < Self.threadLimit
    switch result {
    case .kept: break
    case .nothing: withoutThumbnail.insert(thumbnail.version)
    case .postponed: if !thumbnails.contains(thumbnail) { thumbnails.append(thumbnail) }
    case .unreachable:
      if !thumbnails.contains(thumbnail) { thumbnails.append(thumbnail) }
      return FollowUp(pause: isStopped ? nil : beginPause(at: now))
    }
    return FollowUp(startsThreads: isFree)
  }

  /// Starts a pause in the requests to the server.
  /// - Returns: its length, which doubles each time, since a network may be unavailable for hours.
  private mutating func beginPause(at now: ContinuousClock.Instant) -> Duration {
    let length = Duration.seconds(min(Self.longestPause, 1 << min(pauses, 6)))
    pauses += 1
    pauseEnd = now + length
    return length
  }

  /// Returns and clears the folders to be saved.
  mutating func takeUnsaved() -> Set<Int> {
    defer { unsaved = [] }
    return unsaved
  }
}

/// Unread assets of one remote folder: only names and dates are known.
struct UnreadAssets: Hashable, Sendable {
  /// The index of the folder.
  var folder: Int
  var assets: [UInt64]
  /// Whether an asset of them is visible.
  var isWanted: Bool
}

/// A visible remote asset that lacks only its thumbnail.
struct MissingThumbnail: Hashable, Sendable {
  var asset: UInt64
  /// The version of its file.
  var version: UInt64
}
