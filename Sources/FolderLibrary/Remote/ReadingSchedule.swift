/// What has to be done for the photos on the screen before something less urgent is asked of a server.
package enum AwaitedSight: Sendable {
  /// Somebody looks at something that is to be read, or has done so.
  case firstLook
  /// The first photo on the screen was read.
  case firstRead
  /// All photos on the screen were read.
  case read
  /// All photos on the screen were read, and all folders are listed.
  case readAndListed
}

/// What of the files on servers is read next: headers of visible ones, then their thumbnails, then all other headers in batches.
///
/// A value without threads, clocks and files: `RemoteReader` runs it under a lock, and says what became of each piece of work.
struct ReadingSchedule {
  /// What a thread does next.
  enum Work: Hashable {
    case batch(UnreadAssets)
    case thumbnail(MissingThumbnail)
  }

  /// What became of a batch, by its assets.
  struct BatchResult {
    /// All is known of them now.
    var described: Set<UInt64> = []
    /// They can't be read.
    var failed: Set<UInt64> = []
    /// They were not read because others are more urgent.
    var postponed: [UInt64] = []
    /// The server, or the network, is away for the moment.
    var isUnreachable = false
  }

  /// What became of a thumbnail.
  enum ThumbnailResult {
    /// It is here, or need not be.
    case kept
    /// None can be had.
    case nothing
    /// Others are more urgent.
    case postponed
    /// The server, or the network, is away for the moment.
    case unreachable
  }

  /// What is to be done after a piece of work.
  struct FollowUp: Hashable {
    /// Whether there may be work for further threads.
    var startsThreads = false
    /// Whether what became known is to be saved.
    var saves = false
    /// After which time threads are started again, because the server is away; nil = it is not.
    var pause: Duration?
  }

  /// Threads that read at once: while one batch is looked into, the next comes over the network.
  static let threadLimit = 3
  /// Assets of a batch that is visible, and of any other.
  static let visibleCount = 4
  static let otherCount = 48
  /// No more visible assets wait than this: the oldest are dropped.
  private static let mostVisible = 400
  private static let longestPause = 60

  /// Visible assets whose headers are to be read, the most urgent last.
  private var visible: [UInt64] = []
  /// How many batches of those are being read.
  private var visibleUnderWay = 0
  /// Whether one of them was read: the first does not share the network with others.
  private var hasRead = false
  /// Visible assets that are known but for their thumbnails, the most urgent last.
  private var thumbnails: [MissingThumbnail] = []
  /// File versions without a usable thumbnail; not tried again in this run.
  private var withoutThumbnail: Set<UInt64> = []
  /// Whether more is read than what is visible.
  private var readsAll = false
  /// What is read besides that, the most urgent last; nil = to be worked out.
  private var batches: [UnreadAssets]?
  private var underWay: Set<UInt64> = []
  /// What can't be read in this run.
  private(set) var failed: Set<UInt64> = []
  /// Folders of which more is known than the index has.
  private var unsaved: Set<Int> = []
  private var threads = 0
  private(set) var isStopped = false
  /// Until when nothing is asked of the server, because it does not answer.
  private var pauseEnd: ContinuousClock.Instant?
  private var pauses = 0
  /// How many passes list servers at the moment.
  private var listings = 0

  /// Whether visible headers are being read or are to be.
  var hasVisibleWork: Bool { visibleUnderWay > 0 || !visible.isEmpty }

  /// Whether the caller has to go on waiting.
  func awaits(_ sight: AwaitedSight) -> Bool {
    if isStopped { return false }
    return switch sight {
    case .firstLook: !hasRead && !hasVisibleWork
    case .firstRead: !hasRead && hasVisibleWork
    case .read: pauseEnd == nil && hasVisibleWork
    case .readAndListed: hasVisibleWork || listings > 0
    }
  }

  // MARK: What is wanted

  /// Puts visible assets before all others.
  /// - Parameters:
  ///   - unread: those whose headers are not read.
  ///   - thumbnails: those that only lack a thumbnail.
  /// - Returns: whether there is something to do.
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

  /// Has all that is not known be read, in the background.
  mutating func readAll() { (batches, readsAll) = (nil, true) }

  /// Begins a pass that lists servers: an original waits until it is over.
  mutating func beginListing() { listings += 1 }

  mutating func endListing() { listings -= 1 }

  /// Gives out no more work.
  mutating func stop() { isStopped = true }

  mutating func resume() { isStopped = false }

  // MARK: Threads

  /// Counts in another thread.
  /// - Returns: false where there are enough.
  mutating func addThread() -> Bool {
    guard !isStopped, threads < Self.threadLimit else { return false }
    threads += 1
    return true
  }

  /// Counts out a thread that could not be started.
  mutating func removeThread() { threads -= 1 }

  /// Whether `next` is to be told all that is unread before it is asked.
  var needsBatches: Bool { batches == nil && readsAll && !isStopped && visible.isEmpty }

  /// Takes all that is unread.
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

  /// What a thread does next; nil where nothing is to be done: then the thread is counted out.
  /// - Parameters:
  ///   - unread: which of some assets are still unread, with their folders; others are dropped.
  ///   - connections: how many files of a folder are best read at once.
  mutating func next(
    at now: ContinuousClock.Instant, unread: ([UInt64]) -> [(asset: UInt64, folder: Int)],
    connections: (_ folder: Int) -> Int
  ) -> Work? {
    let isOver = isStopped || pauseEnd.map { now < $0 } ?? false
    let work = isOver ? nil : nextWork(unread, connections)
    if work == nil { threads -= 1 }
    return work
  }

  /// Whether the last thread is counted out.
  var isIdle: Bool { threads == 0 }

  private mutating func nextWork(
    _ unread: ([UInt64]) -> [(asset: UInt64, folder: Int)], _ connections: (Int) -> Int
  ) -> Work? {
    if let batch = visibleBatch(unread, connections) {
      underWay.formUnion(batch.assets)
      visibleUnderWay += 1
      return .batch(batch)
    }
    // The thread that finishes what is visible goes on with the others.
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

  /// Visible assets that are not known, as far as they lie in one folder.
  private mutating func visibleBatch(
    _ unread: ([UInt64]) -> [(asset: UInt64, folder: Int)], _ connections: (Int) -> Int
  ) -> UnreadAssets? {
    if visible.isEmpty || !hasRead && visibleUnderWay > 0 { return nil }
    let unread = unread(visible.filter { !failed.contains($0) })
    // What is being read with others stays visible: they make room for it.
    visible = unread.map(\.asset)
    let free = unread.filter { !underWay.contains($0.asset) }
    guard let folder = free.last?.folder else { return nil }
    let count = min(Self.visibleCount, connections(folder))
    let assets = free.filter { $0.folder == folder }.suffix(count).map(\.asset)
    visible.removeAll(where: assets.contains)
    return UnreadAssets(folder: folder, assets: assets, isWanted: true)
  }

  // MARK: What became of it

  /// Notes what became of a batch.
  mutating func finish(
    _ batch: UnreadAssets, _ result: BatchResult, at now: ContinuousClock.Instant
  ) -> FollowUp {
    underWay.subtract(batch.assets)
    failed.formUnion(result.failed)
    if batch.isWanted { visibleUnderWay -= 1 }
    // An asset that is being read with others when it becomes visible is read for that as well.
    let wasVisible = batch.isWanted || visible.contains { result.described.contains($0) }
    visible.removeAll { result.described.contains($0) || result.failed.contains($0) }
    // Other threads ended because something was visible.
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

  /// Notes what became of a thumbnail.
  mutating func finish(
    _ thumbnail: MissingThumbnail, _ result: ThumbnailResult, at now: ContinuousClock.Instant
  ) -> FollowUp {
    // Other threads ended because something was visible.
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

  /// Has nothing asked of the server for a while.
  /// - Returns: how long: twice as long each time, since a network may be away for hours.
  private mutating func beginPause(at now: ContinuousClock.Instant) -> Duration {
    let length = Duration.seconds(min(Self.longestPause, 1 << min(pauses, 6)))
    pauses += 1
    pauseEnd = now + length
    return length
  }

  /// Takes the folders that are to be saved.
  mutating func takeUnsaved() -> Set<Int> {
    defer { unsaved = [] }
    return unsaved
  }
}

/// Some assets of one folder on a server of which nothing but their names and dates is known.
struct UnreadAssets: Hashable, Sendable {
  /// The index of the folder.
  var folder: Int
  var assets: [UInt64]
  /// Whether one of them is visible.
  var isWanted: Bool
}

/// A visible asset on a server that is known but for its thumbnail.
struct MissingThumbnail: Hashable, Sendable {
  var asset: UInt64
  /// That of its file.
  var version: UInt64
}
