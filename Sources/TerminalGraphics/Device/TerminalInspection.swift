package import Pixels
import System

/// A look at the terminal without taking its screen.
package struct TerminalInspection: Sendable {
  private let probe: TerminalProbe
  private let window: (cells: CellSize, pixels: PixelSize)

  /// What it was found to be able to do.
  package var capabilities: TerminalCapabilities { probe.capabilities }
  /// Whether it says when it has drawn everything, if it is asked.
  package var tellsWhenDrawn: Bool { probe.tellsWhenDrawn }
  package var cells: CellSize { window.cells }
  /// The size of a character cell in pixels.
  package var cellSize: PixelSize { probe.cellSize(in: window) }

  /// Asks the controlling terminal what it can do; nil when there is none.
  ///
  /// Waits for the answers, a second at the most, longer over SSH. Signals that came meanwhile, and
  /// Ctrl-C, have their effect once the terminal is as it was: they end the process, unless it has handlers of its own.
  package static func inspect() -> TerminalInspection? {
    let notes = SignalNotes()
    guard let terminal = try? TerminalDevice(interruptedBy: notes) else { return nil }
    // Without signals the terminal is asked all the same.
    try? SignalWatch.start { notes.note($0) }
    let found = try? terminal.probe(asksCursorPlace: true)
    SignalWatch.stop()
    let isInterrupted = found.map { KeyReport.interrupts($0.typed) } ?? false
    if let number = notes.ending ?? (isInterrupted ? SIGINT : nil) {
      terminal.discardInput()
      // As it would have done without the question: a program may have handlers of its own.
      raise(number)
    }
    return found.map { TerminalInspection(probe: $0.probe, window: terminal.windowSize) }
  }

  /// What was found and why, a line each.
  package func report(requested: GraphicsProtocol?) -> [String] {
    let environment = TerminalEnvironment.ofProcess
    let choice = GraphicsChoice(capabilities, in: environment, requested: requested)
    return ProbeReport(probe, in: environment, choice: choice, window: window, cell: cellSize).lines
  }

  /// Throws away answers that came too late: they must not be typed into the user's shell.
  package func discardLateAnswers() {
    guard !probe.isComplete, let terminal = try? TerminalDevice() else { return }
    terminal.discardInput()
  }
}
