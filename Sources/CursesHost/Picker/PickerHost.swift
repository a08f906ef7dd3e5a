package import AssetLibrary
package import PickerRuntime
package import PickerUI
import Pixels
import Synchronization
package import TerminalGraphics
import System

/// Runs a picker on the controlling terminal, and restores the terminal however it ends.
///
/// One run at a time, on the thread that calls `run`, which it blocks.
package struct PickerHost {
  private let library: PickerLibrary
  private let consent: ConsentScreen
  private let works: WorkReporter
  private let pictures: PictureOptions
  private let theme: ThemeChoice
  private let height: WindowPart?
  private let width: WindowPart?
  private let part: ScreenPart?
  private let programs: ProgramRunner?
  private let player: MediaPlayer?
  private let delivery: ResultDelivery?
  private let report: (([Asset]) -> Void)?
  private let reportUnknown: (([LocalIdentifier]) -> Void)?
  private let remember: ((ScreenChanges) -> Void)?
  private let rememberLink: ((Double) -> Void)?

  /// - Parameters:
  ///   - works: receives the progress of long work outside of the picker.
  ///   - theme: colors and styles of text; no theme has colors if NO_COLOR is set.
  ///   - height: rows below the cursor to use, cleared at the end; nil for the whole screen.
  ///   - width: columns at the left to use; nil for the whole width.
  ///   - part: the part of the program's own screen to use, on its alternate screen; nil for the picker's own
  ///     screen.
  ///   - programs: runs the caller's programs.
  ///   - player: the user's own player; nil if no program can be started.
  ///   - delivery: delivers the result before the picker ends; nil if the caller does so afterwards.
  ///   - report: called on the thread of `run` with the picks after each change, or with the asset under the
  ///     cursor, if the configuration asks for that.
  ///   - reportUnknown: called on the thread of `run` with preselected assets that the library does not have.
  ///   - remember: called on the thread of `run` at the end with the user's changes of the screen layout.
  ///   - rememberLink: called in the same way with the bandwidth of the link to the terminal, in bytes per second.
  package init(
    library: PickerLibrary, consent: ConsentScreen, works: WorkReporter = WorkReporter(),
    pictures: PictureOptions = PictureOptions(), theme: ThemeChoice = ThemeChoice(),
    height: WindowPart? = nil, width: WindowPart? = nil, part: ScreenPart? = nil,
    programs: ProgramRunner? = nil,
    player: MediaPlayer? = nil,
    delivery: ResultDelivery? = nil,
    report: (([Asset]) -> Void)? = nil,
    reportUnknown: (([LocalIdentifier]) -> Void)? = nil,
    remember: ((ScreenChanges) -> Void)? = nil,
    rememberLink: ((Double) -> Void)? = nil
  ) {
    self.library = library
    self.consent = consent
    self.works = works
    self.pictures = pictures
    self.theme = theme
    self.height = height
    self.width = width
    self.part = part
    self.programs = programs
    self.player = player
    self.delivery = delivery
    self.report = report
    self.reportUnknown = reportUnknown
    self.remember = remember
    self.rememberLink = rememberLink
  }

  /// Shows the picker until it ends.
  /// - Parameters:
  ///   - options: the caller's options for the picker.
  ///   - control: changes and dismisses the picker; nil if only the user does.
  /// - Throws: `TerminalError` if there is no usable terminal or it disappears; the terminal is restored.
  package func run(
    _ options: PickerState.Options, control: PickerControl? = nil
  ) throws(TerminalError) -> PickerOutcome {
    // If the reader of the reports has exited, the write must fail rather than end the process before the
    // terminal is restored.
    var (ignored, formerly) = (sigaction(), sigaction())
    ignored.__sigaction_handler.sa_handler = SIG_IGN
    sigaction(SIGPIPE, &ignored, &formerly)
    defer { sigaction(SIGPIPE, &formerly, nil) }
    TerminalLocale.adopt()
    var options = options
    options.locale = .ofProcess
    options.home =
      getenv("HOME").map {
        Array(UnsafeBufferPointer(start: $0, count: strlen($0)).lazy.map(UInt8.init(bitPattern:)))
      } ?? []
    if !TerminalLocale.isUTF8 { options.symbols = .limitedToASCII }
    let mailbox = Mailbox<LoopEvent>()
    let notes = SignalNotes()
    let device = try TerminalDevice(interruptedBy: notes)
    // The picker works without signal handling, but ends less gracefully.
    try? SignalWatch.start { number in
      notes.note(number)
      mailbox.post(.terminal(TerminalEvent(signal: number)))
    }
    defer { SignalWatch.stop() }
    control?.connect { mailbox.post($0) }
    defer { control?.disconnect() }
    let result = Result { () throws(TerminalError) in
      let (probe, typed) = try device.probe(asksCursorPlace: height != nil)
      let places = Mailbox<CursorPlace>()
      let terminal = try CursesTerminal(
        device, probe: probe, theme: theme, place: place(on: device, probe), width: width, places: places)
      try terminal.readKeys(after: typed) { event in
        // Not to the mailbox: the thread that reads the mailbox is the one that waits for the position.
        if case .cursorPlace(let place) = event { places.post(place) } else { mailbox.post(.terminal(event)) }
      }
      let loop = PickerLoop(
        options, on: terminal, mailbox: mailbox, library: library, consent: consent, works: works,
        pictures: pictures, programs: programs, player: player, delivery: delivery, report: report,
        reportUnknown: reportUnknown)
      defer {
        let changes = loop.state.screenChanges
        if !changes.isEmpty { remember?(changes) }
        if let speed = loop.bytesPerSecond { rememberLink?(speed) }
      }
      return try loop.run()
    }
    // `notes` also has a signal that arrived after the run loop had ended.
    SignalWatch.stop()
    switch result {
    case .success(.signal(let number)): SignalWatch.die(by: number)
    case .success(.outcome(let outcome)):
      if let number = notes.ending { SignalWatch.die(by: number) }
      return outcome
    case .failure(let error):
      if let number = notes.ending { SignalWatch.die(by: number) }
      throw error
    }
  }
}

/// Changes and dismisses a picker from any thread, also before it is on the screen.
package final class PickerControl: Sendable {
  private struct State {
    /// The events that were posted before the picker was on the screen.
    var waiting: [LoopEvent] = []
    /// Tells the picker; nil while it is not on the screen.
    var tell: (@Sendable (LoopEvent) -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// Ends the picker as soon as it is on the screen, as if the user had cancelled.
  package func dismiss() { send(.dismissed) }

  /// Changes the picker; changes are performed in order.
  package func order(_ order: PickerOrder) { send(.message(.order(order))) }

  private func send(_ event: LoopEvent) {
    // Under the lock, so that the order is kept.
    state.withLock { state in
      if let tell = state.tell { tell(event) } else { state.waiting.append(event) }
    }
  }

  func connect(_ tell: @escaping @Sendable (LoopEvent) -> Void) {
    state.withLock { state in
      state.tell = tell
      state.waiting.forEach(tell)
      state.waiting = []
    }
  }

  func disconnect() { state.withLock { $0.tell = nil } }
}

extension PickerHost {
  /// Returns the cells to use: the whole screen also if an inline picker's terminal does not report its cursor
  /// position.
  fileprivate func place(on device: TerminalDevice, _ probe: TerminalProbe) -> ScreenPlace {
    if let part { return .part(part, part.place(in: device.windowSize.cells)) }
    guard let height, let cursor = probe.cursorPlace else { return .whole }
    let rows = device.windowSize.cells.rows
    var region = InlineRegion(height, in: rows)
    region.place(at: cursor.column > 0 ? cursor.row + 1 : cursor.row, in: rows)
    return .rows(region)
  }
}

extension TerminalEvent {
  /// Returns the event for a signal; all other signals end the run loop.
  init(signal number: Int32) {
    self =
      switch number {
      case SIGWINCH: .windowChanged
      case SIGTSTP: .suspend
      case SIGCONT: .resumed
      default: .end(signal: number)
      }
  }
}
