import CPlatform
import PickerRuntime
import PickerUI
import Pixels
import TerminalGraphics
import System

/// The controlling terminal while a picker uses its screen: text with ncurses, everything else directly.
///
/// Set up on creation, restored by `end`. Used by the thread of the run loop.
final class CursesTerminal: PickerTerminal {
  private(set) var traits: TerminalTraits
  private let device: TerminalDevice
  private let screen: any TextScreen
  private var probe: TerminalProbe
  /// The query that is not completely answered yet.
  private var pendingProbe: TerminalProbe?
  /// When queries were last repeated.
  private var askedAt: ContinuousClock.Instant?
  /// Whether to repeat them once more as soon as they are answered.
  private var asksAgain = false
  private let themeChoice: ThemeChoice
  private var handover: PixelHandover
  private var keys: KeyReader?
  /// The cells that the picker uses.
  private var place: ScreenPlace
  /// The columns at the left; nil for the whole width.
  private let width: WindowPart?
  /// Receives the cursor position reports.
  private let places: Mailbox<CursorPlace>
  /// Sequence that removes pictures after a crash.
  private var removal: [UInt8] = []
  /// Terminal modes while the picker uses the screen.
  private let ownModes: termios

  /// Whether mouse events name pixels.
  private let mouseIsInPixels: Bool
  /// Whether the terminal can report the mouse.
  private let hasMouse: Bool
  /// Whether it reports the mouse without a button.
  private var reportsMotion = false

  /// - Parameters:
  ///   - probe: the terminal's answers so far.
  ///   - place: the cells to use; the rows of an inline picker are already placed.
  ///   - width: columns at the left to use, unless the place is a part of a program's screen; nil for the whole
  ///     width.
  ///   - places: receives the cursor position reports.
  init(
    _ device: TerminalDevice, probe: TerminalProbe, theme choice: ThemeChoice, place: ScreenPlace = .whole,
    width: WindowPart? = nil, places: Mailbox<CursorPlace> = Mailbox()
  ) throws(TerminalError) {
    self.device = device
    self.place = place
    self.width = place.part == nil ? width : nil
    self.places = places
    self.probe = probe
    pendingProbe = probe.isComplete ? nil : probe
    pendingProbe?.leaveMainScreen()
    let (capabilities, environment) = (probe.capabilities, TerminalEnvironment.ofProcess)
    handover = PixelHandover(capabilities.handover)
    themeChoice = choice
    let theme = choice.theme(on: capabilities)
    // Without an answer the size of a cell is a guess, and the cell under the mouse would be one.
    let mouseIsInPixels =
      capabilities.quirks.hasUsableMouse && capabilities.hasPixelMouse && capabilities.cellSize != nil
    if place.part == nil {
      screen = try CursesScreen(
        on: device, names: environment.terminfoNames(isModern: capabilities.has256Colors(in: environment)),
        // A terminal that answers like a modern one can be used as xterm, whatever TERM names it.
        allowsSubstitute: probe.isAnswered, theme: theme,
        keepsTitles: Self.titleKeepers.contains(TerminalName(capabilities.name ?? "").name),
        hasMouse: capabilities.quirks.hasUsableMouse, hasPixelMouse: mouseIsInPixels,
        reportsColorScheme: capabilities.hasColorSchemeReports)
    } else {
      screen = DirectScreen(
        on: device, theme: theme,
        colors: environment.allowsColors ? capabilities.colorCount(in: environment) : 0,
        hasMouse: capabilities.quirks.hasUsableMouse, hasPixelMouse: mouseIsInPixels,
        reportsColorScheme: capabilities.hasColorSchemeReports)
    }
    self.mouseIsInPixels = mouseIsInPixels
    hasMouse = capabilities.quirks.hasUsableMouse
    ownModes = device.currentModes
    traits = TerminalTraits(
      probe, screen, theme, Backdrop(probe.capabilities, theme: choice.name), sharesScreen: place.isShared)
    do throws(TerminalError) {
      if place.region != nil || self.width != nil { screen.resize(to: window.cells) }
      if let region = place.region {
        // Keep the content of the cursor's line.
        let line = (probe.cursorPlace?.column ?? 0) > 0 ? Array("\r\n".utf8) : []
        try device.write(line + region.makingRoom + region.beginning)
      }
      try send(screen.enterSequence)
    } catch {
      leave()
      throw error
    }
  }

  /// Terminals that save and restore their titles although terminfo does not mention it.
  private static let titleKeepers: Set<String> = ["kitty", "tmux"]

  /// Starts reading keys on another thread.
  /// - Parameter typed: bytes that were read before.
  /// - Throws: `TerminalError` if the thread cannot be created; the terminal is restored.
  func readKeys(
    after typed: [UInt8], deliver: @escaping @Sendable (TerminalEvent) -> Void
  ) throws(TerminalError) {
    do throws(TerminalError) {
      keys = try KeyReader(on: device.descriptor, after: typed, deliver: deliver) {
        deliver(.end(signal: SIGHUP))
      }
    } catch {
      leave()
      throw error
    }
  }

  var window: (cells: CellSize, cell: PixelSize) {
    var window = device.windowSize
    let cell = probe.cellSize(in: window)
    window.cells = place.size(in: window.cells)
    if let width {
      window.cells.columns = width.cells(of: window.cells.columns, least: Picker.minimumSize.columns)
    }
    return (window.cells, cell)
  }

  // MARK: Drawing

  private enum Sequence {
    static let beginUpdate = Array("\u{1B}[?2026h".utf8)
    static let endUpdate = Array("\u{1B}[?2026l".utf8)
    static let hideCursor = Array("\u{1B}[?25l".utf8)
  }

  func write(_ part: FramePart) throws(TerminalError) -> Int {
    let isSynchronized = probe.capabilities.hasSynchronizedOutput
    var bytes = part.isFirst && isSynchronized ? Sequence.beginUpdate : []
    bytes += part.erasing
    // ncurses must find the cursor where it left it.
    let savesCursor = traits.savesCursor
    if !savesCursor, !part.erasing.isEmpty { bytes += screen.cursorReturn }
    if let text = part.text { bytes += screen.bytes(for: text.after, from: text.before, in: text.rows) }
    bytes += part.pictures
    bytes += part.marks.flatMap { screen.bytes(for: $0, savesCursor: savesCursor) }
    if !savesCursor, !part.pictures.isEmpty || !part.marks.isEmpty { bytes += screen.cursorReturn }
    if part.isLast, isSynchronized { bytes += Sequence.endUpdate }
    if part.asksWhenDrawn { bytes += LinkSpeed.question }
    return try send(bytes)
  }

  /// Writes output for the picker's screen.
  /// - Returns: the number of bytes written.
  @discardableResult
  private func send(_ bytes: [UInt8]) throws(TerminalError) -> Int {
    let bytes = place.framed(bytes)
    if !bytes.isEmpty { try device.write(bytes) }
    return bytes.count
  }

  func event(_ event: MouseEvent) -> MouseEvent? {
    var event = mouseIsInPixels ? event.inCells(of: window.cell) : event
    if width != nil {
      // As in a region's rows, a drag that leaves the columns ends at their edge.
      let last = window.cells.columns - 1
      guard event.column <= last || event.action == .drag || event.action == .release else { return nil }
      event.column = min(event.column, last)
    }
    return place.event(event)
  }

  var isSurrounded: Bool { place.part != nil }

  /// Makes room again at the cursor, and queries its position, or asks the program for its cells again.
  func locateRegion() throws(TerminalError) {
    if let part = place.part {
      let window = device.windowSize.cells
      place = .part(part, part.place(in: window))
      part.redraw(window)
      // The program may have shown its cursor. The reports stay on: turned on again, that of the window would come
      // at once, and lead here again.
      try device.write(Sequence.hideCursor)
      return
    }
    guard case .rows(var region) = place else { return }
    let window = device.windowSize.cells
    region.resize(in: window.rows)
    _ = places.takeAll(within: .zero)
    try device.write(region.makingRoom + CursorPlace.question)
    let cursor = places.takeAll(within: traits.environment.patience).last
    // Without an answer, assume that there was no room: then the rows are the last ones of the window.
    region.place(at: cursor?.row ?? window.rows, in: window.rows)
    self.place = .rows(region)
    try device.write(region.beginning)
    arm()
  }

  func share(_ pixels: [UInt8]) -> KittyHandover? { handover.share(pixels) }

  // If the terminal is gone, the next frame throws.

  func setTitle(_ title: String) { try? device.write(screen.setTitle(title)) }

  func setMotionReports(_ isOn: Bool) {
    guard hasMouse, isOn != reportsMotion else { return }
    reportsMotion = isOn
    try? device.write(TerminalReports.motion(isOn))
  }

  func ring() { try? device.write(screen.ring()) }

  func copy(_ text: [UInt8]) {
    try? device.write(Clipboard.sequence(text))
    Clipboard.loadIntoTmux(text)
  }

  func resize(to cells: CellSize) { screen.resize(to: cells) }

  func repeatQueries() throws(TerminalError) {
    // The answers to two sets of queries can't be distinguished: the second set waits for the first, unless that
    // was lost.
    if pendingProbe != nil, let askedAt, ContinuousClock.now - askedAt < traits.environment.patience {
      asksAgain = true
      return
    }
    asksAgain = false
    askedAt = .now
    var again = probe.again()
    let questions = again.takeQuestions()
    pendingProbe = again
    if !questions.isEmpty { try device.write(questions) }
  }

  func learn(_ answer: [UInt8]) -> Bool {
    guard var pendingProbe else { return false }
    _ = pendingProbe.feed(answer)
    let questions = pendingProbe.takeQuestions()
    // If the terminal is gone, the next frame throws.
    if !questions.isEmpty { try? device.write(questions) }
    self.pendingProbe = pendingProbe.isComplete ? nil : pendingProbe
    guard pendingProbe.isComplete else { return false }
    probe = pendingProbe
    if asksAgain { try? repeatQueries() }
    // The terminal may have reported its background only now, or have another one.
    let theme = themeChoice.theme(on: probe.capabilities)
    screen.use(theme)
    let backdrop = Backdrop(probe.capabilities, theme: themeChoice.name)
    let traits = TerminalTraits(probe, screen, theme, backdrop, sharesScreen: place.isShared)
    guard traits != self.traits else { return false }
    self.traits = traits
    handover.removeAll()
    handover = PixelHandover(probe.capabilities.handover)
    return true
  }

  func queryCellSize() throws(TerminalError) {
    if probe.capabilities.cellSize != nil { try device.write(TerminalProbe.cellSizeQuestion) }
  }

  // MARK: Restoring

  func guardAgainstCrash(removingPicturesBy bytes: [UInt8]) {
    removal = bytes
    arm()
  }

  /// Restores the terminal whatever was in progress: aborts a partly sent string and ends a synchronized
  /// update.
  private var restoreSequence: [UInt8] {
    let exit = screen.exitSequence
    return Array("\u{18}\u{1B}\\\u{1B}[?2026l\u{1B}[0m".utf8) + removal + place.parting(exit)
      // The program can't leave its own screen any more.
      + (place.part == nil ? [] : ScreenSequence.leaving) + Array("\u{1B}[?25h".utf8)
  }

  private func arm() {
    let restoreSequence = self.restoreSequence
    var modes = device.modes
    terminal_guard_arm(device.descriptor, &modes, restoreSequence, restoreSequence.count)
  }

  func suspend() {
    // Both would read the terminal's last reports.
    keys?.pause()
    leave()
    keys?.resume()
    // The program's screen makes room for the shell's.
    if place.part != nil { device.restoreTerminal(ScreenSequence.leaving, abortingBytes: []) }
    // A process that is about to end must not be stopped first.
    if !device.isCutShort { SignalWatch.stopJob() }
  }

  func lend(_ work: () -> Void) {
    keys?.pause()
    leave()
    // A process that is about to end starts nothing new.
    if !device.isCutShort { SignalWatch.withDefaultSuspend(work) }
    keys?.resume()
  }

  func resume() {
    device.setModes(ownModes)
    // Only the other reports are turned on below.
    reportsMotion = false
    // If the terminal is gone, the next frame throws.
    if place.part != nil { try? device.write(ScreenSequence.entering) }
    try? locateRegion()
    _ = try? send(screen.resume())
    arm()
  }

  /// Restores the terminal while no thread reads keys.
  private func leave() {
    let end = screen.end()
    // ncurses has restored the modes, in which late reports would be echoed.
    if lastWords != nil { device.setModes(ownModes) }
    device.restoreTerminal(
      place.parting(end), abortingBytes: restoreSequence, discardingInputFor: lastWords)
    terminal_guard_disarm()
  }

  /// How long to wait for the terminal's last reports, such as that it has lost the focus; nil if it does not say when
  /// it has sent them.
  private var lastWords: Duration? {
    guard probe.isAnswered, let roundTrip = probe.roundTrip else { return nil }
    // An answer that came too late would be typed into the user's shell, so a busy terminal gets some time.
    return min(.seconds(2), max(.seconds(1), roundTrip * 4))
  }

  func end(isAwaitingAnswer: Bool) {
    // What is typed from now on is for others, except the terminal's last reports.
    keys?.stop()
    leave()
    handover.removeAll()
    if pendingProbe != nil || isAwaitingAnswer { device.discardInput() }
    guard let part = place.part, !device.isCutShort else { return }
    if device.isInterrupted {
      // The process ends by a signal: the program can't leave its own screen any more.
      device.restoreTerminal(ScreenSequence.leaving, abortingBytes: [])
    } else {
      part.redraw(device.windowSize.cells)
    }
  }
}

extension TerminalTraits {
  fileprivate init(
    _ probe: TerminalProbe, _ screen: any TextScreen, _ theme: Theme, _ backdrop: Backdrop,
    sharesScreen: Bool
  ) {
    let capabilities = probe.capabilities
    // The theme's background takes precedence over the terminal's own.
    let ground = theme.background(colors: screen.colorCount)
    let palette = capabilities.palette
    self.init(
      capabilities: capabilities, environment: .ofProcess, colorCount: screen.pictureColorCount,
      isUTF8: TerminalLocale.isUTF8,
      substitute: screen.isSubstitute ? TerminalDescription.substituteName : nil, ground: screen.ground,
      backdrop: ground.map { .color($0) } ?? backdrop,
      pickColor: screen.pickColor(palette: palette) ?? (backdrop.isLight ? .black : .white),
      savesCursor: sharesScreen || capabilities.quirks.hasCursorOfEachScreen,
      confirmsDrawing: probe.confirmsDrawing, roundTrip: probe.roundTrip)
  }
}

/// The modes of the alternate screen, as in xterm's ctlseqs.
private enum ScreenSequence {
  static let entering = Array("\u{1B}[?1049h".utf8)
  static let leaving = Array("\u{1B}[?1049l".utf8)
}

extension ThemeChoice {
  /// Returns the theme for the background that the terminal or, without an answer, the environment reports.
  fileprivate func theme(on capabilities: TerminalCapabilities) -> Theme {
    theme(
      onLightBackground: Backdrop(capabilities, theme: name).isLight, ground: capabilities.background,
      palette: capabilities.palette)
  }
}

extension Backdrop {
  /// Creates the backdrop that the terminal or, without an answer, the chosen theme or the environment
  /// reports.
  init(_ capabilities: TerminalCapabilities, theme: Theme.Name?) {
    let chosen: Color? =
      switch theme {
      case .light: .white
      case .dark: .black
      case .highContrast, .monochrome, nil: nil
      }
    self.init(
      background: capabilities.background ?? chosen, colors: getenv("COLORFGBG").map { String(cString: $0) })
  }
}
