import AssetLibrary
import PickerUI
import Pixels
import TerminalGraphics
import Testing

@testable import PickerRuntime

/// Interruptions in the middle of a frame.
///
/// Pictures here are larger than one write.
@Suite(.serialized, .timeLimit(.minutes(120))) struct InterruptionTests {
  private static func open(
    _ terminal: ScriptedTerminal = ScriptedTerminal(columns: 130)
  ) async throws -> LoopRun {
    let run = LoopRun(terminal: terminal, pictureBytes: 30_000)
    try await run.open()
    run.terminal.forgetLog()
    run.make(Array(run.visible.prefix(6)))
    return run
  }

  /// Runs an action while the first part of the next frame is being written.
  private static func onFirstPart(of run: LoopRun, _ action: @escaping () -> Void) {
    run.terminal.whileWriting = { [terminal = run.terminal] _ in
      terminal.whileWriting = { _ in }
      action()
    }
  }

  @Test func `Large pictures are written one by one within one frame`() async throws {
    let run = try await Self.open()
    try run.turn()
    #expect(run.terminal.parts.map(\.fills) == [[1], [2], [3], [4], [5], [6]])
    #expect(run.terminal.areFramesWhole && run.terminal.parts.map(\.isLast).last == true)
  }

  @Test func `A key is handled between pictures, and the rest follows with the next frame`() async throws {
    let run = try await Self.open()
    Self.onFirstPart(of: run) { run.mailbox.post(.terminal(.key(.space))) }
    try run.turn()
    #expect(run.terminal.parts.map(\.fills) == [[1], []])
    #expect(run.terminal.areFramesWhole)
    try run.turn()
    #expect(run.terminal.shows("1 picked"))
    #expect(run.terminal.parts.flatMap(\.fills) == [1, 2, 3, 4, 5, 6])
    #expect(run.terminal.areFramesWhole)
  }

  @Test func `Pictures that a key makes stale are not sent`() async throws {
    let run = try await Self.open()
    Self.onFirstPart(of: run) { run.mailbox.post(.terminal(.key(.end))) }
    try run.turn()
    try run.turn()
    #expect(run.terminal.parts.flatMap(\.fills) == [1])
    // What was drawn at the old position is erased.
    #expect(run.terminal.parts.contains { !$0.erasing.isEmpty })
  }

  @Test func `In a part of another program's screen, pictures are erased before the program draws`()
    async throws
  {
    let run = try await Self.open()
    run.terminal.isSurrounded = true
    try run.turn()
    run.terminal.forgetLog()
    run.mailbox.post(.terminal(.windowChanged))
    try run.turn()
    let erased = try #require(
      run.terminal.log.firstIndex { if case .part(let part) = $0 { !part.erasing.isEmpty } else { false } })
    #expect(erased < (try #require(run.terminal.log.firstIndex(of: .locateRegion))))
    // Everything is drawn again, also if the picker's size is the same.
    #expect(run.terminal.parts.contains { $0.text?.before == nil && $0.text != nil })
  }

  @Test func `A resize between pictures redraws everything`() async throws {
    let run = try await Self.open()
    Self.onFirstPart(of: run) {
      run.terminal.window.cells = CellSize(columns: 120, rows: 18)
      run.mailbox.post(.terminal(.windowChanged))
    }
    try run.turn()
    #expect(run.terminal.parts.map(\.fills) == [[1], []] && run.terminal.areFramesWhole)
    run.terminal.forgetLog()
    try run.turn()
    #expect(
      run.terminal.otherEntries == [.queryCellSize, .locateRegion, .resize(CellSize(columns: 120, rows: 18))])
    // The old content is erased on its own before the frame.
    let first = try #require(run.terminal.parts.first)
    #expect(!first.erasing.isEmpty && !first.isFirst && first.text == nil)
    let frame = run.terminal.parts.dropFirst()
    #expect(frame.first?.text?.before == nil)
    #expect(frame.first?.text?.after.size == CellSize(columns: 120, rows: 18))
    #expect(frame.flatMap(\.fills).starts(with: [1, 2, 3]))
    #expect(run.terminal.areFramesWhole)
  }

  @Test func `After a resize to the same size the window is redrawn`() async throws {
    let run = try await Self.open()
    try run.turn()
    run.terminal.forgetLog()
    try run.send(.windowChanged)
    // An inline picker makes room for its rows again, wherever the terminal moved them.
    #expect(run.terminal.otherEntries == [.queryCellSize, .locateRegion])
    #expect(run.terminal.parts.flatMap(\.fills) == [1, 2, 3, 4, 5, 6])
    let text = try #require(run.terminal.parts.compactMap(\.text).first)
    #expect(text.before == nil)
  }

  @Test func `Another cell size leads to other pictures`() async throws {
    let run = try await Self.open()
    try run.turn()
    let before = try #require(run.images.open.first?.request.targetSize)
    run.terminal.forgetLog()
    try run.send(.cellSize(PixelSize(width: 20, height: 40)))
    #expect(run.terminal.parts.flatMap(\.fills).isEmpty)
    let after = try #require(run.images.open.first?.request.targetSize)
    #expect(after.width == 2 * before.width)
    // An impossible answer is ignored.
    run.terminal.forgetLog()
    try run.send(.cellSize(.zero))
    #expect(run.terminal.log.isEmpty)
  }

  @Test func `A signal while pictures are drawn ends with a complete frame and a restored terminal`()
    async throws
  {
    let run = try await Self.open()
    Self.onFirstPart(of: run) { run.mailbox.post(.terminal(.end(signal: 15))) }
    try run.turn()
    try run.loop.handle(run.mailbox.takeAll())
    #expect(run.loop.ending == .signal(15))
    run.loop.close()
    #expect(run.terminal.areFramesWhole)
    #expect(run.terminal.parts.flatMap(\.fills) == [1])
    // The picture that was sent is erased, then the terminal is restored; nothing follows.
    #expect(run.terminal.parts.last?.erasing.isEmpty == false)
    #expect(run.terminal.log.last == .end(isAwaitingAnswer: false))
  }

  @Test func `A lost terminal ends the run without another question`() async throws {
    let run = try await Self.open()
    run.terminal.failure = .lost("Input/output error")
    #expect(throws: TerminalError.lost("Input/output error")) { try run.turn() }
    run.loop.close()
    #expect(run.terminal.log == [.end(isAwaitingAnswer: false)])
    #expect(await run.consent.decision(for: ConsentRequest(client: "test")) == nil)
  }

  @Test func `A run ends when its terminal is closed, and restores it once`() throws {
    let run = LoopRun()
    run.mailbox.post(.terminal(.end(signal: 1)))
    #expect(try run.loop.run() == .signal(1))
    #expect(run.terminal.otherEntries == [.end(isAwaitingAnswer: false)])
    let lost = LoopRun()
    lost.terminal.failure = .lost("gone")
    #expect(throws: TerminalError.lost("gone")) { try lost.loop.run() }
    #expect(lost.terminal.log == [.end(isAwaitingAnswer: false)])
  }
}
