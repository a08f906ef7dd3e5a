public import Pixels
public import TerminalGraphics

/// A look at the terminal without taking its screen.
public struct TerminalInspection: Sendable {
  public var capabilities: TerminalCapabilities
  public var cells: CellSize
  /// The size of a character cell in pixels.
  public var cellSize: PixelSize

  /// Asks the controlling terminal what it can do; nil when there is none.
  ///
  /// Waits for the answers, a second at the most, longer over SSH.
  public static func look() -> TerminalInspection? {
    guard let terminal = try? TerminalDevice(), let (probe, _) = try? terminal.probe(isInterrupted: { false })
    else { return nil }
    let window = terminal.windowSize
    return TerminalInspection(
      capabilities: probe.capabilities, cells: window.cells, cellSize: probe.cellSize(in: window))
  }
}
