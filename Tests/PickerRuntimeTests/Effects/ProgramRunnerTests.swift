import AssetLibrary
import PickerUI
import Synchronization
import TestScheduling
import Testing

@testable import PickerRuntime

/// User-defined programs: who owns the terminal meanwhile, and what is reported afterwards.
@Suite(.onOwnThreads, .serialized, .timeLimit(.minutes(120))) struct ProgramRunnerTests {
  private final class Notes: Sendable {
    let runs = Mutex<[ProgramRun]>([])
  }

  private static func open(
    _ kind: ProgramKey.Kind, notes: Notes, failure: String? = nil
  ) async throws -> LoopRun {
    let run = LoopRun(
      terminal: ScriptedTerminal(columns: 60, rows: 12, confirmsDrawing: true),
      programs: ProgramRunner { run in
        notes.runs.withLock { $0.append(run) }
        return failure
      }
    ) { options in
      options.callerKeys.programs = [
        ProgramKey(.control("e"), kind, index: 0, title: "x", needsCurrent: true, needsPicks: true)
      ]
    }
    try await run.open()
    run.make(Array(run.visible.prefix(2)))
    try run.turn()
    run.terminal.forgetLog()
    return run
  }

  @Test func `Pictures are erased, the terminal is lent to the program, and everything is redrawn`()
    async throws
  {
    let notes = Notes()
    let run = try await Self.open(.execute, notes: notes)
    try run.send(.key(.control("e")))
    guard case .part(let erasing) = run.terminal.log.first else {
      Issue.record("nothing was erased")
      return
    }
    #expect(!erasing.erasing.isEmpty && erasing.text == nil)
    #expect(Array(run.terminal.log.dropFirst().prefix(2)) == [.lend, .resume])
    #expect(run.terminal.parts.last?.text?.before == nil)
    #expect(run.terminal.parts.last?.fills == [1, 2])
    let asset = Asset.photo("p0", day: 39)
    #expect(notes.runs.withLock { $0.map(\.current) } == [asset])
    #expect(notes.runs.withLock { $0.map(\.picks) } == [[asset]])
  }

  @Test func `A failed program is reported once the screen is restored`() async throws {
    let run = try await Self.open(.execute, notes: Notes(), failure: "gimp: ended with status 3")
    try run.send(.key(.control("e")))
    try run.turn()
    #expect(run.terminal.shows("gimp: ended with status 3"))
  }

  @Test func `A background program leaves the screen in place, and its failure is reported`() async throws {
    let notes = Notes()
    let run = try await Self.open(.executeSilently, notes: notes, failure: "tag: ended with status 1")
    try run.send(.key(.control("e")))
    // It may have ended before the key was handled completely.
    while !run.terminal.shows("tag: ended with status 1") {
      try run.loop.handle(await run.mailbox.taken())
      try run.loop.draw()
    }
    #expect(!run.terminal.log.contains(.lend))
    #expect(notes.runs.withLock { $0.count } == 1)
  }

  @Test func `A program that replaces the picker ends it`() async throws {
    let notes = Notes()
    let run = try await Self.open(.become, notes: notes)
    try run.send(.key(.control("e")))
    guard case .outcome(.become(let program)) = run.loop.ending else {
      Issue.record("the picker goes on")
      return
    }
    #expect(program.current == .photo("p0", day: 39))
    #expect(notes.runs.withLock { $0.isEmpty })
  }
}
