import AssetLibrary
import Dispatch
import PickerUI
import TerminalGraphics
import System

/// Performs what the picker wants done outside of its state.
///
/// What takes time is done on other threads, which post what comes of it. Used by the thread of the run loop.
final class EffectPerformer {
  private let library: PickerLibrary
  private let consent: ConsentScreen
  private let works: WorkReporter
  private let terminal: any PickerTerminal
  private let display: Display
  private let pictures: ScreenPictures
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
    display: Display, pictures: ScreenPictures, clock: any RuntimeClock,
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
      let known = pictures.demand(wants)
      return known.isEmpty ? nil : .pictures(known)
    case .suspend: return try display.suspend().map(PickerMessage.resized)
    case .run(let run): return try self.run(run)
    case .redraw: try display.redraw()
    case .ring: terminal.ring()
    case .play(let request): pictures.play(request)
    case .stopPlaying: pictures.stopPlaying()
    case .requestAuthorization:
      Task(executorPreference: SerialTaskExecutor.shared) { [library, post] in
        post(.authorization(await library.client.requestAuthorization(for: .readWrite)))
      }
    case .answerConsent(let decision): consent.answer(decision)
    case .setLimitedSelection(let selection): library.setLimitedSelection(selection)
    case .fetch(let query): fetches.answer(query, deliver: post)
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
