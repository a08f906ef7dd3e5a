import AssetLibrary
import Dispatch
import PickerUI

/// Performs what the picker wants done outside of its state.
///
/// What takes time is done on other threads, which post what comes of it. Used by the thread of the run loop.
final class EffectPerformer {
  private let manager: any AssetManager
  private let consent: ConsentScreen
  private let works: WorkReporter
  private let terminal: any PickerTerminal
  private let display: Display
  private let pictures: ScreenPictures
  private let clock: any RuntimeClock
  private let fetches: FetchQueue
  private let reader: LibraryReader
  private let post: @Sendable (PickerMessage) -> Void
  private let report: (([Asset]) -> Void)?
  private var observer: ObserverID?

  /// - Parameters:
  ///   - post: takes what happens later, from any thread.
  ///   - report: told of each change of the selection.
  init(
    manager: any AssetManager, consent: ConsentScreen, works: WorkReporter, terminal: any PickerTerminal,
    display: Display, pictures: ScreenPictures, clock: any RuntimeClock,
    post: @escaping @Sendable (PickerMessage) -> Void, report: (([Asset]) -> Void)?
  ) {
    self.manager = manager
    self.consent = consent
    self.works = works
    self.terminal = terminal
    self.display = display
    self.pictures = pictures
    self.clock = clock
    self.post = post
    self.report = report
    fetches = FetchQueue(manager: manager)
    reader = LibraryReader(manager: manager, post: post)
  }

  /// From now on the library, whoever asks for consent and long work are heard.
  func connect() {
    observer = manager.observeChanges { [post] _ in post(.libraryChanged) }
    consent.onRequest { [post] in post(.consent($0)) }
    works.onNews(post)
  }

  /// The screen is gone: nobody can be asked any more.
  func disconnect() {
    if let observer { manager.stopObserving(observer) }
    consent.close()
  }

  /// All that is in sight is there: the library may do what nobody waits for.
  func allowBackgroundWork() { manager.allowBackgroundWork() }

  /// Performs an effect, `finish` apart, which ends the run loop.
  /// - Returns: what comes of it at once; nil = nothing, or nothing yet.
  func perform(_ effect: PickerEffect) throws(TerminalError) -> PickerMessage? {
    switch effect {
    case .demand(let wants):
      let known = pictures.demand(wants)
      return known.isEmpty ? nil : .pictures(known)
    case .suspend: return try display.suspend().map(PickerMessage.resized)
    case .redraw: try display.redraw()
    case .ring: terminal.ring()
    case .play(let request): pictures.play(request)
    case .stopPlaying: pictures.stopPlaying()
    case .requestAuthorization:
      Task { [manager, post] in post(.authorization(await manager.requestAuthorization(for: .readWrite))) }
    case .answerConsent(let decision): consent.answer(decision)
    case .setLimitedSelection(let selection): manager.setLimitedSelection(selection)
    case .fetch(let query): fetches.answer(query, deliver: post)
    case .loadDetails(let asset): reader.loadDetails(of: asset)
    case .loadBurst(let burst, let options): reader.loadBurst(burst, options)
    case .countBursts(let bursts): reader.count(bursts)
    case .fetchPosters(let query): reader.fetchPosters(query)
    case .selectInBulk(let selection):
      DispatchQueue.global().async { [post] in post(.bulkSelected(selection.perform())) }
    case .report(let assets): report?(assets)
    case .stopWork(Work.reading): manager.stopReading()
    case .stopWork(let work): works.stop(work)
    case .resumeReading: manager.resumeReading()
    case .startTimer(let timer, let milliseconds):
      clock.call(after: .milliseconds(milliseconds)) { [post] in post(.timer(timer)) }
    case .finish: break
    }
    return nil
  }
}
