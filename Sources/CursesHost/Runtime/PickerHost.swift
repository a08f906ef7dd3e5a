package import AssetLibrary
import CNcurses
import CTerminalGuard
import Dispatch
package import PickerUI
package import Pixels
package import TerminalGraphics

#if canImport(Glibc)
  import Glibc
#endif

/// Runs a picker on the controlling terminal: reads keys, performs effects, writes frames, and gives the
/// terminal back however it ends.
///
/// One run at a time, on the thread that calls `run`, which it blocks.
package final class PickerHost {
  /// What the host is told from outside the picker.
  package struct Options: Sendable {
    /// How pictures are drawn; nil = as the terminal can.
    package var graphics: GraphicsProtocol?
    /// What writes sixels; nil = what is better for the terminal's colour registers.
    package var sixelEncoder: SixelEncoderKind?
    /// Blocks are drawn without colours, as characters.
    package var isASCII = false
    /// The characters of blocks; nil = as the terminal is known to draw them.
    package var symbols: BlockSymbols?
    /// Pictures that let something through lie on a checkerboard.
    package var isCheckered = false
    /// The size of a character cell, over what the terminal says.
    package var cellSize: PixelSize?
    /// Makes a file of a picture for terminals that read files (iTerm2); nil when it can't.
    package var compress: @Sendable (PixelBuffer, PictureQuality) -> [UInt8]? = { _, _ in nil }
    /// Where long work outside of the picker tells how far it has come.
    package var works = WorkReporter()
    /// How text looks; no theme has colours where NO_COLOR asks for none.
    package var theme = ThemeChoice()
    /// Bytes of encoded pictures to keep.
    package var cacheLimit = 32 << 20

    package init() {}
  }

  private enum Event: Sendable {
    case message(PickerMessage)
    case input(KeyDecoder.Input)
    case signal(Int32)
    case terminalEnded
    /// An answer of the terminal is overdue.
    case answerOverdue

    /// Whether it ends the picker, whatever is under way.
    var isEnd: Bool {
      switch self {
      case .signal(let number): SignalWatch.ending.contains(number)
      case .terminalEnded: true
      default: false
      }
    }
  }

  private let manager: any AssetManager
  private let consent: ConsentScreen
  private let options: Options
  private let mailbox = Mailbox<Event>()
  private let answers = AnswerCount()
  private let library: FetchQueue
  /// What is told of each change of the selection.
  private let report: (([Asset]) -> Void)?
  /// Reads the disk, which must not delay fetches.
  private let details = DispatchQueue(label: "tpick.details")

  /// - Parameter report: called on the thread of `run` with what is picked, after each change, where the
  ///   configuration asks for that.
  package init(
    manager: any AssetManager, consent: ConsentScreen, options: Options, report: (([Asset]) -> Void)? = nil
  ) {
    self.manager = manager
    self.report = report
    library = FetchQueue(manager: manager)
    self.consent = consent
    self.options = options
  }

  /// Shows the picker until it ends.
  /// - Throws: `HostError` when there is no usable terminal or it goes away; the terminal is given back.
  package func run(_ pickerOptions: PickerState.Options) throws(HostError) -> PickerOutcome {
    // Whoever reads what is reported may be gone: that is an error of the write, not an end with the screen taken.
    let formerly = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, formerly) }
    TerminalLocale.adopt()
    var pickerOptions = pickerOptions
    pickerOptions.locale = .ofProcess
    let terminal = try TerminalDevice()
    // Without signals the picker works all the same, it only ends less gracefully.
    try? SignalWatch.start { [mailbox] in mailbox.post(.signal($0)) }
    defer { SignalWatch.stop() }
    let (probe, typed) = try terminal.probe(isInterrupted: { mailbox.contains(where: \.isEnd) })
    let session = try Session(
      terminal: terminal, probe: probe, options: options, manager: manager,
      report: { [mailbox] in mailbox.post(.message(.pictures($0))) },
      reportPlayback: { [mailbox] in mailbox.post(.message(.playback($0, generation: $1))) })
    let observer = connectSources(terminal, typed: typed)
    defer { manager.stopObserving(observer) }
    var state = PickerState(options: pickerOptions, metrics: session.metrics)
    let result: Result<PickerOutcome, HostError>
    var deadly: Int32?
    do throws(HostError) {
      result = .success(try loop(&state, session, &deadly))
    } catch {
      result = .failure(error)
    }
    consent.close()
    awaitAnswer(session)
    session.end()
    SignalWatch.stop()
    if let number = deadly ?? lastSignal { SignalWatch.die(by: number) }
    return try result.get()
  }

  /// A signal that ends the process and came too late for the run loop.
  private var lastSignal: Int32? {
    for case .signal(let number) in mailbox.takeAll(within: .zero) where SignalWatch.ending.contains(number) {
      return number
    }
    return nil
  }

  /// - Returns: the observer of the library.
  private func connectSources(_ terminal: TerminalDevice, typed: [UInt8]) -> ObserverID {
    KeyReader.start(
      on: terminal.descriptor, after: typed,
      deliver: { [mailbox, answers] inputs in
        for input in inputs {
          if input == .allDrawn { answers.increment() }
          mailbox.post(.input(input))
        }
      },
      ended: { [mailbox] in mailbox.post(.terminalEnded) })
    consent.onRequest { [mailbox] in mailbox.post(.message(.consent($0))) }
    options.works.onNews { [mailbox] in mailbox.post(.message($0)) }
    return manager.observeChanges { [mailbox] _ in mailbox.post(.message(.libraryChanged)) }
  }

  private func loop(
    _ state: inout PickerState, _ session: Session, _ deadly: inout Int32?
  ) throws(HostError) -> PickerOutcome {
    var outcome: PickerOutcome?
    try perform(Picker.start(state), &state, session, &outcome)
    var questionCount = 0
    var isFetched = false
    while outcome == nil {
      let drawn = ContinuousClock.now
      try session.draw(state, isInterrupted: { !mailbox.isEmpty })
      if isFetched, !(session.pictures?.awaitsMoreInSight ?? false) { manager.allowBackgroundWork() }
      if session.questionCount > questionCount {
        questionCount = session.questionCount
        Self.after(LinkSpeed.answerTimeout) { [mailbox] in mailbox.post(.answerOverdue) }
      }
      var events = mailbox.takeAll()
      repeat {
        for event in Self.merged(events) where outcome == nil {
          switch event {
          case .message(let message):
            if case .fetched = message { isFetched = true }
            try perform(Picker.update(&state, message), &state, session, &outcome)
          case .input(.key(let key)):
            try perform(Picker.update(&state, .key(key)), &state, session, &outcome)
          case .input(.mouse(let event)):
            try perform(Picker.update(&state, .mouse(event)), &state, session, &outcome)
          case .input(.paste(let text)):
            try perform(Picker.update(&state, .paste(text)), &state, session, &outcome)
          case .input(.cellSize(let size)):
            session.cellSizeAnswered(size)
            try resize(&state, session, &outcome)
          case .input(.allDrawn), .answerOverdue:
            let isAnswer = if case .answerOverdue = event { false } else { true }
            guard try session.linkTold(isAnswer) else { continue }
            try perform(Picker.update(&state, .resized(session.metrics)), &state, session, &outcome)
          case .signal(SIGWINCH):
            try session.askCellSize()
            // A window that was made smaller and large again at once has lost what it showed.
            if try !resize(&state, session, &outcome) { try session.redraw() }
          case .signal(SIGTSTP):
            awaitAnswer(session)
            try session.suspend()
            try resize(&state, session, &outcome)
          case .signal(SIGCONT):
            try session.resume()
            try resize(&state, session, &outcome)
          case .signal(let number):
            deadly = number
            outcome = .cancelled
          case .terminalEnded:
            deadly = SIGHUP
            outcome = .cancelled
          }
        }
        // Handle what came meanwhile before drawing: a held key draws its last state only.
        events = mailbox.takeAll(within: Self.pause(after: events, drawn: drawn, session))
      } while outcome == nil && !events.isEmpty
    }
    return outcome ?? .cancelled
  }

  /// Pictures that came one by one, told together: each one told is a look at everything.
  private static func merged(_ events: [Event]) -> [Event] {
    events.reduce(into: []) { merged, event in
      if case .message(.pictures(let new)) = event, case .message(.pictures(let known)) = merged.last {
        merged[merged.count - 1] = .message(.pictures(known.merging(new) { $1 }))
      } else {
        merged.append(event)
      }
    }
  }

  /// How long to wait for more before drawing: where there is nothing new but pictures, and others in sight are
  /// still to come, they share a frame.
  private static func pause(
    after events: [Event], drawn: ContinuousClock.Instant, _ session: Session
  ) -> Duration {
    let arePictures = events.allSatisfy { if case .message(.pictures) = $0 { true } else { false } }
    guard arePictures, session.pictures?.awaitsMoreInSight ?? false else { return .zero }
    return drawn + frameTime - .now
  }

  /// The time of a frame where pictures come one after the other: as often as screens show one.
  private static let frameTime: Duration = .milliseconds(8)

  /// Waits a moment for an answer that is still to come: it must not be typed into the user's shell.
  private func awaitAnswer(_ session: Session) {
    guard session.isAwaitingAnswer else { return }
    let end = ContinuousClock.now + TerminalEnvironment.ofProcess.patience / 2
    while answers.count < session.questionCount, ContinuousClock.now < end { usleep(2000) }
  }

  private static func after(_ time: Duration, _ action: @escaping @Sendable () -> Void) {
    let milliseconds = Int(time.components.seconds) * 1000 + 50
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: action)
  }

  /// - Returns: whether the size is another one.
  @discardableResult
  private func resize(
    _ state: inout PickerState, _ session: Session, _ outcome: inout PickerOutcome?
  ) throws(HostError) -> Bool {
    guard try session.resize() else { return false }
    try perform(Picker.update(&state, .resized(session.metrics)), &state, session, &outcome)
    return true
  }

  private func perform(
    _ effects: [PickerEffect], _ state: inout PickerState, _ session: Session,
    _ outcome: inout PickerOutcome?
  ) throws(HostError) {
    for effect in effects {
      switch effect {
      case .requestAuthorization:
        Task { [manager, mailbox] in
          let status = await manager.requestAuthorization(for: .readWrite)
          mailbox.post(.message(.authorization(status)))
        }
      case .answerConsent(let decision): consent.answer(decision)
      case .setLimitedSelection(let selection): manager.setLimitedSelection(selection)
      case .fetch(let query): library.answer(query) { [mailbox] in mailbox.post(.message($0)) }
      case .demand(let wants):
        let known = session.pictures?.demand(wants) ?? [:]
        if !known.isEmpty {
          try perform(Picker.update(&state, .pictures(known)), &state, session, &outcome)
        }
      case .loadDetails(let asset):
        details.async { [manager, mailbox] in
          // Facts that can't be read are left out: the picture itself says what is wrong with the file.
          guard let details = try? manager.details(of: asset) else { return }
          mailbox.post(.message(.details(asset.id, details)))
        }
      case .loadBurst(let burst, let options):
        details.async { [manager, mailbox] in
          mailbox.post(.message(.burst(burst, Array(manager.fetchAssets(ofBurst: burst, options: options)))))
        }
      case .countBursts(let bursts):
        details.async { [manager, mailbox] in
          let counts = bursts.map { ($0, manager.fetchAssets(ofBurst: $0, options: FetchOptions()).count) }
          mailbox.post(.message(.burstCounts(Dictionary(counts) { $1 })))
        }
      case .fetchPosters(let query):
        DispatchQueue.global().async { [manager, mailbox] in
          let posters = query.collections.compactMap { collection in
            manager.fetchKeyAssets(in: collection, options: query.options).first.map { (collection, $0) }
          }
          let answer = PosterAnswer(query: query, posters: Dictionary(posters) { $1 })
          mailbox.post(.message(.posters(answer)))
        }
      case .selectInBulk(let bulkSelection):
        DispatchQueue.global().async { [mailbox] in
          mailbox.post(.message(.bulkSelected(bulkSelection.perform())))
        }
      case .play(let request): session.play(request)
      case .stopPlaying: session.stopPlaying()
      case .report(let assets): report?(assets)
      case .stopWork(Work.reading): manager.stopReading()
      case .stopWork(let work): options.works.stop(work)
      case .resumeReading: manager.resumeReading()
      case .ring: beep()
      case .startTimer(let timer, let milliseconds):
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [mailbox] in
          mailbox.post(.message(.timer(timer)))
        }
      case .redraw: try session.redraw()
      case .suspend:
        awaitAnswer(session)
        try session.suspend()
        try resize(&state, session, &outcome)
      case .finish(let result): outcome = result
      }
    }
  }
}
