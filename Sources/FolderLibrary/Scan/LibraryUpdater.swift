import AssetLibrary
import CPlatform
import CodecProtocol
import Dispatch
import Synchronization
import System
import SystemPackage

/// Keeps a library up to date: runs the first scan, follows changes reported by the system, and rescans
/// periodically where the system can't report them.
///
/// All of that runs on one serial queue. Any thread may call.
final class LibraryUpdater: Sendable {
  private struct State {
    var isStarted = false
    var scan: LibraryScan?
    var isStopped = false
    /// Whether periodic rescans are scheduled.
    var isRescanned = false
    var isBackgroundWorkAllowed = false
    /// Whether a retry of files on which the codec helper stalled is scheduled.
    var isRetryScheduled = false
    /// Whether a rescan is scheduled because something could not be opened for the moment.
    var isRescanScheduled = false
    /// The number of consecutive rescans for that reason.
    var rescans = 0
    /// The source folders that were missing at the last check.
    var missing: [FilePath] = []
    /// The devices that the source folders were on when they last had entries.
    var devices: [FilePath: UInt64] = [:]
    /// Whether a look for the return of disks that are not mounted is scheduled.
    var isLookScheduled = false

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
  ///   - locations: where to store the index and the user's favorites and albums; nil = nowhere.
  ///   - following: nil = only the first scan runs.
  ///   - candidates: sources that arrive one by one, in addition to the others.
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

  /// Starts the first scan and returns at once; does nothing if it has been started.
  func start() {
    // The groups are entered under the lock: whoever sees that it has been started can wait for them.
    let isFirst = state.withLock { state in
      if state.isStarted { return false }
      state.isStarted = true
      finished.enter()
      opened.enter()
      return true
    }
    guard isFirst else { return }
    candidates?.start()
    updating.async { [self] in
      let scan = open()
      opened.leave()
      scan.context.loadIndex(of: sources)
      rememberDevices(scan)
      // In interactive use, wait until the index is shown: comparing it with the disk would delay that.
      if following?.waitsForPermission ?? false, model.status.assetCount > 0 { backgroundWork.wait() }
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
      stallPause: (following ?? FollowingSettings()).stallPause, isInteractive: following != nil,
      candidates: candidates, remotes: sources.remotes)
    let isStopped = state.withLock { state in
      state.scan = scan
      return state.isStopped
    }
    if isStopped { scan.context.control.cancel() }
    if let storage {
      // Before the folders are read: files may come back from the trash.
      if let trash = locations?.desktopTrash { storage.finishMoves(trash) }
      model.changeMarks { $0 = storage.marks() }
    }
    return scan
  }

  private func run(_ scan: LibraryScan) {
    scan.run(sources)
    publishNotes(of: scan)
  }

  /// Adds the storage's messages to the status.
  private func publishNotes(of scan: LibraryScan) {
    let notes = scan.context.storage?.notes ?? []
    guard !notes.isEmpty, !Set(notes).isSubset(of: model.status.notes) else { return }
    model.change { state in for note in notes { state.note(note) } }
    model.announce(now: true)
  }

  /// The data stored between runs; nil without a location.
  ///
  /// Blocks until it is open.
  var storage: LibraryStorage? {
    opened.wait()
    return state.withLock { $0.scan?.context.storage }
  }

  /// Allows the comparison of the index with the disk.
  func allowBackgroundWork() {
    let isFirst = state.withLock { state in
      defer { state.isBackgroundWorkAllowed = true }
      return !state.isBackgroundWorkAllowed
    }
    if isFirst { backgroundWork.leave() }
  }

  /// Scans folders in which this process has moved something.
  ///
  /// Blocks until the scan has ended.
  /// - Parameter evenIfWatched: whether watched folders are scanned too; otherwise nothing happens where folders are
  ///   watched, since the watch reports the changes.
  func rescan(_ folders: Set<Int>, evenIfWatched: Bool = false) {
    guard following == nil || evenIfWatched, let scan = state.withLock({ $0.scan }) else { return }
    updating.sync { scan.revisit(folders) }
  }

  /// Lets a restored asset keep its identifier, even if that is not the one computed from its file.
  /// - Parameter files: the files of the asset.
  func keepIdentifier(_ asset: LocalIdentifier, of files: [FilePath]) {
    guard let number = asset.number, let scan = state.withLock({ $0.scan }) else { return }
    var original: file_status?
    for path in files {
      var status = file_status()
      guard path.withPlatformString({ file_status_at(AT_FDCWD, $0, 0, &status) }) == 0 else { continue }
      if IdentityRegistry.key(of: status, linkHash: nil) == number { return }
      // The identifiers of files with several names are computed from the names too.
      if status.link_count == 1, original == nil, FileName(path.nameBytes).part == .plain {
        original = status
      }
    }
    if let original { scan.context.identities.remember(original, as: number) }
  }

  /// Reads remote assets before all others.
  func want(_ identifiers: [UInt64]) { state.withLock { $0.scan }?.remoteReader.want(identifiers) }

  /// Waits until no remote reads of higher priority are pending, or until the time is up.
  func wait(for reads: AwaitedReads, atMost time: Duration, isCancelled: () -> Bool) {
    state.withLock { $0.scan }?.remoteReader.wait(for: reads, atMost: time, isCancelled: isCancelled)
  }

  /// Waits until the first scan has ended, and starts it if necessary.
  func waitUntilComplete() {
    start()
    allowBackgroundWork()
    finished.wait()
  }

  /// Waits until the current scan has ended and its results are stored.
  func waitUntilStored() { updating.sync {} }

  // MARK: Stopping

  /// Stops reading; assets found so far stay.
  func stop() {
    state.withLock { $0.stop() }
    candidates?.wake()
    allowBackgroundWork()
  }

  /// Stops the first scan unless it has ended.
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

  /// Continues a stopped scan, and retries the sources that could not be read.
  func resumeReading() {
    updating.async { [weak self] in
      guard let self, let scan = resumeScan() else { return }
      run(scan)
      guard let following else { return }
      followMissingSources(following, scan)
      rescanIfUnwatched(following, scan)
      retryLater(following, scan)
    }
  }

  /// Returns the scan if it was stopped or could not read all sources, and makes it ready to continue; nil if
  /// there is nothing to do.
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

  // The closures must not retain the scan, which owns the watch.
  private func follow(_ following: FollowingSettings, _ scan: LibraryScan) {
    scan.watch?.start { [weak self] news in
      self?.updating.async { [weak self] in self?.update(news, following) }
    }
    followMissingSources(following, scan)
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

  /// Lists remote folders again because something is known to have changed there.
  ///
  /// Returns at once.
  func relist() { updating.async { [weak self] in self?.relistNow() } }

  private func relistNow() {
    guard let scan = state.withLock({ $0.scan }), !scan.context.control.isCancelled else { return }
    scan.relist(sources)
  }

  /// Scans where changes were reported.
  private func update(_ news: FolderWatch.News, _ following: FollowingSettings) {
    guard let scan = state.withLock({ $0.scan }), !scan.context.control.isCancelled else { return }
    switch news {
    case .folders(let folders):
      let within = folders.subtracting([FolderWatch.surroundings])
      if !within.isEmpty { scan.revisit(within, holding: following.holdTime) }
      if within != folders, hasMissingSourceReturned { run(scan) } else { publishNotes(of: scan) }
    case .everything: run(scan)
    }
    followMissingSources(following, scan)
    rescanIfUnwatched(following, scan)
    retryLater(following, scan)
  }

  /// Reports source folders that no longer exist or whose disk is not mounted.
  ///
  /// They are read again when they return: the folders around missing ones are watched, and mount points are
  /// polled, because the watch does not report what is mounted.
  private func followMissingSources(_ following: FollowingSettings, _ scan: LibraryScan) {
    let answering = sources.folders.filter { scan.context.probes.answers($0) }
    let missing = answering.filter { !$0.isFolder }
    let unmounted = answering.filter(isUnmounted)
    let earlier = state.withLock { state in
      defer { state.missing = missing }
      return state.missing
    }
    if !missing.isEmpty || !unmounted.isEmpty {
      report(missing, unmounted)
      for source in missing { scan.watch?.addSurroundings(of: source) }
      if !unmounted.isEmpty { lookLater(following) }
    }
    // There is no event for what returned before the folders around it were watched.
    if hasReturned(earlier + missing) {
      run(scan)
      followMissingSources(following, scan)
    }
  }

  /// Adds issues about source folders that no longer exist or whose disk is not mounted, unless they have one.
  private func report(_ missing: [FilePath], _ unmounted: [FilePath]) {
    let known = Set(model.status.unreadableSources.map(\.subject))
    let news =
      missing.map { AssetError($0.displayString, "no longer there; its photos reappear when it does") }
      + unmounted.map(AssetError.unmounted)
    let unknown = news.filter { !known.contains($0.subject) }
    guard !unknown.isEmpty else { return }
    model.change { state in
      for issue in unknown { state.addFailedSource(issue) }
      state.publishFailedSources(
        of: candidates == nil ? sources.folders.count + sources.files.count + sources.remotes.count : nil)
    }
    model.announce(now: true)
  }

  /// Whether one of these sources, which were missing, exists and has not been read since.
  private func hasReturned(_ missing: [FilePath]) -> Bool {
    if missing.isEmpty { return false }
    let unread = Set(model.status.unreadableSources.map(\.subject))
    return missing.contains { unread.contains($0.displayString) && $0.isFolder }
  }

  /// Notes the devices of source folders that had photos when they were last indexed.
  private func rememberDevices(_ scan: LibraryScan) {
    for source in sources.folders where scan.context.probes.answers(source) {
      guard let path = source.resolved?.bytes else { continue }
      let known = model.read { state in
        state.folders.index(of: path).flatMap { state.folders.present($0)?.identity.device }
      }
      if let known { state.withLock { $0.devices[source] = known } }
    }
  }

  /// Whether a source folder is the empty mount point of a disk on which it had photos.
  private func isUnmounted(_ source: FilePath) -> Bool {
    guard let device = FileIdentity(of: source)?.device else { return false }
    guard source.isEmptyFolder else {
      state.withLock { $0.devices[source] = device }
      return false
    }
    return state.withLock { $0.devices[source].map { $0 != device } ?? false }
  }

  /// Looks after a while whether a disk has been mounted again.
  private func lookLater(_ following: FollowingSettings) {
    let isFirst = state.withLock { state in
      defer { state.isLookScheduled = true }
      return !state.isLookScheduled
    }
    guard isFirst else { return }
    let pause = DispatchTimeInterval.milliseconds(Int(following.retryInterval / .milliseconds(1)))
    updating.asyncAfter(deadline: .now() + pause) { [weak self] in
      guard let self, let scan = state.withLock({ $0.scan }) else { return }
      state.withLock { $0.isLookScheduled = false }
      guard !scan.context.control.isCancelled else { return }
      scan.context.probes.refresh()
      let wasUnmounted = Set(model.status.unreadableSources.map(\.subject))
      let hasReturned = sources.folders.contains { source in
        wasUnmounted.contains(source.displayString) && scan.context.probes.answers(source) && source.isFolder
          && !isUnmounted(source)
      }
      if hasReturned { run(scan) }
      followMissingSources(following, scan)
    }
  }

  private var hasMissingSourceReturned: Bool { state.withLock { $0.missing }.contains(where: \.isFolder) }

  /// Schedules a retry of what failed for a transient reason.
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
    // The interval doubles each time, since a disk may be away for hours.
    let pause = following.retryInterval * (1 << min(rescans - 1, 6))
    updating.asyncAfter(deadline: .now() + .milliseconds(Int(pause / .milliseconds(1)))) { [weak self] in
      guard let self else { return }
      state.withLock { $0.isRescanScheduled = false }
      guard let scan = state.withLock({ $0.scan }), !scan.context.control.isCancelled else { return }
      run(scan)
      followMissingSources(following, scan)
      retryLater(following, scan)
    }
  }

  /// Schedules a retry of files on which the codec helper stalled, at the end of their pause.
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
    "the limit of watched folders is reached, so changes are detected only every minute; raise fs.inotify.max_user_watches"
  private static let noWatch =
    "folders can't be watched, so changes are detected only every minute; raise fs.inotify.max_user_instances"

  /// Starts periodic rescans if the system does not report all changes.
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
      // A stopped scan may be resumed later, so keep the timer running.
      if !scan.context.control.isCancelled {
        run(scan)
        followMissingSources(following, scan)
      }
      rescanLater(following)
    }
  }
}

/// How a library follows changes on disk after the first scan.
struct FollowingSettings: Sendable {
  /// The interval of rescans if the system can't report changes.
  var rescanInterval = DispatchTimeInterval.seconds(60)
  /// The pause before a rescan if something could not be opened for the moment; doubles with each failed
  /// attempt.
  var retryInterval = Duration.seconds(5)
  /// The interval at which servers, which can't report changes, are listed again.
  var relistInterval = DispatchTimeInterval.seconds(300)
  /// The longest time for which fetches return the old state, so that changes that belong together appear
  /// together.
  var holdTime = Duration.milliseconds(300)
  /// The pause before the first retry of a file on which the codec helper stalled.
  var stallPause = Duration.seconds(20)
  var watch = FolderWatch.Settings()
  /// Whether an index is compared with the disk only after `allowBackgroundWork()`, so that this does not delay the
  /// first screen.
  var waitsForPermission = true

  /// For programs that don't say when their first screen is drawn.
  static var atOnce: FollowingSettings {
    var settings = FollowingSettings()
    settings.waitsForPermission = false
    return settings
  }
}
