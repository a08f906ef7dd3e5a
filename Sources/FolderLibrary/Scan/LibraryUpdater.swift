import AssetLibrary
import CodecProtocol
import Dispatch
import Synchronization

/// Keeps a library up to the disk: the first look at it, what the system reports later, and where the system
/// can't, another look from time to time.
///
/// All of that happens on one queue, one after the other; calls may come from any thread.
final class LibraryUpdater: Sendable {
  private struct State {
    var scan: LibraryScan?
    var isStopped = false
    /// Whether the library is looked at again from time to time.
    var isRescanned = false
    var isBackgroundWorkAllowed = false
    /// Whether somebody is to ask the codec helper again about files on which it stalled.
    var isRetryScheduled = false
    /// Whether everything is looked at again soon, since something could not be opened for the moment.
    var isRescanScheduled = false
    /// How often that was needed in a row.
    var rescans = 0
    /// The folders of the sources that were not there when that was last looked at.
    var missing: [FilePath] = []

    mutating func stop() {
      isStopped = true
      scan?.context.control.cancel()
      scan?.remoteReader.stop()
    }
  }

  private let model: LibraryModel
  let sources: LibrarySources
  private let locations: LibraryLocations?
  private let following: FollowingSettings?
  private let helper: CodecClient
  private let reader: MetadataClient
  private let candidates: CandidateIntake?
  private let state = Mutex(State())
  private let updating = DispatchQueue(label: "tpick.scan")
  private let finished = DispatchGroup()
  private let opened = DispatchGroup()
  private let backgroundWork = DispatchGroup()

  /// - Parameters:
  ///   - locations: where the index and the user's marks are kept; nil = nowhere.
  ///   - following: nil = the first look is the only one.
  ///   - candidates: sources that come one by one, besides the others.
  init(
    _ model: LibraryModel, sources: LibrarySources, locations: LibraryLocations?,
    following: FollowingSettings?, helper: CodecClient, reader: MetadataClient,
    candidates: CandidateIntake? = nil
  ) {
    self.model = model
    self.sources = sources
    self.locations = locations
    self.following = following
    self.helper = helper
    self.reader = reader
    self.candidates = candidates
    model.change { $0.given = sources.given }
    backgroundWork.enter()
  }

  deinit {
    // A DispatchGroup must not be released while it is entered.
    allowBackgroundWork()
  }

  /// Starts with the first look and returns at once.
  func start() {
    finished.enter()
    opened.enter()
    candidates?.start()
    updating.async { [self] in
      let scan = open()
      opened.leave()
      scan.context.loadIndex(of: sources)
      // Whoever looks at a screen sees what the index knows first: comparing it with the disk would slow that down.
      if following != nil, model.status.assetCount > 0 { backgroundWork.wait() }
      run(scan)
      finished.leave()
      if let following { follow(following, scan) }
    }
  }

  private func open() -> LibraryScan {
    let storage = locations.map(LibraryStorage.init)
    let watch = following.flatMap { FolderWatch($0.watch) }
    let scan = LibraryScan(
      model: model, storage: storage, watch: watch, helper: helper, reader: reader,
      stallPause: (following ?? FollowingSettings()).stallPause, tellsSilence: following != nil,
      candidates: candidates, remotes: sources.remotes)
    let isStopped = state.withLock { state in
      state.scan = scan
      return state.isStopped
    }
    if isStopped { scan.context.control.cancel() }
    if let storage { model.changeMarks { $0 = storage.marks() } }
    return scan
  }

  private func run(_ scan: LibraryScan) {
    scan.run(sources)
    passOnNotes(of: scan)
  }

  /// Tells the user what the storage has to say.
  private func passOnNotes(of scan: LibraryScan) {
    let notes = scan.context.storage?.notes ?? []
    guard !notes.isEmpty, !Set(notes).isSubset(of: model.status.notes) else { return }
    model.change { state in for note in notes { state.note(note) } }
    model.announce(now: true)
  }

  /// What is kept between runs; nil where nothing is.
  ///
  /// Waits until it is open.
  var storage: LibraryStorage? {
    opened.wait()
    return state.withLock { $0.scan?.context.storage }
  }

  /// Lets the index be compared with the disk.
  func allowBackgroundWork() {
    let isFirst = state.withLock { state in
      defer { state.isBackgroundWorkAllowed = true }
      return !state.isBackgroundWorkAllowed
    }
    if isFirst { backgroundWork.leave() }
  }

  /// Looks at folders in which something was moved by this process.
  ///
  /// Where the disk is watched that notices them; else it is waited for.
  func lookAgain(_ folders: Set<Int>) {
    guard following == nil, let scan = state.withLock({ $0.scan }) else { return }
    updating.sync { scan.revisit(folders) }
  }

  /// Has assets on servers read before all others.
  func want(_ identifiers: [UInt64]) { state.withLock { $0.scan }?.remoteReader.want(identifiers) }

  /// Waits until nothing of files on servers is to be seen before what the caller is to ask for, or a time is over.
  func wait(for sight: AwaitedSight, atMost time: Duration, isCancelled: () -> Bool) {
    state.withLock { $0.scan }?.remoteReader.wait(for: sight, atMost: time, isCancelled: isCancelled)
  }

  /// Waits until the first look is over.
  func waitUntilComplete() {
    allowBackgroundWork()
    finished.wait()
  }

  /// Waits until what is being looked at is known and kept for the next run.
  func waitUntilKept() { updating.sync {} }

  // MARK: Stopping

  /// Ends the reading; what was found stays.
  func stop() {
    state.withLock { $0.stop() }
    candidates?.wake()
    allowBackgroundWork()
  }

  /// Ends the reading unless it is over.
  func stopReading() {
    let isStopped = state.withLock { state in
      model.read { library in
        if !library.isComplete { state.stop() }
        return !library.isComplete
      }
    }
    if isStopped {
      candidates?.wake()
      allowBackgroundWork()
    }
  }

  /// Goes on where the reading was stopped, and tries the sources again that could not be read.
  func resumeReading() {
    updating.async { [weak self] in
      guard let self, let scan = resumeScan() else { return }
      run(scan)
      guard let following else { return }
      rescanIfUnwatched(following, scan)
      retryLater(following, scan)
    }
  }

  /// The scan that was stopped or could not read all sources, which may go on now; nil where there is nothing to be read.
  private func resumeScan() -> LibraryScan? {
    state.withLock { state in
      guard let scan = state.scan else { return nil }
      guard state.isStopped else {
        if model.status.unreadableSources.isEmpty { return nil }
        scan.context.control.beginFirstPass()
        return scan
      }
      state.isStopped = false
      scan.context.control.resume()
      scan.remoteReader.resume()
      return scan
    }
  }

  // MARK: Following changes

  // What the watch calls must not hold the scan, which holds the watch.
  private func follow(_ following: FollowingSettings, _ scan: LibraryScan) {
    scan.watch?.start { [weak self] news in
      self?.updating.async { [weak self] in self?.update(news, following) }
    }
    followMissingSources(scan)
    rescanIfUnwatched(following, scan)
    retryLater(following, scan)
    if sources.remotes.contains(where: { !$0.isOffline }) { relistLater(following) }
  }

  private func relistLater(_ following: FollowingSettings) {
    updating.asyncAfter(deadline: .now() + following.relistInterval) { [weak self] in
      guard let self else { return }
      relistNow()
      relistLater(following)
    }
  }

  /// Lists again what lies on servers, because something is known to have changed there.
  ///
  /// Returns at once.
  func relist() { updating.async { [weak self] in self?.relistNow() } }

  private func relistNow() {
    guard let scan = state.withLock({ $0.scan }), !scan.context.control.isCancelled else { return }
    scan.relist(sources)
  }

  /// Looks again wherever something happened.
  private func update(_ news: FolderWatch.News, _ following: FollowingSettings) {
    guard let scan = state.withLock({ $0.scan }), !scan.context.control.isCancelled else { return }
    switch news {
    case .folders(let folders):
      let within = folders.subtracting([FolderWatch.surroundings])
      if !within.isEmpty { scan.revisit(within, holding: following.holdTime) }
      if within != folders, hasMissingSourceReturned { run(scan) } else { passOnNotes(of: scan) }
    case .everything: run(scan)
    }
    followMissingSources(scan)
    rescanIfUnwatched(following, scan)
    retryLater(following, scan)
  }

  /// Says which folders of the sources are not there any more, and has the folders around them watched: what comes back
  /// is read again.
  private func followMissingSources(_ scan: LibraryScan) {
    let missing = sources.folders.filter { scan.context.probes.answers($0) && !$0.isFolder }
    state.withLock { $0.missing = missing }
    if missing.isEmpty { return }
    let known = Set(model.status.unreadableSources.map(\.subject))
    let news = missing.filter { !known.contains($0.displayString) }
    if !news.isEmpty {
      model.change { state in
        for source in news {
          state.addFailedSource(
            AssetError(source.displayString, "no longer there; its photos come back when it does"))
        }
        state.publishFailedSources(
          of: candidates == nil
            ? sources.folders.count + sources.files.count + sources.remotes.count : nil)
      }
      model.announce(now: true)
    }
    for source in missing { scan.watch?.addSurroundings(of: source) }
  }

  private var hasMissingSourceReturned: Bool { state.withLock { $0.missing }.contains(where: \.isFolder) }

  /// Tries again later what failed for a cause that passes.
  private func retryLater(_ following: FollowingSettings, _ scan: LibraryScan) {
    retryStalledLater(scan)
    guard model.status.issues.contains(where: { $0.isTransient && !$0.isStall }) else {
      return state.withLock { $0.rescans = 0 }
    }
    let rescans = state.withLock { state -> Int? in
      if state.isRescanScheduled { return nil }
      state.isRescanScheduled = true
      state.rescans += 1
      return state.rescans
    }
    guard let rescans else { return }
    // Twice as late each time: a disk may be away for hours.
    let pause = following.retryInterval * (1 << min(rescans - 1, 6))
    updating.asyncAfter(deadline: .now() + .milliseconds(Int(pause / .milliseconds(1)))) { [weak self] in
      guard let self else { return }
      state.withLock { $0.isRescanScheduled = false }
      guard let scan = state.withLock({ $0.scan }), !scan.context.control.isCancelled else { return }
      run(scan)
      retryLater(following, scan)
    }
  }

  /// Has the codec helper asked again about files on which it stalled, once their pause is over.
  private func retryStalledLater(_ scan: LibraryScan) {
    guard let next = scan.context.stalls.nextTry else { return }
    let isFirst = state.withLock { state in
      defer { state.isRetryScheduled = true }
      return !state.isRetryScheduled
    }
    guard isFirst else { return }
    let pause = max(.zero, next - .now)
    updating.asyncAfter(deadline: .now() + .milliseconds(Int(pause / .milliseconds(1)) + 1)) { [weak self] in
      guard let self else { return }
      state.withLock { $0.isRetryScheduled = false }
      guard let scan = state.withLock({ $0.scan }), !scan.context.control.isCancelled else { return }
      scan.retryStalled()
      retryStalledLater(scan)
    }
  }

  private static let fullWatch =
    "the system watches no more folders (fs.inotify.max_user_watches): changes are looked for every minute"
  private static let noWatch =
    "the system watches no folders (fs.inotify.max_user_instances): changes are looked for every minute"

  /// Begins to look again from time to time where the system does not report everything.
  private func rescanIfUnwatched(_ following: FollowingSettings, _ scan: LibraryScan) {
    guard scan.watch?.isFull ?? true else { return }
    let isFirst = state.withLock { state in
      defer { state.isRescanned = true }
      return !state.isRescanned
    }
    guard isFirst else { return }
    model.change { $0.note(scan.watch == nil ? Self.noWatch : Self.fullWatch) }
    model.announce(now: true)
    rescanLater(following)
  }

  private func rescanLater(_ following: FollowingSettings) {
    updating.asyncAfter(deadline: .now() + following.rescanInterval) { [weak self] in
      guard let self, let scan = state.withLock({ $0.scan }) else { return }
      // What was stopped may be resumed.
      if !scan.context.control.isCancelled { run(scan) }
      rescanLater(following)
    }
  }
}

/// How a library follows what happens on disk after the first look.
struct FollowingSettings: Sendable {
  /// Where the system can't tell what changes, the library is looked at again after this time.
  var rescanInterval = DispatchTimeInterval.seconds(60)
  /// Where something could not be opened for the moment, the library is looked at again after this time, and
  /// twice as late each time that it still can't be.
  var retryInterval = Duration.seconds(5)
  /// Servers, which can't tell what changes, are listed again after this time.
  var relistInterval = DispatchTimeInterval.seconds(300)
  /// What happens together is shown together, unless it takes longer than this.
  var holdTime = Duration.milliseconds(300)
  /// How long the codec helper is not asked again about a file on which it stalled for the first time.
  var stallPause = Duration.seconds(20)
  var watch = FolderWatch.Settings()
}
