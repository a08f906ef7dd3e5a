package import AssetLibrary
package import PickerUI
import Dispatch
import Synchronization
import System
import TerminalGraphics

/// Performs what the picker wants done outside of its state.
///
/// What takes time is done on other threads, which post what comes of it. Used by the thread of the run loop.
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
  private let downloads: OriginalBringer
  private let post: @Sendable (PickerMessage) -> Void
  private let report: (([Asset]) -> Void)?
  private let programs: ProgramRunner?
  private let delivery: ResultDelivery?
  /// The handing over of the result, once that has begun.
  private var deliveryRun: DeliveryRun?
  private var observer: ObserverID?
  /// The asset that the cursor has come to since the last report.
  private var followed: Asset?

  /// - Parameters:
  ///   - post: takes what happens later, from any thread.
  ///   - report: told of each change of the selection, or of the asset that the cursor rests on.
  ///   - programs: runs the caller's programs.
  ///   - delivery: hands the result over; nil = the caller does once the picker has ended.
  init(
    library: PickerLibrary, consent: ConsentScreen, works: WorkReporter, terminal: any PickerTerminal,
    display: Display, pictures: PictureStore, clock: any RuntimeClock,
    post: @escaping @Sendable (PickerMessage) -> Void, report: (([Asset]) -> Void)?,
    programs: ProgramRunner?, delivery: ResultDelivery?
  ) {
    self.library = library
    self.consent = consent
    self.works = works
    self.terminal = terminal
    self.display = display
    self.pictures = pictures
    self.clock = clock
    self.post = post
    self.report = report
    self.programs = programs
    self.delivery = delivery
    fetches = FetchQueue(library)
    suggestions = SuggestionQueue(library)
    reader = LibraryReader(library, post: post)
    downloads = OriginalBringer(library, clock: clock, post: post)
  }

  /// From now on the library, whoever asks for consent and long work are heard.
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

  /// The screen is gone: nobody can be asked any more.
  func disconnect() {
    if let observer { library.user.stopObserving(observer) }
    consent.close()
  }

  /// Ends the handing over of the result where the picker ends before it, as by a signal.
  func abandonDelivery() {
    downloads.cancelAll()
    deliveryRun?.abandon(within: Self.patienceAtEnd)
  }

  /// Waits for changes of the library that are under way: the user was not told that they are given up.
  func finishEdits() { reader.finishEdits(within: Self.patienceForEdits) }

  /// How long the end waits for changes of the library; ten thousand photos are in the trash after some seconds.
  private static let patienceForEdits: Duration = .seconds(30)

  /// How long the end waits for files that are being written; a disk may never answer.
  private static let patienceAtEnd: Duration = .seconds(2)

  /// All that is in sight is there: the library may do what nobody waits for.
  func allowBackgroundWork() { library.user.allowBackgroundWork() }

  /// Nothing more waits that could move the cursor: the caller is told where it is.
  func reportFollowed() {
    guard let asset = followed else { return }
    followed = nil
    report?([asset])
  }

  /// Performs an effect, `finish` apart, which ends the run loop.
  /// - Returns: what comes of it at once; nil = nothing, or nothing yet.
  func perform(_ effect: PickerEffect) throws(TerminalError) -> PickerMessage? {
    switch effect {
    case .demand(let wants):
      let news = pictures.demand(wants)
      return news.isEmpty ? nil : .pictures(news)
    case .suspend: return try display.suspend().map(PickerMessage.resized)
    case .run(let run): return try self.run(run)
    case .redraw: try display.redraw()
    case .ring: terminal.ring()
    case .copy(let text): terminal.copy(text)
    case .play(let request): pictures.play(request)
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
    case .report(let assets): report?(assets)
    case .follow(let asset): followed = asset
    case .stopWork(Work.reading): library.user.stopReading()
    case .stopWork(Work.delivery): deliveryRun?.cancellation.cancel()
    case .stopWork(let work): works.stop(work)
    case .resumeReading: library.user.resumeReading()
    case .download(let assets): downloads.bring(assets)
    case .cancelDownload(let assets): downloads.cancel(assets)
    case .deliver(let assets, let options):
      guard let delivery else { return .delivered }
      deliveryRun = delivery.start(assets, options, clock: clock, deliver: post)
    case .startTimer(let timer, let milliseconds):
      clock.call(after: .milliseconds(milliseconds)) { [post] in post(.timer(timer)) }
    case .finish: break
    }
    return nil
  }

  /// Runs a program of the caller's, on the terminal or behind the picker.
  private func run(_ run: ProgramRun) throws(TerminalError) -> PickerMessage? {
    guard let programs else { return nil }
    if run.program.kind == .executeSilently {
      programs.executeSilently(run, deliver: post)
      return nil
    }
    var message: PickerMessage?
    let metrics = try display.lend { message = programs.execute(run) }
    // What went wrong is told once the screen is there again.
    if let message { post(message) }
    return metrics.map(PickerMessage.resized)
  }
}

/// Answers what the picker asks of single assets, bursts and albums, beside the fetches of the grid.
///
/// Answers are posted from other threads.
final class LibraryReader: Sendable {
  private let library: PickerLibrary
  private let post: @Sendable (PickerMessage) -> Void
  /// Reads the disk, which must not delay fetches.
  private let details = WorkQueue(width: 1)
  /// Changes are made in the order of the keys, and wait for no details.
  private let edits = WorkQueue(width: 1)
  private let editsUnderWay = Mutex(0)

  init(_ library: PickerLibrary, post: @escaping @Sendable (PickerMessage) -> Void) {
    self.library = library
    self.post = post
  }

  /// Makes changes of the library, one after the other.
  func perform(_ edit: LibraryEdit) {
    editsUnderWay.withLock { $0 += 1 }
    edits.async { [self] in
      defer { editsUnderWay.withLock { $0 -= 1 } }
      var options = FetchOptions()
      options.includeHiddenAssets = true
      options.includeAllBurstAssets = true
      let changes = edit.changes(in: library.user.userAlbums) { identifiers in
        Array(library.user.fetchAssets(withLocalIdentifiers: identifiers, options: options))
      }
      let result: Result<[AssetChange], AssetError>
      do throws(AssetError) {
        result = .success(changes.isEmpty ? [] : try library.user.performChanges(changes))
      } catch {
        result = .failure(error)
      }
      post(.edited(LibraryEditAnswer(edit, changes, result)))
    }
  }

  /// Waits until no change is under way, or a time is over.
  func finishEdits(within time: Duration) {
    guard editsUnderWay.withLock({ $0 }) > 0 else { return }
    let end = DispatchSemaphore(value: 0)
    edits.async { end.signal() }
    _ = end.wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1))))
  }

  func loadDetails(of asset: Asset) {
    details.async { [library, post] in
      // Facts that can't be read are left out: the picture itself says what is wrong with the file.
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

/// Runs programs of the caller's.
package struct ProgramRunner: Sendable {
  private let run: @Sendable (ProgramRun) -> String?
  /// Programs without the terminal run one after the other.
  private let queue = WorkQueue(width: 1)

  /// - Parameter run: runs a program to its end on any thread, and gives what the user is told if it fails.
  package init(_ run: @escaping @Sendable (ProgramRun) -> String?) {
    self.run = run
  }

  /// Runs a program that has the terminal, to its end.
  /// - Returns: what comes of it.
  func execute(_ run: ProgramRun) -> PickerMessage? { self.run(run).map { .programFailed($0) } }

  /// Runs a program behind the picker.
  func executeSilently(_ run: ProgramRun, deliver: @escaping @Sendable (PickerMessage) -> Void) {
    queue.async { [self] in
      if let message = execute(run) { deliver(message) }
    }
  }
}

/// Looks for suggestions on a thread of its own, so that neither keys nor fetches wait for their counts.
///
/// Only the last question is answered: the others are stale, also while they are being answered.
final class SuggestionQueue: Sendable {
  private let library: PickerLibrary
  private let queue = WorkQueue(width: 1)
  /// The number of the last question.
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

/// The library that a picker shows: what its client may see, and everything where the user decides that.
package struct PickerLibrary: Sendable {
  /// What the client sees: only this can be picked.
  let client: any AssetManager
  /// What the user sees: pictures and details of what is on the screen, which the client never gets.
  let user: any AssetManager
  private let access: LibraryAccessController?

  /// - Parameter access: the user can choose what the client sees.
  package init(_ access: LibraryAccessController) {
    self.access = access
    client = access.manager
    user = access.wholeLibrary
  }

  /// Nobody can change what the client sees.
  package init(_ manager: any AssetManager) {
    access = nil
    client = manager
    user = manager
  }

  func manager(for mode: AccessMode) -> any AssetManager { mode == .managing ? user : client }

  var limitedSelection: Set<LocalIdentifier> { access?.limitedSelection ?? [] }

  func setLimitedSelection(_ selection: Set<LocalIdentifier>) { access?.setLimitedSelection(selection) }
}
