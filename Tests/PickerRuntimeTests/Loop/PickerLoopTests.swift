import AssetLibrary
import Glibc
import Pixels
import Testing

@testable import PickerRuntime
@testable import PickerUI

@Suite(.serialized, .timeLimit(.minutes(120))) struct PickerLoopTests {
  @Test func `All queued presses of a held key are handled before a frame is drawn`() async throws {
    let run = LoopRun()
    try await run.open()
    run.terminal.forgetLog()
    try run.send(.key(.right), .key(.right), .key(.right), .key(.right), .key(.right), .key(.space))
    #expect(run.terminal.parts.count == 1)
    #expect(run.terminal.shows("1 picked"))
    try run.send(.key(.enter))
    #expect(run.loop.ending == .outcome(.picked([.photo("p5", day: 34)])))
  }

  @Test func `Events that arrive during handling are handled before the frame as well`() async throws {
    let run = LoopRun(terminal: ScriptedTerminal(columns: 60, rows: 12))
    try await run.open()
    run.make([run.visible[0]])
    run.terminal.forgetLog()
    run.clock.whileWaiting { [mailbox = run.mailbox] in mailbox.post(.terminal(.key(.space))) }
    try run.turn()
    #expect(run.terminal.parts.count == 1)
    #expect(run.terminal.shows("1 picked"))
  }

  @Test func `Nothing is sent if nothing changes`() async throws {
    let run = LoopRun()
    try await run.open()
    run.terminal.forgetLog()
    try run.send(.key(.up))
    #expect(run.terminal.log.isEmpty)
  }

  @Test func `Text and pictures of a frame are sent in one write`() async throws {
    let run = LoopRun()
    try await run.open()
    let names = Array(run.visible.prefix(3))
    run.terminal.forgetLog()
    run.make(names)
    try run.send(.key(.space))
    let part = try #require(run.terminal.parts.first)
    #expect(run.terminal.parts.count == 1)
    #expect(part.isFirst && part.isLast && part.text != nil)
    #expect(part.fills == [1, 2, 3])
  }

  @Test func `Pictures that arrive together share a frame`() async throws {
    let run = LoopRun()
    try await run.open()
    let names = run.visible
    run.terminal.forgetLog()
    let began = run.clock.now
    run.make([names[0]])
    run.clock.whileWaiting { [images = run.images] in images.answer(names[1], fill: 2) }
    try run.turn()
    #expect(run.terminal.parts.map(\.fills) == [[1, 2]])
    // No longer than the screen shows a frame.
    #expect(run.clock.now - began == PickerLoop.frameTime)
  }

  @Test func `Pictures are not delayed after a key, or when no others are pending`() async throws {
    let run = LoopRun()
    try await run.open()
    let (names, began) = (run.visible, run.clock.now)
    run.make([names[0]])
    try run.send(.key(.right))
    #expect(run.clock.now == began)
    run.make(Array(names.dropFirst()))
    try run.turn()
    #expect(run.clock.now == began)
    #expect(run.terminal.parts.flatMap(\.fills).count == names.count)
  }

  @Test func `Cached pictures are drawn with the frame that requests them`() async throws {
    let run = LoopRun(.numbered(200), terminal: ScriptedTerminal(columns: 60, rows: 12))
    try await run.open()
    let names = run.visible
    run.make(names)
    try run.turn()
    try run.send(.key(.end))
    #expect(Set(run.visible).isDisjoint(with: names))
    run.terminal.forgetLog()
    _ = run.images.takeAsked()
    try run.send(.key(.home))
    #expect(run.terminal.parts.count == 1)
    #expect(run.terminal.parts.first?.fills == names.map(LoopRun.fill))
    #expect(Set(run.images.takeAsked()).isDisjoint(with: names))
  }

  @Test func `Ctrl-L redraws pictures that are present`() async throws {
    let run = LoopRun()
    try await run.open()
    let names = run.visible
    run.make(names)
    try run.turn()
    run.terminal.forgetLog()
    _ = run.images.takeAsked()
    try run.send(.key(.control("l")))
    #expect(run.terminal.parts.flatMap(\.fills) == names.map(LoopRun.fill))
    #expect(run.images.takeAsked().isEmpty)
  }

  @Test func `A picture that failed temporarily is requested again automatically`() async throws {
    let run = LoopRun()
    try await run.open()
    let name = run.visible[0]
    run.images.fail(name, "it takes too long", isTransient: true)
    try run.turn()
    _ = run.images.takeAsked()
    run.clock.advance(by: .seconds(5))
    try run.turn()
    #expect(run.images.takeAsked() == [name])
  }

  @Test func `After the end nothing is handled`() async throws {
    let run = LoopRun()
    try await run.open()
    run.mailbox.post(.terminal(.key(.enter)))
    run.mailbox.post(.terminal(.end(signal: 15)))
    try run.loop.handle(run.mailbox.takeAll())
    #expect(run.loop.ending == .outcome(.picked([.photo("p0", day: 39)])))
  }

  @Test func `The program can dismiss the picker, which is as if the user had cancelled`() async throws {
    let run = LoopRun()
    try await run.open()
    try run.send(.key(.character(" ")))
    run.mailbox.post(.dismissed)
    run.mailbox.post(.terminal(.key(.enter)))
    try run.loop.handle(run.mailbox.takeAll())
    #expect(run.loop.ending == .outcome(.cancelled))
  }

  @Test func `Timers arrive as messages`() async throws {
    let run = LoopRun()
    try await run.open()
    try run.send(.key(.character("w")))
    #expect(run.terminal.shows("p0 has nothing to play"))
    run.clock.advance(by: .seconds(5))
    try run.turn()
    #expect(!run.terminal.shows("p0 has nothing to play"))
  }

  @Test func `A cell size set by the user overrides the terminal's answer`() async throws {
    let given = PixelSize(width: 12, height: 24)
    let run = LoopRun(cellSize: given)
    try await run.open()
    try run.send(.cellSize(PixelSize(width: 8, height: 16)))
    #expect(run.loop.state.layout.metrics.cell == given)
  }

  @Test func `The window title follows the picks`() async throws {
    let run = LoopRun()
    try await run.open()
    try run.send(.key(.space))
    #expect(run.terminal.title == "p0 - tpick")
  }

  @Test func `Each selection change is reported in order`() async throws {
    let run = LoopRun { $0.configuration.selection = .continuousAndOrdered }
    try await run.open()
    try run.send(.key(.space), .key(.right), .key(.space))
    try run.send(.key(.space))
    #expect(run.reports == [["p0"], ["p0", "p1"], ["p0"]])
  }

  @Test func `Holding a key reports only the photo where it ends`() async throws {
    let run = LoopRun {
      $0.configuration.selection = .follow
      $0.configuration.selectionLimit = 1
    }
    try await run.open()
    #expect(run.reports == [["p0"]])
    try run.send(.key(.right), .key(.right), .key(.right))
    #expect(run.reports == [["p0"], ["p3"]])
    try run.send(.key(.left))
    #expect(run.reports == [["p0"], ["p3"], ["p2"]])
    // The result is reported at the end.
    try run.send(.key(.right), .key(.enter))
    #expect(run.reports.count == 3)
    #expect(run.loop.ending == .outcome(.picked([.photo("p3", day: 36)])))
  }

  @Test func `A closed report pipe does not end the picker`() async throws {
    let run = LoopRun { $0.configuration.selection = .continuousAndOrdered }
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    defer { close(ends[0]) }
    var errors: [Int32] = []
    run.reader = { names in
      let line = Array(names.joined(separator: " ").utf8)
      let count = Glibc.send(ends[0], line, line.count, Int32(MSG_NOSIGNAL))
      errors.append(count == line.count ? 0 : errno)
    }
    try await run.open()
    try run.send(.key(.space))
    // A child process of another test holds this end as well until it calls exec.
    shutdown(ends[1], Int32(SHUT_RDWR))
    close(ends[1])
    try run.send(.key(.right), .key(.space))
    #expect(errors == [0, EPIPE])
    #expect(run.loop.ending == nil && run.terminal.shows("2 picked"))
    try run.send(.key(.enter))
    #expect(run.loop.ending == .outcome(.picked([.photo("p0", day: 39), .photo("p1", day: 38)])))
    run.loop.close()
    #expect(run.terminal.log.last == .end(isAwaitingAnswer: false))
  }
}
