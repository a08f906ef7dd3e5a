import AssetLibrary
import CodecProtocol
import Dispatch
import Synchronization
import System
import SystemPackage

/// Reads headers of remote files: visible ones first, then their thumbnails, then the rest, the newest first.
///
/// Bandwidth is scarce: while something visible is being downloaded, nothing else is requested.
/// `ReadingSchedule` decides what is next; this class runs the threads. Any thread may call.
final class RemoteReader: Sendable {
  /// Visible assets are requested one by one, the most urgent last; after this time all requests have
  /// arrived.
  private static let gathering: Duration = .milliseconds(3)
  /// The polling interval of waiting callers.
  ///
  /// Polling is needed because `isCancelled` sends no notification.
  private static let pause: Duration = .milliseconds(10)

  let context: ScanContext
  private let helper: CodecClient?
  private let sources: [any RemoteSource]
  private let schedule = Mutex(ReadingSchedule())
  private let headers = RecentHeaders()
  private let ended = DispatchGroup()
  private var model: LibraryModel { context.model }

  init(_ context: ScanContext, helper: CodecClient?, _ sources: [any RemoteSource]) {
    (self.context, self.helper, self.sources) = (context, helper, sources)
  }

  /// Reads visible assets, and then their thumbnails, before all others.
  func want(_ identifiers: [UInt64]) {
    let copies = model.copies
    let (unread, thumbnails) = model.read { library in
      let unread = identifiers.filter { Self.folder(of: $0, in: library) != nil }
      return (unread, identifiers.compactMap { Self.missingThumbnail(of: $0, in: library, copies) })
    }
    if schedule.withLock({ $0.want(unread, thumbnails) }) { startThreads(after: Self.gathering) }
  }

  /// Reads all unread assets in the background.
  func readAll() {
    schedule.withLock { $0.readAll() }
    startThreads()
  }

  /// Runs `body`, which lists servers.
  ///
  /// Meanwhile only visible assets are read.
  func whileListing(_ body: () -> Void) {
    schedule.withLock { $0.beginListing() }
    body()
    schedule.withLock { $0.endListing() }
  }

  /// Waits until no read that has priority over the caller's request is pending, or until the time is up.
  func wait(for reads: AwaitedReads, atMost time: Duration, isCancelled: () -> Bool) {
    _ = Waiting.until(.now + time, every: Self.pause) {
      !schedule.withLock { $0.awaits(reads) } || isCancelled()
    }
  }

  /// Waits until nothing more can be read for the moment.
  func wait() { ended.wait() }

  /// Stops reading and cancels requests in progress.
  func stop() { schedule.withLock { $0.stop() } }

  /// Resumes after `stop`.
  func resume() { schedule.withLock { $0.resume() } }

  // MARK: Threads

  /// - Parameter pause: the delay before the threads begin.
  private func startThreads(after pause: Duration = .zero) {
    guard !sources.allSatisfy(\.isOffline) else { return }
    while schedule.withLock({ $0.addThread() }) {
      ended.enter()
      let isStarted = WorkerThread.start { [self] in
        if pause > .zero { Waiting.pause(pause) }
        work()
      }
      if !isStarted {
        schedule.withLock { $0.removeThread() }
        ended.leave()
        return
      }
    }
  }

  private func work() {
    while let work = next() {
      switch work {
      case .batch(let batch):
        let result = RemoteBatch(batch, context, helper, sources, headers).read(
          isCancelled: { [self] in isCancelled },
          yields: { [self] in !batch.isWanted && schedule.withLock(\.hasVisibleWork) })
        let followUp = schedule.withLock { $0.finish(batch, result, at: .now) }
        if batch.isWanted { model.announce(now: true) }
        follow(followUp)
      case .thumbnail(let thumbnail):
        let outcome = RemoteThumbnail(model, helper, sources, headers).load(
          thumbnail.asset, isCancelled: { [self] in isCancelled },
          yields: { [self] in schedule.withLock(\.hasVisibleWork) })
        let followUp = schedule.withLock { $0.finish(thumbnail, outcome.result, at: .now) }
        if case .unreachable(let issue) = outcome {
          model.note(issue)
          model.announce()
        }
        follow(followUp)
      }
    }
    if schedule.withLock(\.isIdle) { save() }
    ended.leave()
  }

  private func follow(_ followUp: ReadingSchedule.FollowUp) {
    if followUp.startsThreads { startThreads() }
    if followUp.saves { save() }
    if let pause = followUp.pause {
      WorkerThread.call(after: pause) { [weak self] in self?.startThreads() }
    }
  }

  private var isCancelled: Bool { schedule.withLock(\.isStopped) || context.control.isCancelled }

  /// Returns the next task; nil if there is none, in which case the thread counts as ended.
  private func next() -> ReadingSchedule.Work? {
    let (needsBatches, failed) = schedule.withLock { ($0.needsBatches, $0.failed) }
    if needsBatches {
      let unread = allUnread(without: failed)
      schedule.withLock { $0.setBatches(unread) }
    }
    return schedule.withLock { schedule in
      guard !context.control.isCancelled else {
        schedule.removeThread()
        return nil
      }
      return schedule.next(at: .now, unread: unread(among:), connections: connections(to:))
    }
  }

  private func save() {
    let folders = schedule.withLock { $0.takeUnsaved() }
    for folder in folders { context.save(folder) }
    if !folders.isEmpty { model.announce() }
  }

  // MARK: Library queries

  private func unread(among assets: [UInt64]) -> [(asset: UInt64, folder: Int)] {
    model.read { library in
      assets.compactMap { asset in Self.folder(of: asset, in: library).map { (asset, $0) } }
    }
  }

  private func connections(to folder: Int) -> Int {
    let place = model.read { $0.folders[folder].canonicalPath }
    return sources.first { $0.folder(at: place) != nil }?.connections ?? 1
  }

  /// Returns the folder of an unread remote asset; nil for other assets.
  private static func folder(of asset: UInt64, in library: LibraryState) -> Int? {
    guard let handle = library.handles[asset] else { return nil }
    let segment = library.segment(of: handle)
    let row = segment.assets[handle.row]
    return row.flags.contains(.unread) && library.folders[segment.folder].isRemote
      ? segment.folder : nil
  }

  /// Returns a remote asset that lacks only its thumbnail; nil for other assets.
  private static func missingThumbnail(
    of asset: UInt64, in library: LibraryState, _ copies: RemoteCopies
  ) -> MissingThumbnail? {
    guard let handle = library.handles[asset] else { return nil }
    let (segment, row) = (library.segment(of: handle), library.row(of: handle))
    guard library.folders[segment.folder].isRemote, RemoteThumbnail.isWithout(row, in: segment, copies) else {
      return nil
    }
    return MissingThumbnail(asset: asset, version: segment.currentFile(of: row).remoteVersion)
  }

  private func allUnread(without failed: Set<UInt64>) -> [(folder: Int, asset: UInt64, date: Int64)] {
    model.read { library in
      library.folders.present.filter { library.folders[$0].isRemote }.flatMap { folder in
        library.contents(of: folder).compactMap { handle -> (folder: Int, asset: UInt64, date: Int64)? in
          let row = library.row(of: handle)
          guard row.flags.contains(.unread), !failed.contains(row.identifier) else { return nil }
          return (folder, row.identifier, row.dateSeconds)
        }
      }
    }
  }
}

extension RemoteThumbnail.Outcome {
  fileprivate var result: ReadingSchedule.ThumbnailResult {
    switch self {
    case .kept: .kept
    case .nothing: .nothing
    case .postponed: .postponed
    case .unreachable: .unreachable
    }
  }
}
