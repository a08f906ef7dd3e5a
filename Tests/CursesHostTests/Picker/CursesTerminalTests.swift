import Glibc
import Pixels
import Synchronization
import System
import TestTerminal
import Testing

@testable import CursesHost
@testable import PickerUI
@testable import TerminalGraphics

/// The terminal of a picker in a part of another program's screen.
@Suite(.serialized) struct CursesTerminalTests {
  private let screen: PseudoTerminal
  private let notes = SignalNotes()
  private let terminal: CursesTerminal
  private let drawings = Drawings()

  /// How often the program has drawn its own part.
  private final class Drawings: Sendable {
    let count = Mutex(0)
  }

  init() throws {
    screen = try PseudoTerminal(columns: 60, rows: 20, cell: (10, 20))
    let device = try TerminalDevice(screen.path, interruptedBy: notes)
    let part = ScreenPart { window in
      CellRect(column: 20, row: 0, columns: window.columns - 20, rows: window.rows)
    } redraw: { [drawings] _ in
      drawings.count.withLock { $0 += 1 }
    }
    terminal = try CursesTerminal(
      device, probe: TerminalProbe(), theme: ThemeChoice(),
      place: .part(part, part.place(in: device.windowSize.cells)))
  }

  private func output() -> String { String(decoding: screen.takeOutput(), as: UTF8.self) }

  @Test func `When the window changes, the program draws, and reports are not turned on again`() throws {
    #expect(output().contains("\u{1B}[?2048h"))
    try terminal.locateRegion()
    #expect(drawings.count.withLock { $0 } == 1)
    // A terminal reports its window as soon as the reports are turned on, which would be a change again.
    let sent = output()
    #expect(sent.contains("\u{1B}[?25l") && !sent.contains("\u{1B}[?2048h"))
  }

  @Test func `At the end the program draws, but after a signal its screen is left`() {
    terminal.end(isAwaitingAnswer: false)
    #expect(drawings.count.withLock { $0 } == 1)
    #expect(!output().contains("\u{1B}[?1049l"))
    notes.note(SIGTERM)
    terminal.end(isAwaitingAnswer: false)
    #expect(drawings.count.withLock { $0 } == 1)
    #expect(output().contains("\u{1B}[?1049l"))
  }
}
