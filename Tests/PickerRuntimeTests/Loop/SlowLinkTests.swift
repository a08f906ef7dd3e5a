import AssetLibrary
import PickerUI
import Pixels
import TerminalGraphics
import Testing

@testable import PickerRuntime

/// A terminal that answers slowly once it has drawn everything.
@Suite(.serialized, .timeLimit(.minutes(120))) struct SlowLinkTests {
  private static func open(graphics: GraphicsProtocol? = nil) async throws -> LoopRun {
    let run = LoopRun(
      .numbered(200), terminal: ScriptedTerminal(columns: 60, rows: 12, confirmsDrawing: true),
      pictureBytes: 15_000, graphics: graphics)
    try await run.open()
    run.terminal.forgetLog()
    return run
  }

  private static func drawn(_ run: LoopRun) -> [UInt8] { run.terminal.parts.flatMap(\.fills) }

  @Test func `Newer pictures wait for the answer, text does not`() async throws {
    let run = try await Self.open()
    let names = run.visible
    run.make([names[0]])
    try run.turn()
    #expect(run.terminal.parts.last?.asksWhenDrawn == true)
    run.make([names[1]])
    try run.send(.key(.space))
    #expect(run.terminal.shows("1 picked"))
    #expect(Self.drawn(run) == [1])
    try run.send(.allDrawn)
    #expect(Self.drawn(run) == [1, 2])
  }

  @Test func `Pictures that are no longer visible when the answer arrives are not sent`() async throws {
    let run = try await Self.open()
    let names = run.visible
    run.make([names[0]])
    try run.turn()
    run.make([names[1], names[2]])
    try run.turn()
    try run.send(.key(.end))
    let shown = run.visible
    #expect(Set(shown).isDisjoint(with: names))
    run.images.answer(shown[0], fill: 200)
    try run.turn()
    #expect(Self.drawn(run) == [1])
    try run.send(.allDrawn)
    #expect(Self.drawn(run) == [1, 200])
  }

  @Test func `Small pictures cause no request`() async throws {
    let run = LoopRun(terminal: ScriptedTerminal(confirmsDrawing: true), pictureBytes: 100)
    try await run.open()
    run.make(Array(run.visible.prefix(4)))
    try run.turn()
    #expect(run.terminal.parts.filter(\.asksWhenDrawn).isEmpty)
  }

  @Test func `A terminal that never answers gets no requests`() async throws {
    let run = LoopRun(pictureBytes: 30_000)
    try await run.open()
    run.make(Array(run.visible.prefix(4)))
    try run.turn()
    #expect(run.terminal.parts.filter(\.asksWhenDrawn).isEmpty)
  }

  @Test func `A missing answer delays pictures by five seconds`() async throws {
    let run = try await Self.open()
    let names = run.visible
    run.make([names[0]])
    try run.turn()
    run.make([names[1]])
    run.clock.advance(by: .seconds(4))
    try run.turn()
    #expect(Self.drawn(run) == [1])
    run.clock.advance(by: .seconds(1.1))
    try run.turn()
    #expect(Self.drawn(run) == [1, 2])
  }

  /// Draws pictures one after the other, each of 20,000 bytes in the given time.
  private static func draw(_ count: Int, in run: LoopRun, each time: Duration) throws {
    for _ in 0..<count {
      run.make([try #require(run.visible.first)])
      try run.turn()
      run.clock.advance(by: time)
      try run.send(.allDrawn)
    }
  }

  @Test func `Two slow answers switch to blocks unless a protocol was requested`() async throws {
    let run = try await Self.open()
    try Self.draw(1, in: run, each: .seconds(2))
    #expect(!run.terminal.parts.dropFirst().contains { $0.text?.before == nil && $0.text != nil })
    run.terminal.forgetLog()
    try Self.draw(1, in: run, each: .seconds(2))
    // The screen was erased, and all pictures are requested in the size of blocks.
    #expect(run.terminal.parts.contains { $0.text?.before == nil && $0.text != nil })
    let size = try #require(run.images.open.first?.request.targetSize)
    #expect(run.visible.first == "p0")
    #expect(size.width < 160)
    #expect(run.terminal.shows("Pictures are drawn as blocks"))
  }

  @Test func `Two missing answers switch to blocks as well`() async throws {
    let run = try await Self.open()
    let before = try #require(run.images.open.first?.request.targetSize)
    for _ in 0..<2 {
      run.make([try #require(run.visible.first)])
      try run.turn()
      run.clock.advance(by: .seconds(6))
      try run.turn()
    }
    let after = try #require(run.images.open.first?.request.targetSize)
    #expect(run.visible.first == "p0" && after.width < before.width)
  }

  /// 9,600 baud carry 960 bytes a second; every other answer is lost.
  @Test func `A dull link that loses answers gets blocks, and text at once`() async throws {
    let run = LoopRun(
      .numbered(200), terminal: ScriptedTerminal(columns: 60, rows: 12, confirmsDrawing: true),
      pictureBytes: 15_000)
    try await run.open()
    var isSaid = false
    for round in 0..<4 {
      run.make([try #require(run.visible.first)])
      try run.turn()
      if round == 0 {
        // The text does not wait for the picture, which the link carries in sixteen seconds.
        try run.send(.key(.space))
        #expect(run.terminal.shows("1 picked"))
      }
      run.clock.advance(by: .milliseconds(300) + .seconds(15_000 / 960))
      if round % 2 == 0 { try run.send(.allDrawn) } else { try run.turn() }
      isSaid = isSaid || run.terminal.shows("Pictures are drawn as blocks")
    }
    #expect(isSaid)
  }

  @Test func `An explicitly requested protocol is kept`() async throws {
    let run = try await Self.open(graphics: .iterm)
    try Self.draw(2, in: run, each: .seconds(2))
    run.terminal.forgetLog()
    run.make(["p0"])
    try run.turn()
    #expect(Self.drawn(run) == [1])
  }

  @Test func `A terminal identified late gets all pictures again in its protocol`() async throws {
    let run = try await Self.open()
    let size = try #require(run.images.open.first).request.targetSize
    run.make(run.visible)
    try run.turn()
    var better = run.terminal.traits
    better.capabilities = TerminalCapabilities()
    run.terminal.better = better
    run.terminal.forgetLog()
    try run.send(.answer([1, 2, 3]))
    #expect(run.terminal.log.isEmpty)
    try run.send(.answer(run.terminal.betterAnswer))
    #expect(run.images.open.first?.request.targetSize != size)
    #expect(run.terminal.parts.contains { $0.text?.before == nil && $0.text != nil })
    #expect(!run.visible.isEmpty)
  }

  @Test func `Redrawn pictures cause a new request`() async throws {
    let run = try await Self.open()
    try run.send(.key(.control("l")))
    #expect(run.terminal.otherEntries == [.repeatQueries])
  }

  @Test func `A change to dark or light colors causes a new request`() async throws {
    let run = try await Self.open()
    run.terminal.forgetLog()
    try run.send(.colorSchemeChanged)
    #expect(run.terminal.log == [.repeatQueries])
  }

  @Test func `A known link speed applies from the first picture`() async throws {
    let run = LoopRun(
      terminal: ScriptedTerminal(confirmsDrawing: true), pictureBytes: 6000, bytesPerSecond: 100_000)
    try await run.open()
    run.terminal.forgetLog()
    let names = run.visible
    run.make(Array(names.prefix(2)))
    try run.turn()
    // The amount such a link carries in a moment: one draft.
    #expect(Self.drawn(run).count == 1)
    #expect(run.terminal.parts.last?.asksWhenDrawn == true)
    #expect(run.loop.bytesPerSecond == 100_000)
    try run.send(.allDrawn)
    #expect(Set(Self.drawn(run)).count == 2)
  }

  @Test func `A fast link changes nothing`() async throws {
    let run = try await Self.open()
    try Self.draw(3, in: run, each: .milliseconds(10))
    #expect(Self.drawn(run) == [1, 2, 3])
  }
}
