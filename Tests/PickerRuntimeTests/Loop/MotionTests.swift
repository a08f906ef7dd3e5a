import AssetLibrary
import Testing

@testable import PickerRuntime
@testable import PickerUI

/// The mouse without a button, while a video is in the grid.
@Suite(.serialized, .timeLimit(.minutes(120))) struct MotionTests {
  /// The first photo moves.
  private static func open(isOn: Bool = true, pictureBytes: Int = 100) async throws -> LoopRun {
    var assets: [Asset] = .numbered(40)
    assets[0].playbackStyle = .imageAnimated
    let run = LoopRun(assets, terminal: ScriptedTerminal(confirmsDrawing: true), pictureBytes: pictureBytes) {
      $0.screen.scrubsInGrid = isOn
    }
    run.images.setFrames(ScriptedFrames(count: 20, playCount: 1, statesLength: true), of: assets[0])
    try await run.open()
    return run
  }

  private static func motion(_ run: LoopRun, at column: Int) -> TerminalEvent {
    let box = run.loop.state.layout.cells.box(at: 0)
    return .mouse(MouseEvent(.motion, row: box.row, column: box.column + column))
  }

  @Test func `It is reported while a tile has stills to show, and the terminal has the focus`() async throws {
    let run = try await Self.open()
    #expect(run.terminal.reportsMotion)
    try run.send(.focus(false))
    #expect(!run.terminal.reportsMotion)
    try run.send(.focus(true))
    #expect(run.terminal.reportsMotion)
    try run.send(.key("?"))
    #expect(!run.terminal.reportsMotion)
    #expect(!(try await Self.open(isOn: false)).terminal.reportsMotion)
  }

  @Test func `The still under it is drawn`() async throws {
    let run = try await Self.open()
    run.make(run.visible)
    try run.turn()
    let width = run.loop.state.layout.cells.box.columns
    try run.send(Self.motion(run, at: width - 1))
    #expect(run.images.frameRequests.isEmpty)
    run.terminal.forgetLog()
    run.clock.advance(by: .milliseconds(150))
    try await run.turn { $0.pictures.statuses.contains { $0.key.still != nil } }
    // The twentieth frame is in the middle of the last tenth.
    #expect(run.terminal.parts.flatMap(\.fills) == [20])
    #expect(run.images.frameRequests.count == 1)
  }

  @Test func `Movements that change nothing are no reason to draw`() async throws {
    let run = try await Self.open()
    try run.turn()
    let handle = { (event: TerminalEvent) in try run.loop.handle([.terminal(event)]) }
    #expect(try !handle(.mouse(MouseEvent(.motion, row: 0, column: 0))))
    #expect(try handle(Self.motion(run, at: 0)))
    #expect(try !handle(Self.motion(run, at: 0)))
    #expect(try handle(.mouse(MouseEvent(.leave, row: 0, column: 0))))
    #expect(try handle(.key(.right)))
  }

  @Test func `A link that turns out to be slow ends it`() async throws {
    let run = try await Self.open(pictureBytes: 15_000)
    try run.send(Self.motion(run, at: 0))
    #expect(Picker.isScrubbing(run.loop.state))
    for _ in 0..<2 {
      run.make([try #require(run.visible.first)])
      try run.turn()
      run.clock.advance(by: .seconds(2))
      try run.send(.allDrawn)
    }
    #expect(!run.terminal.reportsMotion && !Picker.isScrubbing(run.loop.state))
  }
}
