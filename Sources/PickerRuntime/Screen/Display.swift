import PickerUI
import Pixels
import TerminalGraphics

/// The screen as the picker knows it: how large it is, how pictures are asked for on it, and who has it.
///
/// What changes the metrics answers with the new ones. Used by the thread of the run loop.
final class Display {
  private let terminal: any PickerTerminal
  private let writer: ScreenWriter
  private let pictures: PictureStore
  private let link: LinkWatcher
  /// The size of a cell over what the terminal says.
  private let cellSize: PixelSize?
  private var answeredCellSize: PixelSize?
  private(set) var metrics: ScreenMetrics

  init(
    _ terminal: any PickerTerminal, _ writer: ScreenWriter, _ pictures: PictureStore, _ link: LinkWatcher,
    cellSize: PixelSize?
  ) {
    self.terminal = terminal
    self.writer = writer
    self.pictures = pictures
    self.link = link
    self.cellSize = cellSize
    let window = terminal.window
    metrics = ScreenMetrics(
      size: window.cells, cell: cellSize ?? window.cell, pictureGeometry: pictures.geometry)
    terminal.guardAgainstCrash(removingPicturesBy: pictures.removal)
  }

  // MARK: Size

  /// The window may have another size.
  func windowChanged() throws(TerminalError) -> ScreenMetrics? {
    // A change of the font changes the cells without changing their number.
    try terminal.askCellSize()
    try terminal.place()
    if let metrics = try resize() { return metrics }
    // A window that was made smaller and large again at once has lost what it showed.
    try writer.reset()
    return nil
  }

  /// The terminal has told the size of a cell.
  func cellSizeAnswered(_ size: PixelSize) throws(TerminalError) -> ScreenMetrics? {
    if let metrics = try answerCame(TerminalProbe.cellSizeAnswer(size)) { return metrics }
    if size.isPlausible(for: CellSize(columns: 1, rows: 1)) { answeredCellSize = size }
    return try resize()
  }

  /// Takes the window's size.
  private func resize() throws(TerminalError) -> ScreenMetrics? {
    let window = terminal.window
    let cell = cellSize ?? answeredCellSize ?? window.cell
    guard window.cells != metrics.size || cell != metrics.cell else { return nil }
    try writer.reset()
    terminal.resize(to: window.cells)
    metrics.size = window.cells
    if cell != metrics.cell {
      metrics.cell = cell
      pictures.adopt(cell)
      metrics.pictureGeometry = pictures.geometry
    }
    return metrics
  }

  // MARK: What the terminal can do

  /// What stands in for what the terminal can't do, or is not known to do: a short name, the same for the same, and a
  /// sentence for the user; nil where nothing does.
  var fallback: (name: String, words: String)? {
    let traits = terminal.traits
    var parts = pictures.fallback.map { [($0.name, $0.words)] } ?? []
    if let substitute = traits.substitute {
      let term = traits.environment.term
      let unknown = term.isEmpty ? "TERM is not set" : "TERM=\(term) is not known here"
      // What is remembered has letters, digits and hyphens.
      let name = term.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }.prefix(64)
      parts.insert(("term-\(name)", "\(unknown): the terminal is used as \(substitute)"), at: 0)
    }
    return parts.isEmpty
      ? nil : (parts.map(\.0).joined(separator: "-"), parts.map(\.1).joined(separator: " · "))
  }

  /// An answer has come that nobody waited for any more, or that was asked for again.
  func answerCame(_ bytes: [UInt8]) throws(TerminalError) -> ScreenMetrics? {
    guard terminal.learn(bytes) else { return nil }
    try writer.reset()
    let traits = terminal.traits
    metrics.cell = cellSize ?? answeredCellSize ?? terminal.window.cell
    pictures.adopt(traits, cell: metrics.cell)
    metrics.pictureGeometry = pictures.geometry
    writer.adopt(traits)
    link.isAnswered = traits.tellsWhenDrawn
    terminal.guardAgainstCrash(removingPicturesBy: pictures.removal)
    return metrics
  }

  // MARK: The link

  /// All pictures that were sent have been drawn, or their answer is overdue.
  func pictureLinkTold(_ isAnswer: Bool) throws(TerminalError) -> ScreenMetrics? {
    if isAnswer, let metrics = try answerCame(LinkSpeed.answer) { return metrics }
    if isAnswer { link.answered() } else { link.expire() }
    guard pictures.adopt(link.quality, isLinkSlow: link.isSlow, shown: writer.shownVersions) else {
      return nil
    }
    try writer.reset()
    metrics.pictureGeometry = pictures.geometry
    return metrics
  }

  // MARK: Who has it

  /// Forgets what is on the screen, as the picker has, and draws it afresh with the next frame; the terminal may be
  /// another one by now.
  func redraw() throws(TerminalError) {
    pictures.forgetTold()
    try writer.reset()
    try terminal.askAgain()
  }

  /// Gives the terminal back, sleeps, takes it again.
  func suspend() throws(TerminalError) -> ScreenMetrics? {
    link.awaitAnswer(within: terminal.traits.answerPatience)
    try writer.reset()
    terminal.suspend()
    return try resumed()
  }

  /// Gives the terminal to somebody else for a while, and takes it again.
  func lend(_ work: () -> Void) throws(TerminalError) -> ScreenMetrics? {
    link.awaitAnswer(within: terminal.traits.answerPatience)
    try writer.reset()
    terminal.lend(work)
    return try resumed()
  }

  /// Awake again: the shell may have put the terminal into its own modes, and written on it.
  func resumed() throws(TerminalError) -> ScreenMetrics? {
    terminal.takeBack()
    try writer.reset()
    return try resize()
  }

  /// The end: pictures erased, the terminal given back.
  func end() {
    link.awaitAnswer(within: terminal.traits.answerPatience)
    pictures.stopPlaying()
    try? writer.reset()  // a terminal that is gone needs no cleaning
    terminal.end(isAwaitingAnswer: link.isAwaitingAnswer)
  }
}
