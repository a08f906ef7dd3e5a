import AssetLibrary
import CodecProtocol
import Dispatch
import Synchronization
import System
import SystemPackage

/// What has to be over, for somebody who looks at a screen, before something less urgent is asked of a server.
package enum AwaitedSight: Sendable {
  /// Somebody looks at something that is to be read, or has done so.
  case firstLook
  /// The first that somebody looks at was read.
  case firstRead
  /// All was read that somebody looks at.
  case read
  /// All was read that somebody looks at, and all folders are listed.
  case readAndListed
}

/// Reads the beginnings of files on servers, and puts what they tell into the library: what somebody looks at first, then their
/// thumbnails where these take more than that, then all others from the newest on.
///
/// The way to a server is narrow: while something is on its way that somebody looks at, nothing else is asked for. Calls may
/// come from any thread.
final class RemoteReader: Sendable {
  private struct State {
    /// What somebody looks at, the most urgent last.
    var wanted: [UInt64] = []
    /// How many batches of that are being read.
    var wantedUnderWay = 0
    /// Whether one of them has been read: the first does not share the way with others.
    var hasRead = false
    /// What somebody looks at that is known but for its thumbnail, the most urgent last.
    var bare: [Bare] = []
    /// The versions of files of which no thumbnail can be had in this run.
    var hopeless: Set<UInt64> = []
    /// Whether more is to be read than what somebody looks at.
    var readsAll = false
    /// What is to be read without that, the most urgent last; nil = to be worked out.
    var batches: [UnreadAssets]?
    /// What is being read.
    var underWay: Set<UInt64> = []
    /// What can't be read in this run.
    var failed: Set<UInt64> = []
    /// Folders of which more is known than the index has.
    var unsaved: Set<Int> = []
    var workers = 0
    var isStopped = false
    /// The server does not answer: nothing is asked of it before.
    var pause: ContinuousClock.Instant?
    var pauses = 0
    /// How many sources are being listed for the first time.
    var listings = 0

    /// Whether something is to come that somebody looks at.
    var isSomebodyWaiting: Bool { wantedUnderWay > 0 || !wanted.isEmpty }

    func awaits(_ sight: AwaitedSight) -> Bool {
      if isStopped { return false }
      return switch sight {
      case .firstLook: !hasRead && !isSomebodyWaiting
      case .firstRead: !hasRead && isSomebodyWaiting
      case .read: pause == nil && isSomebodyWaiting
      case .readAndListed: isSomebodyWaiting || listings > 0
      }
    }

    /// Has nothing asked of the server for a while.
    /// - Returns: how long: twice as long each time, since a network may be away for hours.
    mutating func beginPause() -> Duration {
      let length = Duration.seconds(min(60, 1 << min(pauses, 6)))
      pauses += 1
      pause = .now + length
      return length
    }
  }

  /// An asset without a thumbnail.
  private struct Bare: Hashable {
    var asset: UInt64
    /// That of its file.
    var version: UInt64
  }

  private enum Work {
    case batch(UnreadAssets)
    case thumbnail(Bare)
  }

  /// Batches read at once: while one is looked into, the next comes over the network.
  private static let workers = 3
  /// Assets of a batch that somebody waits for, and of any other.
  private static let wantedCount = 4
  private static let otherCount = 48
  /// More is not remembered of what was looked at.
  private static let mostWanted = 400
  /// What is in sight is asked for one by one, the most urgent last: after this time all of it is here.
  private static let gathering: Duration = .milliseconds(3)
  /// The interval at which waiting callers look again: a cancellation is a question, nothing tells of it.
  private static let pause: Duration = .milliseconds(10)

  let context: ScanContext
  private let helper: CodecHelper?
  private let sources: [any RemoteSource]
  private let state = Mutex(State())
  private let heads = RecentHeads()
  private let ended = DispatchGroup()
  private var model: LibraryModel { context.model }

  init(_ context: ScanContext, helper: CodecHelper?, _ sources: [any RemoteSource]) {
    (self.context, self.helper, self.sources) = (context, helper, sources)
  }

  /// Has assets read before all others, and their thumbnails after that, because somebody looks at them.
  func want(_ identifiers: [UInt64]) {
    let copies = model.copies
    let (unread, bare) = model.read { library in
      let unread = identifiers.filter { Self.folder(of: $0, in: library) != nil }
      return (unread, identifiers.compactMap { Self.bare($0, in: library, copies) })
    }
    let isNews = state.withLock { state in
      let bare = bare.filter { !state.hopeless.contains($0.version) }
      if state.isStopped || unread.isEmpty && bare.isEmpty { return false }
      state.wanted.removeAll(where: unread.contains)
      state.wanted += unread
      state.wanted.removeFirst(max(0, state.wanted.count - Self.mostWanted))
      state.bare.removeAll(where: bare.contains)
      state.bare += bare
      state.bare.removeFirst(max(0, state.bare.count - Self.mostWanted))
      return true
    }
    if isNews { startWorkers(after: Self.gathering) }
  }

  /// Reads whatever is not known, in the background.
  func readAll() {
    state.withLock { ($0.batches, $0.readsAll) = (nil, true) }
    startWorkers()
  }

  /// Lists sources, while which nothing is read but what somebody looks at.
  func whileListing(_ body: () -> Void) {
    state.withLock { $0.listings += 1 }
    body()
    state.withLock { $0.listings -= 1 }
  }

  /// Waits until nothing is to be seen before what the caller is to ask of a server, or a time is over.
  func wait(for sight: AwaitedSight, atMost time: Duration, isCancelled: () -> Bool) {
    _ = Waiting.until(.now + time, every: Self.pause) {
      !state.withLock { $0.awaits(sight) } || isCancelled()
    }
  }

  /// Waits until nothing more can be read for the moment.
  func wait() { ended.wait() }

  /// Ends the reading; what is under way is given up.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Takes up again what was stopped.
  func resume() { state.withLock { $0.isStopped = false } }

  /// - Parameter pause: the time before the first begins.
  private func startWorkers(after pause: Duration = .zero) {
    guard !sources.allSatisfy(\.isOffline) else { return }
    while true {
      let isWanted = state.withLock { state in
        guard !state.isStopped, state.workers < Self.workers else { return false }
        state.workers += 1
        return true
      }
      guard isWanted else { return }
      ended.enter()
      let isStarted = WorkerThread.start { [self] in
        if pause > .zero { Waiting.pause(pause) }
        work()
      }
      if !isStarted {
        state.withLock { $0.workers -= 1 }
        ended.leave()
        return
      }
    }
  }

  // MARK: The threads

  private func work() {
    while let work = next() {
      switch work {
      case .batch(let batch):
        let result = RemoteBatch(batch, context, helper, sources, heads).read(
          isCancelled: { [self] in isCancelled },
          yields: { [self] in !batch.isWanted && state.withLock(\.isSomebodyWaiting) })
        finish(batch, result)
      case .thumbnail(let bare):
        let outcome = RemoteThumbnail(model, helper, sources, heads).bring(
          bare.asset, isCancelled: { [self] in isCancelled },
          yields: { [self] in state.withLock(\.isSomebodyWaiting) })
        finish(bare, outcome)
      }
    }
    if state.withLock({ $0.workers == 0 }) { save() }
    ended.leave()
  }

  private var isCancelled: Bool { state.withLock { $0.isStopped } || context.control.isCancelled }

  /// What is to be done next; nil where nothing is, and then the thread counts as ended.
  private func next() -> Work? {
    let (needsBatches, failed) = state.withLock { state in
      (state.batches == nil && state.readsAll && !state.isStopped && state.wanted.isEmpty, state.failed)
    }
    if needsBatches {
      let batches = self.batches(without: failed)
      state.withLock { if $0.batches == nil { $0.batches = batches } }
    }
    return state.withLock { state in
      let isOver = state.isStopped || context.control.isCancelled || state.pause.map { .now < $0 } ?? false
      let work = isOver ? nil : nextWork(&state)
      if work == nil { state.workers -= 1 }
      return work
    }
  }

  private func nextWork(_ state: inout State) -> Work? {
    if let batch = wantedBatch(&state) {
      state.underWay.formUnion(batch.assets)
      state.wantedUnderWay += 1
      return .batch(batch)
    }
    // Whoever finishes what is wanted goes on with the others.
    if state.isSomebodyWaiting { return nil }
    if let bare = state.bare.popLast() { return .thumbnail(bare) }
    while state.readsAll, var batch = state.batches?.popLast() {
      batch.assets.removeAll { state.underWay.contains($0) || state.failed.contains($0) }
      if batch.assets.isEmpty { continue }
      state.underWay.formUnion(batch.assets)
      return .batch(batch)
    }
    return nil
  }

  /// What somebody looks at and is not known, as far as it lies in one folder.
  private func wantedBatch(_ state: inout State) -> UnreadAssets? {
    if state.wanted.isEmpty || !state.hasRead && state.wantedUnderWay > 0 { return nil }
    let candidates = state.wanted.filter { !state.failed.contains($0) }
    let unread = model.read { library in
      candidates.compactMap { asset in Self.folder(of: asset, in: library).map { (asset, $0) } }
    }
    // What is being read with others stays wanted: they make room for it.
    state.wanted = unread.map(\.0)
    let free = unread.filter { !state.underWay.contains($0.0) }
    guard let folder = free.last?.1 else { return nil }
    let place = model.read { $0.folders[folder].canonicalPath }
    let connections = sources.first { $0.folder(at: place) != nil }?.connections ?? 1
    let assets = free.filter { $0.1 == folder }.suffix(min(Self.wantedCount, connections)).map(\.0)
    state.wanted.removeAll(where: assets.contains)
    return UnreadAssets(folder: folder, assets: assets, isWanted: true)
  }

  /// The folder of an asset that is on a server and was not read yet.
  private static func folder(of asset: UInt64, in library: LibraryState) -> Int? {
    guard let handle = library.handles[asset] else { return nil }
    let segment = library.segment(of: handle)
    let row = segment.assets[handle.row]
    return row.flags.contains(.provisional) && library.folders[segment.folder].isRemote
      ? segment.folder : nil
  }

  /// An asset that is on a server and known but for its thumbnail; nil for all others.
  private static func bare(_ asset: UInt64, in library: LibraryState, _ copies: RemoteCopies) -> Bare? {
    guard let handle = library.handles[asset] else { return nil }
    let (segment, row) = (library.segment(of: handle), library.row(of: handle))
    guard library.folders[segment.folder].isRemote, RemoteThumbnail.isWithout(row, in: segment, copies) else {
      return nil
    }
    return Bare(asset: asset, version: segment.currentFile(of: row).remoteVersion)
  }

  /// All that is not read, in batches, the newest last.
  private func batches(without failed: Set<UInt64>) -> [UnreadAssets] {
    let unread = model.read { library in
      library.folders.present.filter { library.folders[$0].isRemote }.flatMap { folder in
        library.contents(of: folder).compactMap { handle -> (folder: Int, asset: UInt64, date: Int64)? in
          let row = library.row(of: handle)
          guard row.flags.contains(.provisional), !failed.contains(row.identifier) else { return nil }
          return (folder, row.identifier, row.dateSeconds)
        }
      }
    }
    var batches: [UnreadAssets] = []
    var open: [Int: Int] = [:]
    for (folder, asset, _) in unread.sorted(by: { $0.date > $1.date }) {
      if let place = open[folder], batches[place].assets.count < Self.otherCount {
        batches[place].assets.append(asset)
      } else {
        open[folder] = batches.count
        batches.append(UnreadAssets(folder: folder, assets: [asset], isWanted: false))
      }
    }
    return batches.reversed()
  }

  private func finish(_ batch: UnreadAssets, _ result: RemoteBatch.Result) {
    let (isLast, pause, isFree) = state.withLock { state -> (Bool, Duration?, Bool) in
      state.underWay.subtract(batch.assets)
      state.failed.formUnion(result.failed)
      if batch.isWanted { state.wantedUnderWay -= 1 }
      // An asset that is being read with others when somebody begins to look at it is read for them as well.
      let wasWanted = batch.isWanted || state.wanted.contains { result.described.contains($0) }
      state.wanted.removeAll { result.described.contains($0) || result.failed.contains($0) }
      // Others ended because somebody waited.
      let isFree = (!state.isSomebodyWaiting || !state.hasRead) && state.workers < Self.workers
      if wasWanted { state.hasRead = true }
      if !result.postponed.isEmpty {
        state.batches?.append(UnreadAssets(folder: batch.folder, assets: result.postponed, isWanted: false))
      }
      if !result.described.isEmpty {
        state.unsaved.insert(batch.folder)
        (state.pause, state.pauses) = (nil, 0)
      }
      let isLast = state.batches?.isEmpty ?? false
      guard result.isUnreachable, !state.isStopped else { return (isLast, nil, isFree) }
      state.batches = nil
      if batch.isWanted { state.wanted += batch.assets }
      return (true, state.beginPause(), false)
    }
    if batch.isWanted { model.announce(now: true) }
    if isFree { startWorkers() }
    if isLast { save() }
    if let pause { startWorkers(afterPause: pause) }
  }

  private func finish(_ bare: Bare, _ outcome: RemoteThumbnail.Outcome) {
    let (pause, isFree) = state.withLock { state -> (Duration?, Bool) in
      // Others ended because somebody waited.
      let isFree = !state.isSomebodyWaiting && state.workers < Self.workers
      switch outcome {
      case .kept: break
      case .nothing: state.hopeless.insert(bare.version)
      case .postponed: if !state.bare.contains(bare) { state.bare.append(bare) }
      case .unreachable:
        if !state.bare.contains(bare) { state.bare.append(bare) }
        return (state.isStopped ? nil : state.beginPause(), false)
      }
      return (nil, isFree)
    }
    if case .unreachable(let issue) = outcome {
      model.note(issue)
      model.announce()
    }
    if isFree { startWorkers() }
    if let pause { startWorkers(afterPause: pause) }
  }

  private func startWorkers(afterPause pause: Duration) {
    WorkerThread.call(after: pause) { [weak self] in
      self?.startWorkers()
    }
  }

  private func save() {
    let folders = state.withLock { state in
      defer { state.unsaved = [] }
      return state.unsaved
    }
    for folder in folders { context.save(folder) }
    if !folders.isEmpty { model.announce() }
  }
}

/// Some assets of one folder on a server of which nothing but their names and dates is known.
struct UnreadAssets: Sendable {
  /// The index of the folder.
  var folder: Int
  var assets: [UInt64]
  /// Whether somebody looks at one of them.
  var isWanted: Bool
}
