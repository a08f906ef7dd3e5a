package import Pixels
import System

/// What a terminal was asked, what it answered and what follows, as text for a bug report.
package struct ProbeReport: Sendable {
  private let probe: TerminalProbe
  private let environment: TerminalEnvironment
  private let choice: GraphicsChoice
  private let window: (cells: CellSize, pixels: PixelSize)
  private let cell: PixelSize

  /// - Parameters:
  ///   - window: what the driver says (TIOCGWINSZ); zero pixels where it doesn't know.
  ///   - cell: the size of a cell that was concluded.
  package init(
    _ probe: TerminalProbe, in environment: TerminalEnvironment, choice: GraphicsChoice,
    window: (cells: CellSize, pixels: PixelSize), cell: PixelSize
  ) {
    self.probe = probe
    self.environment = environment
    self.choice = choice
    self.window = window
    self.cell = cell
  }

  /// The report, a line each.
  package var lines: [String] {
    var lines = ["environment"]
    lines += TerminalEnvironment.names.compactMap { name in
      environment.variables[name].map { "  \(name)=\(Array($0.utf8).shownControls)" }
    }
    if environment.isRemote { lines.append("  over SSH: answers are waited for longer, no memory is shared") }
    lines += ["", "question          answer → conclusion"]
    for query in TerminalQuery.allCases {
      let answer =
        probe.answers[query].map(\.shownControls)
        ?? (probe.queries.contains(query) ? "none" : "not asked")
      lines.append("  \(Self.padded(query.rawValue, 16))\(answer) → \(conclusion(of: query))")
    }
    lines.append("  \(Self.padded("window", 16))\(windowAnswer) → \(windowConclusion)")
    if let client = probe.capabilities.tmuxClient {
      let permission = client.allowsPassthrough ? "on" : "off"
      lines.append(
        "  \(Self.padded("tmux", 16))\(Array(client.name.utf8).shownControls), passthrough \(permission)")
    }
    if let note = probe.capabilities.quirks.note { lines += ["", "known: \(note)"] }
    lines += ["", "pictures: \(choice.graphics.rawValue), because \(choice.reason)"]
    for verdict in choice.verdicts where verdict.graphics != choice.graphics {
      lines.append("  \(verdict.graphics.rawValue): \(verdict.isUsable ? "usable" : "no"), \(verdict.reason)")
    }
    return lines
  }

  private var windowAnswer: String {
    "\(window.cells.columns)x\(window.cells.rows) cells, \(window.pixels.width)x\(window.pixels.height) pixels"
  }

  private var windowConclusion: String { "cells of \(cell.width)x\(cell.height) pixels" }

  private func conclusion(of query: TerminalQuery) -> String {
    let found = probe.capabilities
    switch query {
    case .name: return found.name.map { Array($0.utf8).shownControls } ?? "a terminal without a name"
    case .kitty: return found.hasKitty ? "understands kitty's protocol" : "not confirmed"
    case .kittySharedMemory:
      return found.hasKittySharedMemory ? "reads shared memory" : "not confirmed"
    case .kittyTemporaryFile:
      if found.hasKittySharedMemory { return "not needed" }
      return found.hasKittyTemporaryFiles ? "reads temporary files" : "pictures are sent inline"
    case .cellSize: return found.cellSize.map(Self.words) ?? "unknown"
    case .textArea: return probe.textArea.map(Self.words) ?? "unknown"
    case .largestSixel: return found.largestSixel.map { "at most \(Self.words($0))" } ?? "no limit known"
    case .colorRegisters: return found.colorRegisters.map { "\($0) colours" } ?? "256 are taken for granted"
    case .synchronizedOutput: return found.hasSynchronizedOutput ? "frames appear at once" : "not known to it"
    case .background: return found.background.map(Self.words) ?? "unknown"
    case .palette:
      return found.palette.isEmpty ? "xterm's colors are taken for granted" : "\(found.palette.count) colors"
    case .status:
      return probe.tellsWhenDrawn ? "says when pictures are drawn" : "not asked behind pictures"
    case .cursorPlace: return probe.cursorPlace == nil ? "--height takes the whole screen" : "--height works"
    case .attributes:
      guard probe.isComplete else { return "silence: nothing is taken for granted" }
      return found.hasSixel ? "draws sixels" : "no sixels"
    }
  }

  private static func words(_ size: PixelSize) -> String { "\(size.width)x\(size.height)" }

  private static func words(_ color: Color) -> String { "\(color.red) \(color.green) \(color.blue)" }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}

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
