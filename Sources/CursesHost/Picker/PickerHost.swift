package import AssetLibrary
package import PickerRuntime
package import PickerUI
import Pixels
package import TerminalGraphics
import System

/// Runs a picker on the controlling terminal, and gives the terminal back however it ends.
///
/// One run at a time, on the thread that calls `run`, which it blocks.
package struct PickerHost {
  private let library: PickerLibrary
  private let consent: ConsentScreen
  private let works: WorkReporter
  private let pictures: PictureOptions
  private let theme: ThemeChoice
  private let height: InlineHeight?
  private let programs: ProgramRunner?
  private let delivery: ResultDelivery?
  private let report: (([Asset]) -> Void)?
  private let remember: ((ScreenChanges) -> Void)?
  private let rememberLink: ((Double) -> Void)?

  /// - Parameters:
  ///   - works: where long work outside of the picker tells how far it has come.
  ///   - theme: how text looks; no theme has colours where NO_COLOR asks for none.
  ///   - height: how many rows are taken below the cursor, of which nothing is left at the end; nil = the screen.
  ///   - programs: runs the caller's programs.
  ///   - delivery: hands the result over before the picker ends; nil = the caller does after that.
  ///   - report: called on the thread of `run` with what is picked, after each change, or with what the cursor has
  ///     come to, where the configuration asks for that.
  ///   - remember: called on the thread of `run` at the end with what the user changed of the screen.
  ///   - rememberLink: likewise with what the link to the terminal carries, in bytes a second.
  package init(
    library: PickerLibrary, consent: ConsentScreen, works: WorkReporter = WorkReporter(),
    pictures: PictureOptions = PictureOptions(), theme: ThemeChoice = ThemeChoice(),
    height: InlineHeight? = nil, programs: ProgramRunner? = nil, delivery: ResultDelivery? = nil,
    report: (([Asset]) -> Void)? = nil,
    remember: ((ScreenChanges) -> Void)? = nil,
    rememberLink: ((Double) -> Void)? = nil
  ) {
    self.library = library
    self.consent = consent
    self.works = works
    self.pictures = pictures
    self.theme = theme
    self.height = height
    self.programs = programs
    self.delivery = delivery
    self.report = report
    self.remember = remember
    self.rememberLink = rememberLink
  }

  /// Shows the picker until it ends.
  /// - Throws: `TerminalError` when there is no usable terminal or it goes away; the terminal is given back.
  package func run(_ options: PickerState.Options) throws(TerminalError) -> PickerOutcome {
    // Whoever reads what is reported may be gone: that is an error of the write, not an end with the screen taken.
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
    // Without signals the picker works all the same, it only ends less gracefully.
    try? SignalWatch.start { number in
      notes.note(number)
      mailbox.post(.terminal(TerminalEvent(signal: number)))
    }
    defer { SignalWatch.stop() }
    let result = Result { () throws(TerminalError) in
      let (probe, typed) = try device.probe(asksCursorPlace: height != nil)
      let places = Mailbox<CursorPlace>()
      let terminal = try CursesTerminal(
        device, probe: probe, theme: theme, region: region(on: device, probe), places: places)
      try terminal.readKeys(after: typed) { event in
        // Whoever asked waits for it on the thread that takes the others.
        if case .cursorPlace(let place) = event { places.post(place) } else { mailbox.post(.terminal(event)) }
      }
      let loop = PickerLoop(
        options, on: terminal, mailbox: mailbox, library: library, consent: consent, works: works,
        pictures: pictures, programs: programs, delivery: delivery, report: report)
      defer {
        let changes = loop.state.screenChanges
        if !changes.isEmpty { remember?(changes) }
        if let speed = loop.bytesPerSecond { rememberLink?(speed) }
      }
      return try loop.run()
    }
    // What has come by now is in the notes, also where it came too late for the run loop.
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

extension PickerHost {
  /// The rows to take; nil for the screen, also where the terminal does not say where its cursor is.
  fileprivate func region(on device: TerminalDevice, _ probe: TerminalProbe) -> InlineRegion? {
    guard let height, let place = probe.cursorPlace else { return nil }
    let rows = device.windowSize.cells.rows
    var region = InlineRegion(height, in: rows)
    region.place(at: place.column > 0 ? place.row + 1 : place.row, in: rows)
    return region
  }
}

extension TerminalEvent {
  /// What a signal means to the run loop; those that are not watched end it.
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
