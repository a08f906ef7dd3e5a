import PickerUI
import Pixels
import TerminalGraphics
import Testing

@testable import PickerRuntime

@Suite(.serialized, .timeLimit(.minutes(120))) struct SuspensionTests {
  private static func open() async throws -> LoopRun {
    let run = LoopRun(
      terminal: ScriptedTerminal(columns: 60, rows: 12, confirmsDrawing: true), pictureBytes: 6000)
    try await run.open()
    run.make(Array(run.visible.prefix(2)))
    try run.turn()
    run.terminal.forgetLog()
    return run
  }

  @Test(arguments: [TerminalEvent.suspend, .key(.control("z"))])
  func `Pictures are erased before the terminal is restored, and everything is redrawn on resume`(
    event: TerminalEvent
  ) async throws {
    let run = try await Self.open()
    try run.send(event)
    guard case .part(let erasing) = run.terminal.log.first else {
      Issue.record("nothing was erased")
      return
    }
    #expect(!erasing.erasing.isEmpty && erasing.text == nil && !erasing.isFirst)
    #expect(Array(run.terminal.log.dropFirst().prefix(2)) == [.suspend, .resume])
    let frame = try #require(run.terminal.parts.last)
    #expect(frame.text != nil && frame.text?.before == nil)
    #expect(frame.fills == [1, 2])
  }

  @Test func `After another program used the screen it is taken over again`() async throws {
    let run = try await Self.open()
    try run.send(.resumed)
    #expect(run.terminal.otherEntries == [.resume])
    #expect(run.terminal.parts.last?.fills == [1, 2])
    #expect(run.terminal.parts.last?.text?.before == nil)
  }

  @Test func `A window that became smaller while suspended is drawn in its new size`() async throws {
    let run = try await Self.open()
    run.terminal.window.cells = CellSize(columns: 50, rows: 12)
    try run.send(.resumed)
    #expect(run.terminal.otherEntries == [.resume, .resize(CellSize(columns: 50, rows: 12))])
    #expect(run.terminal.text?.size == CellSize(columns: 50, rows: 12))
  }

  @Test func `Suspending waits for a pending answer`() async throws {
    let run = LoopRun(terminal: ScriptedTerminal(confirmsDrawing: true), pictureBytes: 30_000)
    try await run.open()
    run.make([run.visible[0]])
    try run.turn()
    run.terminal.forgetLog()
    let began = run.clock.now
    run.clock.whileWaiting { [mailbox = run.mailbox, clock = run.clock] in
      clock.advance(by: .milliseconds(10))
      mailbox.post(.terminal(.key(.right)))
    }
    run.clock.whileWaiting { [mailbox = run.mailbox] in mailbox.post(.terminal(.allDrawn)) }
    try run.send(.suspend)
    #expect(run.clock.now - began == .milliseconds(10))
    #expect(run.terminal.otherEntries == [.suspend, .resume])
    // It arrives as the answer afterwards: pictures are sent again.
    #expect(run.terminal.parts.last?.fills == [1])
  }

  @Test func `The wait is at most half of the usual timeout`() async throws {
    let run = LoopRun(terminal: ScriptedTerminal(confirmsDrawing: true), pictureBytes: 30_000)
    try await run.open()
    run.make([run.visible[0]])
    try run.turn()
    let began = run.clock.now
    run.loop.close()
    #expect(run.clock.now - began == .milliseconds(500))
    #expect(run.terminal.log.last == .end(isAwaitingAnswer: true))
  }

  @Test func `After a crash kitty's stored pictures are removed; pictures in cells go with the screen`() {
    #expect(LoopRun(graphics: .kitty).terminal.removal == KittyCommands().freeAll)
    #expect(LoopRun(graphics: .iterm).terminal.removal == [])
  }
}
