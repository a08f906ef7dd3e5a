import PickerUI
import Pixels
import TerminalGraphics

/// The screen from the picker's view: its size, how pictures are requested for it, and who owns it at the moment.
///
/// Methods that change the metrics return the new ones. Used by the thread of the run loop.
final class Display {
  private let terminal: any PickerTerminal
  private let writer: ScreenWriter
  private let pictures: PictureStore
  private let link: LinkWatcher
  /// The user's cell size, which overrides the terminal's.
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

  /// Handles a possible change of the window's size.
  func windowChanged() throws(TerminalError) -> ScreenMetrics? {
    // A change of the font changes the cell size without changing the number of cells.
    try terminal.queryCellSize()
    // Pictures are erased where they are, before the program draws in these cells.
    if terminal.isSurrounded { try writer.reset() }
    try terminal.locateRegion()
    if let metrics = try resize() { return metrics }
    // A window that was resized back and forth has lost its content.
    try writer.reset()
    return nil
  }

  /// Handles the terminal's report of its cell size.
  func cellSizeAnswered(_ size: PixelSize) throws(TerminalError) -> ScreenMetrics? {
    if let metrics = try answerCame(TerminalProbe.cellSizeAnswer(size)) { return metrics }
    if size.isPlausible(for: CellSize(columns: 1, rows: 1)) { answeredCellSize = size }
    return try resize()
  }

  /// Adopts the window's size.
  private func resize() throws(TerminalError) -> ScreenMetrics? {
    let window = terminal.window
    let cell = cellSize ?? answeredCellSize ?? window.cell
    guard window.cells != metrics.size || cell != metrics.cell else { return nil }
    try writer.reset()
    terminal.resize(to: window.cells)
    metrics.size = window.cells
    if cell != metrics.cell {
      metrics.cell = cell
      pictures.setCellSize(cell)
      metrics.pictureGeometry = pictures.geometry
    }
    return metrics
  }

  // MARK: Capabilities

  /// What replaces missing or unknown capabilities of the terminal or its link: a short identifier and a sentence for
  /// the user; nil if nothing is replaced.
  var fallback: (name: String, words: String)? {
    let traits = terminal.traits
    var parts = pictures.fallback.map { [($0.name, $0.words)] } ?? []
    if pictures.hasBlocksForLink { parts.append(("slow-link", slownessWords)) }
    if let substitute = traits.substitute {
      let term = traits.environment.term
      let unknown = term.isEmpty ? "TERM is not set" : "TERM=\(term) is unknown"
      // The remembered identifier consists of letters, digits and hyphens.
      let name = term.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }.prefix(64)
      parts.insert(("term-\(name)", "\(unknown): the terminal is used as \(substitute)"), at: 0)
    }
    return parts.isEmpty
      ? nil : (parts.map(\.0).joined(separator: "-"), parts.map(\.1).joined(separator: " · "))
  }

  private var slownessWords: String {
    let reason =
      link.bytesPerSecond.map { "the connection carries \(max(1, Int($0 / 1000))) kB/s" }
      ?? "the terminal does not confirm in time that it has drawn them"
    return "Pictures are drawn as blocks: \(reason)"
  }

  /// Handles an answer that arrived late, or to a repeated query.
  func answerCame(_ bytes: [UInt8]) throws(TerminalError) -> ScreenMetrics? {
    guard terminal.learn(bytes) else { return nil }
    try writer.reset()
    let traits = terminal.traits
    metrics.cell = cellSize ?? answeredCellSize ?? terminal.window.cell
    pictures.setTraits(traits, cell: metrics.cell)
    metrics.pictureGeometry = pictures.geometry
    writer.setTraits(traits)
    link.isAnswered = traits.confirmsDrawing
    terminal.guardAgainstCrash(removingPicturesBy: pictures.removal)
    return metrics
  }

  /// Queries the terminal's colors again: with its answers, the theme follows.
  func colorSchemeChanged() throws(TerminalError) { try terminal.repeatQueries() }

  // MARK: The link

  /// Handles the confirmation that all sent pictures are drawn, or its timeout.
  func pictureLinkAnswered(_ isAnswer: Bool) throws(TerminalError) -> ScreenMetrics? {
    if isAnswer, let metrics = try answerCame(LinkSpeed.answer) { return metrics }
    if isAnswer { link.answered() } else { link.expire() }
    guard pictures.setQuality(link.quality, isLinkSlow: link.isSlow, shown: writer.shownVersions) else {
      return nil
    }
    try writer.reset()
    metrics.pictureGeometry = pictures.geometry
    return metrics
  }

  // MARK: Ownership

  /// Redraws everything with the next frame, and queries the terminal again, because it may be another one by now.
  func redraw() throws(TerminalError) {
    pictures.forgetReportedStatuses()
    try writer.reset()
    try terminal.repeatQueries()
  }

  /// Restores the terminal, stops the process, and takes the terminal again afterwards.
  func suspend() throws(TerminalError) -> ScreenMetrics? {
    link.awaitAnswer(within: terminal.traits.answerPatience)
    try writer.reset()
    terminal.suspend()
    return try resumed()
  }

  /// Restores the terminal for `work`, and takes it again afterwards.
  func lend(_ work: () -> Void) throws(TerminalError) -> ScreenMetrics? {
    link.awaitAnswer(within: terminal.traits.answerPatience)
    try writer.reset()
    terminal.lend(work)
    return try resumed()
  }

  /// Takes the terminal again after the process was resumed: the shell may have changed its modes and written on
  /// it.
  func resumed() throws(TerminalError) -> ScreenMetrics? {
    terminal.resume()
    try writer.reset()
    return try resize()
  }

  /// Erases all pictures and restores the terminal at the end.
  func end() {
    link.awaitAnswer(within: terminal.traits.answerPatience)
    pictures.stopPlaying()
    pictures.stopStills()
    try? writer.reset()  // a terminal that is gone needs no cleaning
    terminal.end(isAwaitingAnswer: link.isAwaitingAnswer)
  }
}
