import AssetLibrary
import CTerminalGuard
import PickerUI
import Pixels
import TerminalGraphics

#if canImport(Glibc)
  import Glibc
#endif

/// The terminal while a picker has it: taken when the session is made, given back by `end`.
final class Session {
  private let terminal: TerminalDevice
  private let screen: CursesScreen
  private let writer: ScreenWriter
  private let probe: TerminalProbe
  private let options: PickerHost.Options
  private var encoders: EncoderChoice
  private let makePictures: (any PictureEncoder) -> PictureStore
  private let handover: PixelHandover
  private(set) var pictures: PictureStore?
  private let player: PicturePlayer
  private(set) var metrics: ScreenMetrics
  private var quality = PictureQuality.full

  init(
    terminal: TerminalDevice, probe: TerminalProbe, options: PickerHost.Options,
    manager: any AssetManager, report: @escaping @Sendable ([PictureKey: PictureStatus]) -> Void,
    reportPlayback: @escaping @Sendable (PlaybackEvent, _ generation: Int) -> Void
  ) throws(HostError) {
    self.terminal = terminal
    self.probe = probe
    self.options = options
    handover = PixelHandover(probe.capabilities.handover)
    var backdrop = Backdrop(
      background: probe.capabilities.background, colors: Self.environment("COLORFGBG"))
    let theme = options.theme.theme(onLightBackground: backdrop.isLight)
    let environment = TerminalEnvironment.ofProcess
    let isModern = environment.hasTrueColor || probe.capabilities.name != nil
    screen = try CursesScreen(
      on: terminal, names: environment.terminfoNames(isModern: isModern), theme: theme,
      keepsTitles: Self.titleKeepers.contains(TerminalName(probe.capabilities.name ?? "").name))
    if let color = theme.background(colors: screen.colorCount) { backdrop = .color(color) }
    if options.isCheckered { backdrop = .checkerboard }
    let window = terminal.windowSize
    let cell = options.cellSize ?? probe.cellSize(in: window)
    encoders = EncoderChoice(
      probe.capabilities, in: environment, wish: options.graphics, sixelEncoder: options.sixelEncoder,
      cell: cell, colors: screen.colorCount, symbols: options.isASCII ? .ascii : options.symbols,
      isUTF8: TerminalLocale.isUTF8, compress: options.compress)
    let encoder = encoders.encoder(quality, handsOver: true)
    makePictures = { [backdrop] in
      PictureStore(
        manager: manager, encoder: $0, backdrop: backdrop, cacheLimit: options.cacheLimit, report: report)
    }
    pictures = encoder.map(makePictures)
    player = PicturePlayer(manager: manager, backdrop: backdrop, report: reportPlayback)
    metrics = ScreenMetrics(size: window.cells, cell: cell, pictureGeometry: encoder?.geometry)
    writer = ScreenWriter(
      terminal: terminal, screen: screen, pictures: pictures, player: player,
      isSynchronized: probe.capabilities.hasSynchronizedOutput,
      kitty: encoders.kitty, handover: handover, asks: probe.isComplete && !probe.queries.isEmpty)
    arm()
  }

  /// Terminals that save and restore their titles, though terminfo does not say so.
  private static let titleKeepers: Set<String> = ["kitty", "tmux"]

  private static func environment(_ name: String) -> String {
    getenv(name).map { String(cString: $0) } ?? ""
  }

  /// What restores the terminal whatever was under way: a half-sent string is aborted, an update ended.
  private var farewell: [UInt8] {
    Array("\u{18}\u{1B}\\\u{1B}[?2026l\u{1B}[0m".utf8) + kittyFarewell + screen.exitSequence
      + Array("\u{1B}[?25h".utf8)
  }

  /// What removes all of kitty's pictures from the screen, where there are any.
  private var kittyFarewell: [UInt8] {
    encoders.graphics == .kitty ? encoders.kitty.freeAll : []
  }

  private func arm() {
    var modes = terminal.modes
    terminal_guard_arm(terminal.descriptor, &modes, farewell, farewell.count)
  }

  func draw(_ state: PickerState, isInterrupted: () -> Bool) throws(HostError) {
    try writer.write(Picker.view(state), isInterrupted: isInterrupted)
    screen.setTitle(Picker.windowTitle(state))
  }

  /// Forgets what is on the screen and draws it afresh with the next frame.
  func redraw() throws(HostError) { try writer.reset() }

  // MARK: Size

  /// A change of the font changes the cells without changing their number.
  func askCellSize() throws(HostError) {
    if probe.capabilities.cellSize != nil { try terminal.write(TerminalProbe.cellSizeQuestion) }
  }

  private var answeredCellSize: PixelSize?

  func cellSizeAnswered(_ size: PixelSize) {
    if size.isPlausible(for: CellSize(columns: 1, rows: 1)) { answeredCellSize = size }
  }

  /// Takes the window's new size.
  /// - Returns: whether anything changed.
  func resize() throws(HostError) -> Bool {
    let window = terminal.windowSize
    let cell = options.cellSize ?? answeredCellSize ?? probe.cellSize(in: window)
    guard window.cells != metrics.size || cell != metrics.cell else { return false }
    try writer.reset()
    screen.resize(to: window.cells)
    metrics.size = window.cells
    if cell != metrics.cell { adopt(cell) }
    return true
  }

  /// Cells of another size: every picture is another one.
  private func adopt(_ cell: PixelSize) {
    encoders.cell = cell
    let encoder = encoders.encoder(quality, handsOver: true)
    _ = pictures?.demand([])  // whatever is under way is of no use any more
    pictures = encoder.map(makePictures)
    writer.pictures = pictures
    metrics.cell = cell
    metrics.pictureGeometry = encoder?.geometry
  }

  // MARK: What moves

  /// Plays something in the place of a picture, in fewer bytes than a still one.
  func play(_ request: PlaybackRequest) {
    if let encoder = encoders.encoder(min(quality, .speed), handsOver: true) {
      player.play(request, with: encoder)
    }
  }

  func stopPlaying() { player.stop() }

  // MARK: The link

  /// How often the terminal was asked whether all is drawn.
  var questionCount: Int { writer.questionCount }

  /// Whether its answer has yet to come.
  var isAwaitingAnswer: Bool { writer.link.isAwaitingAnswer }

  /// All pictures that were sent have been drawn, or it took too long.
  /// - Returns: whether pictures have another size from now on.
  func linkTold(_ isAnswer: Bool) throws(HostError) -> Bool {
    if isAnswer {
      writer.link.answered(at: ScreenWriter.now)
    } else {
      writer.link.expire(at: ScreenWriter.now)
    }
    // What was asked for by name is drawn in that way, if smaller.
    let wanted = options.graphics == nil ? writer.link.quality : max(.small, writer.link.quality)
    guard wanted != quality else { return false }
    quality = wanted
    let encoder = encoders.encoder(quality, handsOver: true)
    // Pictures of the same size stay as they are, also where the terminal only ever had blocks.
    guard let encoder, encoder.geometry != metrics.pictureGeometry else {
      if let encoder { pictures?.use(encoder) }
      return false
    }
    try writer.reset()
    adopt(metrics.cell)
    return true
  }

  // MARK: Giving back

  /// Ctrl-Z: gives the terminal back, sleeps, takes it again.
  func suspend() throws(HostError) {
    try leave()
    SignalWatch.stopJob()
    try resume()
  }

  /// Awake again: the shell may have put the terminal into its own modes, and written on it.
  func resume() throws(HostError) {
    screen.takeBack()
    arm()
    try writer.reset()
  }

  private func leave() throws(HostError) {
    defer {
      screen.end()
      terminal_guard_disarm()
    }
    try writer.reset()
  }

  /// The end: pictures erased, modes as they were found.
  func end() {
    player.stop()
    try? leave()  // a terminal that is gone needs no cleaning
    handover.removeAll()
    if !probe.isComplete || isAwaitingAnswer { terminal.discardInput() }
  }
}

extension TerminalProbe {
  /// The size of a character cell: what the terminal says of it, else what follows from the window's
  /// size in pixels where that can be true, else a usual one.
  func cellSize(in window: (cells: CellSize, pixels: PixelSize)) -> PixelSize {
    if let cell = capabilities.cellSize { return cell }
    for area in [textArea, window.pixels] {
      if let area, area.isPlausible(for: window.cells) {
        return PixelSize(
          width: area.width / window.cells.columns, height: area.height / window.cells.rows)
      }
    }
    return .defaultCell
  }
}
