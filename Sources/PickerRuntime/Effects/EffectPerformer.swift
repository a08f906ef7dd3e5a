package import AssetLibrary
package import PickerUI
package import Pixels
import Dispatch
import Synchronization
import System
import TerminalGraphics

/// Performs the picker's effects.
///
/// Slow work runs on other threads, which post the results. Used by the thread of the run loop.
final class EffectPerformer {
  private let library: PickerLibrary
  private let consent: ConsentScreen
  private let works: WorkReporter
  private let terminal: any PickerTerminal
  private let display: Display
  private let pictures: PictureStore
  private let clock: any RuntimeClock
  private let fetches: FetchQueue
  private let suggestions: SuggestionQueue
  private let reader: LibraryReader
  private let downloads: OriginalDownloader
  private let post: @Sendable (PickerMessage) -> Void
  private let caller: Caller
  private let readyClip = ReadyClip()
  /// The delivery of the result, once it has started.
  private var deliveryRun: DeliveryRun?
  private var observer: ObserverID?
  /// The asset under the cursor, if it changed since the last report.
  private var followed: Asset?

  /// What the caller of the picker does while it runs.
  struct Caller {
    /// Runs the caller's programs; nil if it has none.
    var programs: ProgramRunner?
    /// The user's own player; nil if no program can be started.
    var player: MediaPlayer?
    /// Delivers the result; nil if the caller does so after the picker has ended.
    var delivery: ResultDelivery?
    /// Called with each change of the selection, or with the asset under the cursor.
    var report: (([Asset]) -> Void)?
    /// Called with preselected assets that the library does not have.
    var reportUnknown: (([LocalIdentifier]) -> Void)?
  }

  /// - Parameter post: receives later messages, from any thread.
  init(
    library: PickerLibrary, consent: ConsentScreen, works: WorkReporter, terminal: any PickerTerminal,
    display: Display, pictures: PictureStore, clock: any RuntimeClock, caller: Caller,
    post: @escaping @Sendable (PickerMessage) -> Void
  ) {
    self.library = library
    self.consent = consent
    self.works = works
    self.terminal = terminal
    self.display = display
    self.pictures = pictures
    self.clock = clock
    self.caller = caller
    self.post = post
    fetches = FetchQueue(library)
    suggestions = SuggestionQueue(library)
    reader = LibraryReader(library, post: post)
    downloads = OriginalDownloader(library, clock: clock, post: post)
  }

  /// Subscribes to changes of the library, to consent requests and to progress of work.
  func connect() {
    observer = library.user.observeChanges { [library, post] change in
      if change.contains(.access) {
        post(.authorization(library.client.authorizationStatus(for: .readWrite)))
      }
      post(.libraryChanged)
    }
    consent.onRequest { [post] in post(.consent($0)) }
    works.onNews(post)
  }

  /// Unsubscribes: the screen is gone, and no consent can be requested.
  func disconnect() {
    if let observer { library.user.stopObserving(observer) }
    consent.close()
  }

  /// Cancels a delivery that is still running when the picker ends, as after a signal.
  func abandonDelivery() {
    downloads.cancelAll()
    deliveryRun?.abandon(within: Self.patienceAtEnd)
  }

  /// Waits for library changes in progress: quitting does not cancel them.
  func finishEdits() { reader.finishEdits(within: Self.patienceForEdits) }

  /// How long the picker waits for library changes before it ends.
  ///
  /// To move ten thousand photos to the trash takes some seconds.
  private static let patienceForEdits: Duration = .seconds(30)

  /// How long the picker waits for copies being written before it ends: a disk may never answer.
  private static let patienceAtEnd: Duration = .seconds(2)

  /// Lets the library start background work, because all visible pictures are loaded.
  func allowBackgroundWork() { library.user.allowBackgroundWork() }

  /// Reports the asset under the cursor once no pending event can move the cursor.
  func reportCursorAsset() {
    guard let asset = followed else { return }
    followed = nil
    caller.report?([asset])
  }

  /// Performs an effect, except `finish`, which ends the run loop.
  /// - Returns: an immediate result; nil if there is none, or if it is posted later.
  func perform(_ effect: PickerEffect) throws(TerminalError) -> PickerMessage? {
    switch effect {
    case .demand(let wants):
      let news = pictures.demand(wants)
      return news.isEmpty ? nil : .pictures(news)
    case .suspend: return try display.suspend().map(PickerMessage.resized)
    case .run(let run): return try self.run(run)
    case .preparePlayer(let run): preparePlayer(run)
    case .runPlayer(let run): return try self.run(run)
    case .discardPlayer: _ = readyClip.take(for: nil)
    case .redraw: try display.redraw()
    case .ring: terminal.ring()
    case .copy(let text): terminal.copy(text)
    case .play(let request): pictures.play(request)
    case .controlPlayback(let order): pictures.control(order)
    case .stopPlaying: pictures.stopPlaying()
    case .requestAuthorization:
      Task(executorPreference: SerialTaskExecutor.shared) { [library, post] in
        post(.authorization(await library.client.requestAuthorization(for: .readWrite)))
      }
    case .answerConsent(let decision): consent.answer(decision)
    case .setLimitedSelection(let selection): library.setLimitedSelection(selection)
    case .fetch(let query): fetches.answer(query, deliver: post)
    case .edit(let edit): reader.perform(edit)
    case .loadDetails(let asset): reader.loadDetails(of: asset)
    case .loadBurst(let burst, let options, let mode): reader.loadBurst(burst, options, mode)
    case .countBursts(let bursts, let mode): reader.count(bursts, mode)
    case .fetchPosters(let query): reader.fetchPosters(query)
    case .countKinds(let query): reader.count(query)
    case .suggest(let query): suggestions.answer(query, deliver: post)
    case .selectInBulk(let selection):
      WorkerThread.run { [post] in post(.bulkSelected(selection.perform())) }
    case .report(let assets): caller.report?(assets)
    case .reportUnknown(let identifiers): caller.reportUnknown?(identifiers)
    case .follow(let asset): followed = asset
    case .stopWork(Work.reading): library.user.stopReading()
    case .stopWork(Work.delivery): deliveryRun?.cancellation.cancel()
    case .stopWork(let work): works.stop(work)
    case .resumeReading: library.user.resumeReading()
    case .download(let assets): downloads.download(assets)
    case .cancelDownload(let assets): downloads.cancel(assets)
    case .deliver(let assets, let options):
      guard let delivery = caller.delivery else { return .delivered }
      deliveryRun = delivery.start(assets, options, clock: clock, deliver: post)
    case .startTimer(let timer, let milliseconds):
      clock.call(after: .milliseconds(milliseconds)) { [post] in post(.timer(timer)) }
    case .finish: break
    }
    return nil
  }

  /// Makes the file for the user's player ready on another thread, because it may be on a server.
  private func preparePlayer(_ run: PlayerRun) {
    guard let player = caller.player else {
      return post(.programFailed("This picker can't start a player"))
    }
    WorkerThread.run { [readyClip, post] in
      do throws(AssetError) {
        let clip = try player.prepare(run) { post(.downloadProgress(run.asset.id, $0)) }
        readyClip.set(run, clip)
        post(.downloadProgress(run.asset.id, nil))
        post(.playerReady(run))
      } catch {
        post(.downloadProgress(run.asset.id, nil))
        post(.programFailed("\(error)"))
      }
    }
  }

  /// Runs the user's player.
  private func run(_ run: PlayerRun) throws(TerminalError) -> PickerMessage? {
    guard let clip = readyClip.take(for: run) else { return nil }
    return try lend { clip.play() }
  }

  /// Runs one of the caller's programs, in the terminal or in the background.
  private func run(_ run: ProgramRun) throws(TerminalError) -> PickerMessage? {
    guard let programs = caller.programs else { return nil }
    if run.program.kind == .executeSilently {
      programs.executeSilently(run, deliver: post)
      return nil
    }
    return try lend { programs.execute(run) }
  }

  /// Lends the terminal to a program.
  /// - Parameter execute: runs it to its end, and returns an error message for the user.
  private func lend(_ execute: () -> String?) throws(TerminalError) -> PickerMessage? {
    var failure: String?
    let metrics = try display.lend { failure = execute() }
    // An error is shown after the screen is restored.
    if let failure { post(.programFailed(failure)) }
    return metrics.map(PickerMessage.resized)
  }

  /// The file that the user's player can play now, set by another thread.
  private final class ReadyClip: Sendable {
    private let state = Mutex<(run: PlayerRun, clip: MediaPlayer.Clip)?>(nil)

    func set(_ run: PlayerRun, _ clip: MediaPlayer.Clip) { state.withLock { $0 = (run, clip) } }

    /// Returns the file of a run, and forgets any other one.
    func take(for run: PlayerRun?) -> MediaPlayer.Clip? {
      let ready = state.withLock { ready in
        defer { ready = nil }
        return ready
      }
      return ready?.run == run ? ready?.clip : nil
    }
  }
}

/// Answers the picker's queries about single assets, bursts and albums, in addition to the fetches of the
/// grid.
///
/// Answers are posted from other threads.
final class LibraryReader: Sendable {
  private let library: PickerLibrary
  private let post: @Sendable (PickerMessage) -> Void
  /// A separate queue, because reading the disk must not delay fetches.
  private let details = WorkQueue(width: 1)
  /// A separate queue: changes are made in the order of the keys, without waiting for details.
  private let edits = WorkQueue(width: 1)
  private let editsUnderWay = Mutex(0)

  init(_ library: PickerLibrary, post: @escaping @Sendable (PickerMessage) -> Void) {
    self.library = library
    self.post = post
  }

  /// Changes the library, one change after the other.
  func perform(_ edit: LibraryEdit) {
    editsUnderWay.withLock { $0 += 1 }
    edits.async { [self] in
      defer { editsUnderWay.withLock { $0 -= 1 } }
      var changes: [AssetChange] = []
      let result: Result<[AssetChange], AssetError>
      do throws(AssetError) {
        changes = try self.changes(of: edit)
        result = .success(changes.isEmpty ? [] : try library.user.performChanges(changes))
      } catch {
        for case .createAsset(let asset) in changes { library.user.discardPreparedAsset(asset) }
        result = .failure(error)
      }
      post(.edited(LibraryEditAnswer(edit, changes, result)))
    }
  }

  private func changes(of edit: LibraryEdit) throws(AssetError) -> [AssetChange] {
    if case .saveFrame(let capture) = edit.request { return [.createAsset(try prepare(capture))] }
    var options = FetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    return edit.changes(in: library.user.userAlbums) { identifiers in
      Array(library.user.fetchAssets(withLocalIdentifiers: identifiers, options: options))
    }
  }

  /// Makes a photo of a frame, which is not in the library yet.
  private func prepare(_ capture: FrameCapture) throws(AssetError) -> LocalIdentifier {
    let asset = capture.frames.asset
    guard let encode = library.encodeFrame else {
      throw AssetError(asset.subject, "this picker can't save photos", code: .unsupported)
    }
    let frames = try library.user.frames(of: capture.frames, cancellation: Cancellation())
    try frames.seek(to: capture.time)
    guard let frame = try frames.next(.none), let jpeg = encode(frame.pixels, capture.date, asset.location)
    else { throw AssetError(asset.subject, "the frame can't be read") }
    var creation = AssetCreation(name: capture.name)
    creation.addResource(.photo, .data(jpeg))
    return try library.user.prepareAsset(creation)
  }

  /// Waits until no change is in progress, or the time has passed.
  func finishEdits(within time: Duration) {
    guard editsUnderWay.withLock({ $0 }) > 0 else { return }
    let end = DispatchSemaphore(value: 0)
    edits.async { end.signal() }
    _ = end.wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1))))
  }

  func loadDetails(of asset: Asset) {
    details.async { [library, post] in
      // Unreadable details are omitted: the picture itself shows what is wrong with the file.
      guard let details = try? library.user.details(of: asset) else { return }
      post(.details(asset.id, details))
    }
  }

  func loadBurst(_ burst: String, _ options: FetchOptions, _ mode: AccessMode) {
    details.async { [library, post] in
      let members = library.manager(for: mode).fetchAssets(ofBurst: burst, options: options)
      post(.burst(burst, Array(members)))
    }
  }

  func count(_ bursts: [String], _ mode: AccessMode) {
    details.async { [library, post] in
      let manager = library.manager(for: mode)
      let counts = bursts.map { ($0, manager.fetchAssets(ofBurst: $0, options: FetchOptions()).count) }
      post(.burstCounts(Dictionary(counts) { $1 }))
    }
  }

  /// Counts the photos of each kind.
  func count(_ query: KindQuery) {
    WorkerThread.run { [library, post] in
      let manager = library.manager(for: query.mode)
      let counts = PickerFilter.Name.allCases.map { kind in
        (kind, manager.assetCount(in: query.collection, options: query.options(for: kind)))
      }
      post(.kinds(KindAnswer(query: query, counts: Dictionary(counts) { $1 })))
    }
  }

  func fetchPosters(_ query: PosterQuery) {
    WorkerThread.run { [library, post] in
      let manager = library.manager(for: query.mode)
      let posters = query.collections.compactMap { collection in
        manager.fetchKeyAssets(in: collection, options: query.options).first.map { (collection, $0) }
      }
      post(.posters(PosterAnswer(query: query, posters: Dictionary(posters) { $1 })))
    }
  }
}

/// Runs the caller's programs.
package struct ProgramRunner: Sendable {
  private let run: @Sendable (ProgramRun) -> String?
  /// Background programs run one after the other.
  private let queue = WorkQueue(width: 1)

  /// - Parameter run: runs a program to its end on any thread, and returns an error message for the user.
  package init(_ run: @escaping @Sendable (ProgramRun) -> String?) {
    self.run = run
  }

  /// Runs a program that uses the terminal, until it ends.
  /// - Returns: an error message, if any.
  func execute(_ run: ProgramRun) -> String? { self.run(run) }

  /// Runs a program in the background.
  func executeSilently(_ run: ProgramRun, deliver: @escaping @Sendable (PickerMessage) -> Void) {
    queue.async { [self] in
      if let failure = execute(run) { deliver(.programFailed(failure)) }
    }
  }
}

/// The user's own player for videos.
package struct MediaPlayer: Sendable {
  /// A file on this machine that the player can play.
  package struct Clip: Sendable {
    /// Runs the player in the terminal to its end, on any thread, and returns an error message for the user.
    let play: @Sendable () -> String?

    /// - Parameter play: runs the player to its end, and returns an error message for the user.
    package init(_ play: @escaping @Sendable () -> String?) { self.play = play }
  }

  /// Makes the file of a run ready, on any thread.
  let prepare: @Sendable (PlayerRun, _ progress: (Double) -> Void) throws(AssetError) -> Clip

  /// - Parameter prepare: makes the file of a run ready on the calling thread, and reports the downloaded fraction.
  package init(
    _ prepare: @escaping @Sendable (PlayerRun, _ progress: (Double) -> Void) throws(AssetError) -> Clip
  ) {
    self.prepare = prepare
  }
}

/// Computes suggestions on a separate thread, so that neither keys nor fetches wait for their counts.
///
/// Answers only the latest query: earlier ones are stale, even while they are being answered.
final class SuggestionQueue: Sendable {
  private let library: PickerLibrary
  private let queue = WorkQueue(width: 1)
  /// Number of the latest query.
  private let last = Mutex(0)

  init(_ library: PickerLibrary) {
    self.library = library
  }

  /// Calls `deliver` with the answer, on the queue's thread.
  func answer(_ query: SuggestionQuery, deliver: @escaping @Sendable (PickerMessage) -> Void) {
    let number = last.withLock { last in
      last += 1
      return last
    }
    queue.async { [self] in
      let isStale = { self.last.withLock { $0 != number } }
      if isStale() { return }
      let suggestions = query.suggestions(from: library.manager(for: query.mode), isStale: isStale)
      if isStale() { return }
      deliver(.suggestions(SuggestionAnswer(query: query, suggestions: suggestions)))
    }
  }
}

/// The library of a picker, as the client may see it and as the user sees it.
package struct PickerLibrary: Sendable {
  /// The client's view: only its assets can be picked.
  let client: any AssetManager
  /// The user's view: pictures and details for the screen, which the client never receives.
  let user: any AssetManager
  private let access: LibraryAccessController?
  /// Makes the file of a photo from a frame, its date and its place.
  let encodeFrame: FrameEncoder?

  /// Returns the file of a photo, on any thread; nil if it can't be encoded.
  package typealias FrameEncoder = @Sendable (PixelBuffer, AssetDate, Location?) -> [UInt8]?

  /// - Parameters:
  ///   - access: lets the user choose what the client may access.
  ///   - encodeFrame: makes the file of a photo from a frame, its date and its place; nil if none can be saved.
  package init(_ access: LibraryAccessController, encodeFrame: FrameEncoder? = nil) {
    self.access = access
    self.encodeFrame = encodeFrame
    client = access.manager
    user = access.wholeLibrary
  }

  /// Creates a library whose client access cannot be changed.
  package init(_ manager: any AssetManager) {
    (access, encodeFrame) = (nil, nil)
    client = manager
    user = manager
  }

  func manager(for mode: AccessMode) -> any AssetManager { mode == .managing ? user : client }

  var limitedSelection: Set<LocalIdentifier> { access?.limitedSelection ?? [] }

  func setLimitedSelection(_ selection: Set<LocalIdentifier>) { access?.setLimitedSelection(selection) }
}
