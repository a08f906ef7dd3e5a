package import Pixels
import System

/// The queries to a terminal, its answers and the conclusions, as text for a bug report.
package struct ProbeReport: Sendable {
  private let probe: TerminalProbe
  private let environment: TerminalEnvironment
  private let choice: GraphicsChoice
  private let window: (cells: CellSize, pixels: PixelSize)
  private let cell: PixelSize

  /// - Parameters:
  ///   - window: the driver's answer (TIOCGWINSZ); zero pixels if unknown.
  ///   - cell: the resulting cell size.
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

  /// The lines of the report.
  package var lines: [String] {
    var lines = ["environment"]
    lines += TerminalEnvironment.names.compactMap { name in
      environment.variables[name].map { "  \(name)=\(Array($0.utf8).escapedControls)" }
    }
    if environment.isRemote { lines.append("  over SSH: longer timeouts, no shared memory") }
    lines += ["", "query             answer → conclusion"]
    for query in TerminalQuery.allCases {
      let answer =
        probe.answers[query].map(\.escapedControls)
        ?? (probe.queries.contains(query) ? "none" : "not queried")
      lines.append("  \(Self.padded(query.rawValue, 16))\(answer) → \(conclusion(of: query))")
    }
    lines.append("  \(Self.padded("window", 16))\(windowAnswer) → \(windowConclusion)")
    if let client = probe.capabilities.tmuxClient {
      let permission = client.allowsPassthrough ? "on" : "off"
      lines.append(
        "  \(Self.padded("tmux", 16))\(Array(client.name.utf8).escapedControls), passthrough \(permission)")
    }
    if let time = probe.roundTrip {
      let microseconds = Int(time / .microseconds(1))
      lines.append(
        "  \(Self.padded("time", 16))\(microseconds) µs for a round trip, number of them: \(probe.batches)")
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
    case .name: return found.name.map { Array($0.utf8).escapedControls } ?? "a terminal without a name"
    case .secondaryAttributes:
      return TerminalDatabase.name(bySecondaryAttributes: found.secondaryAttributes) ?? "no known number"
    case .trueColor:
      return found.hasTrueColor ? "shows 24-bit colors" : "not confirmed"
    case .kitty: return found.hasKitty ? "understands kitty's protocol" : "not confirmed"
    case .kittySharedMemory:
      return found.hasKittySharedMemory ? "reads shared memory" : "not confirmed"
    case .kittyTemporaryFile:
      if found.hasKittySharedMemory { return "not needed" }
      return found.hasKittyTemporaryFiles ? "reads temporary files" : "pictures are sent inline"
    case .cellSize: return found.cellSize.map(Self.words) ?? "unknown"
    case .textArea: return probe.textArea.map(Self.words) ?? "unknown"
    case .largestSixel: return found.largestSixel.map { "at most \(Self.words($0))" } ?? "no limit known"
    case .colorRegisters: return found.colorRegisters.map { "\($0) colors" } ?? "256 assumed"
    case .synchronizedOutput: return found.hasSynchronizedOutput ? "frames appear at once" : "not supported"
    case .colorSchemeReports:
      return found.hasColorSchemeReports ? "the theme follows the terminal" : "not supported"
    case .pixelMouse: return found.hasPixelMouse ? "the mouse is reported in pixels" : "not supported"
    case .background: return found.background.map(Self.words) ?? "unknown"
    case .palette:
      return found.palette.isEmpty ? "xterm's colors assumed" : "\(found.palette.count) colors"
    case .status:
      return probe.confirmsDrawing ? "confirms when pictures are drawn" : "not queried after pictures"
    case .cursorPlace: return probe.cursorPlace == nil ? "--height takes the whole screen" : "--height works"
    case .attributes:
      guard probe.isAnswered else { return "no answer: nothing assumed" }
      return found.hasSixel ? "draws sixels" : "no sixels"
    }
  }

  private static func words(_ size: PixelSize) -> String { "\(size.width)x\(size.height)" }

  private static func words(_ color: Color) -> String { "\(color.red) \(color.green) \(color.blue)" }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}

/// The result of querying the terminal without taking over its screen.
package struct TerminalInspection: Sendable {
  private let probe: TerminalProbe
  private let window: (cells: CellSize, pixels: PixelSize)

  /// The capabilities of the terminal.
  package var capabilities: TerminalCapabilities { probe.capabilities }
  /// Whether it can confirm that everything is drawn.
  package var confirmsDrawing: Bool { probe.confirmsDrawing }
  package var cells: CellSize { window.cells }
  /// Size of a character cell in pixels.
  package var cellSize: PixelSize { probe.cellSize(in: window) }

  /// Queries the controlling terminal's capabilities; nil if there is no terminal.
  ///
  /// Waits for the answers at most one second, longer over SSH. Signals and Ctrl-C that arrived meanwhile take
  /// effect after the terminal's modes are restored: they end the process, unless it handles them.
  package static func inspect() -> TerminalInspection? {
    let notes = SignalNotes()
    guard let terminal = try? TerminalDevice(interruptedBy: notes) else { return nil }
    // The terminal can be queried without signal handling.
    try? SignalWatch.start { notes.note($0) }
    let found = try? terminal.probe(asksCursorPlace: true)
    SignalWatch.stop()
    let isInterrupted = found.map { KeyReport.interrupts($0.typed) } ?? false
    if let number = notes.ending ?? (isInterrupted ? SIGINT : nil) {
      terminal.discardInput()
      // Raised again as if there had been no query: the program may handle it.
      raise(number)
    }
    return found.map { TerminalInspection(probe: $0.probe, window: terminal.windowSize) }
  }

  /// Returns the findings and their reasons, one per line.
  package func report(requested: GraphicsProtocol?) -> [String] {
    let environment = TerminalEnvironment.ofProcess
    let choice = GraphicsChoice(capabilities, in: environment, requested: requested)
    return ProbeReport(probe, in: environment, choice: choice, window: window, cell: cellSize).lines
  }

  /// Discards late answers, which must not end up as input of the user's shell.
  package func discardLateAnswers() {
    guard !probe.isComplete, let terminal = try? TerminalDevice() else { return }
    terminal.discardInput()
  }
}
