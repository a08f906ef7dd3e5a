import Glibc
import Testing

@testable import TerminalGraphics

@Suite struct SignalNotesTests {
  /// Whether a wait for the terminal is interrupted.
  private func isInterrupted(_ notes: SignalNotes) -> Bool {
    var place = pollfd(fd: notes.interruption, events: Int16(POLLIN), revents: 0)
    return poll(&place, 1, 0) == 1
  }

  @Test func `Ctrl-Z requests a stop once, and ends nothing`() {
    let notes = SignalNotes()
    #expect(!notes.asksToStop)
    notes.note(SIGTSTP)
    #expect(notes.asksToStop && notes.ending == nil && !isInterrupted(notes))
    #expect(notes.takeStop() && !notes.takeStop() && !notes.asksToStop)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func `A terminating signal interrupts waits, and the first one counts`(signal: Int32) {
    let notes = SignalNotes()
    notes.note(signal)
    notes.note(signal == SIGTERM ? SIGHUP : SIGTERM)
    #expect(notes.ending == signal && !notes.asksToStop)
    // It stays interrupted.
    #expect(isInterrupted(notes) && isInterrupted(notes))
  }

  @Test(arguments: [SIGWINCH, SIGCONT])
  func `Other signals are ignored`(signal: Int32) {
    let notes = SignalNotes()
    notes.note(signal)
    #expect(notes.ending == nil && !notes.asksToStop && !isInterrupted(notes))
  }
}
