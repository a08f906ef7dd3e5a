import AssetLibrary
import CodecProtocol
import Dispatch
import Synchronization
import SystemPackage
import WorkerThreads

/// Reads the beginnings of files on servers, and puts what they tell into the library: what somebody looks at first, then all
/// others from the newest on.
///
/// Calls may come from any thread.
final class RemoteReader: Sendable {
  private struct State {
    /// What somebody looks at, the most urgent last.
    var wanted: [UInt64] = []
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
  }

  /// Batches read at once: while one is looked into, the next comes over the network.
  private static let workers = 3
  /// Assets of a batch that somebody waits for, and of any other.
  private static let wantedCount = 12
  private static let otherCount = 48
  /// More is not remembered of what was looked at.
  private static let mostWanted = 400

  let context: ScanContext
  private let helper: CodecHelper?
  private let sources: [any RemoteSource]
  private let state = Mutex(State())
  private let ended = DispatchGroup()
  private var model: LibraryModel { context.model }

  init(_ context: ScanContext, helper: CodecHelper?, _ sources: [any RemoteSource]) {
    (self.context, self.helper, self.sources) = (context, helper, sources)
  }

  /// Has assets read before all others, because somebody looks at them.
  func want(_ identifiers: [UInt64]) {
    let isNews = state.withLock { state in
      if state.isStopped { return false }
      state.wanted.removeAll(where: identifiers.contains)
      state.wanted += identifiers
      state.wanted.removeFirst(max(0, state.wanted.count - Self.mostWanted))
      return true
    }
    if isNews { startWorkers() }
  }

  /// Reads whatever is not known, in the background.
  func readAll() {
    state.withLock { $0.batches = nil }
    startWorkers()
  }

  /// Waits until nothing more can be read for the moment.
  func wait() { ended.wait() }

  /// Ends the reading; what is under way is given up.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Takes up again what was stopped.
  func resume() { state.withLock { $0.isStopped = false } }

  private func startWorkers() {
    guard !sources.allSatisfy(\.isOffline) else { return }
    while true {
      let isWanted = state.withLock { state in
        guard !state.isStopped, state.workers < Self.workers else { return false }
        state.workers += 1
        return true
      }
      guard isWanted else { return }
      ended.enter()
      let isStarted = WorkerThread.start { [self] in work() }
      if !isStarted {
        state.withLock { $0.workers -= 1 }
        ended.leave()
        return
      }
    }
  }

  // MARK: The threads

  private func work() {
    while let batch = next() {
      let result = RemoteBatch(batch, context, helper, sources).read { [self] in isCancelled }
      finish(batch, result)
    }
    save()
    ended.leave()
  }

  private var isCancelled: Bool { state.withLock { $0.isStopped } || context.control.isCancelled }

  /// What is to be read next; nil where nothing is, and then the thread counts as ended.
  private func next() -> UnreadAssets? {
    let (needsBatches, failed) = state.withLock { ($0.batches == nil && !$0.isStopped, $0.failed) }
    if needsBatches {
      let batches = self.batches(without: failed)
      state.withLock { if $0.batches == nil { $0.batches = batches } }
    }
    return state.withLock { state in
      let batch = state.isStopped || context.control.isCancelled ? nil : nextBatch(&state)
      guard let batch else {
        state.workers -= 1
        return nil
      }
      state.underWay.formUnion(batch.assets)
      return batch
    }
  }

  private func nextBatch(_ state: inout State) -> UnreadAssets? {
    if let pause = state.pause, .now < pause { return nil }
    if let batch = wantedBatch(&state) { return batch }
    while var batch = state.batches?.popLast() {
      batch.assets.removeAll { state.underWay.contains($0) || state.failed.contains($0) }
      if !batch.assets.isEmpty { return batch }
    }
    return nil
  }

  /// What somebody looks at and is not known, as far as it lies in one folder.
  private func wantedBatch(_ state: inout State) -> UnreadAssets? {
    if state.wanted.isEmpty { return nil }
    let candidates = state.wanted.filter { !state.underWay.contains($0) && !state.failed.contains($0) }
    let unread = model.read { library in
      candidates.compactMap { asset in Self.folder(of: asset, in: library).map { (asset, $0) } }
    }
    state.wanted = unread.map(\.0)
    guard let folder = unread.last?.1 else { return nil }
    let assets = unread.filter { $0.1 == folder }.suffix(Self.wantedCount).map(\.0)
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
    let (isLast, pause) = state.withLock { state -> (Bool, Duration?) in
      state.underWay.subtract(batch.assets)
      state.failed.formUnion(result.failed)
      if !result.described.isEmpty {
        state.unsaved.insert(batch.folder)
        (state.pause, state.pauses) = (nil, 0)
      }
      let isLast = state.batches?.isEmpty ?? true
      guard result.isUnreachable, !state.isStopped else { return (isLast, nil) }
      // Twice as late each time: a network may be away for hours.
      let pause = Duration.seconds(min(60, 1 << min(state.pauses, 6)))
      state.pauses += 1
      state.pause = .now + pause
      state.batches = nil
      if batch.isWanted { state.wanted += batch.assets }
      return (true, pause)
    }
    if batch.isWanted { model.announce(now: true) }
    if isLast { save() }
    if let pause {
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(pause / .milliseconds(1)))) {
        [weak self] in self?.startWorkers()
      }
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
