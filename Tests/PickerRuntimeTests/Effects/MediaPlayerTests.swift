import AssetLibrary
import PickerUI
import Synchronization
import TestScheduling
import Testing

@testable import PickerRuntime

/// The user's own player: who owns the terminal meanwhile, and what is reported afterwards.
@Suite(.onOwnThreads, .serialized, .timeLimit(.minutes(120))) struct MediaPlayerTests {
  private static func open(_ player: MediaPlayer?) async throws -> LoopRun {
    var assets: [Asset] = .numbered(3)
    assets[0].playbackStyle = .video
    let run = LoopRun(assets, terminal: ScriptedTerminal(columns: 60, rows: 12), player: player)
    try await run.open()
    run.terminal.forgetLog()
    run.mailbox.post(.terminal(.key(.character("W"))))
    return run
  }

  /// Handles messages until a condition is met.
  private static func turn(_ run: LoopRun, until isMeant: () -> Bool) async throws {
    while !isMeant() {
      try run.loop.handle(await run.mailbox.taken())
      try run.loop.draw()
    }
  }

  @Test func `The terminal is lent to the player, and a failure is reported afterwards`() async throws {
    let run = try await Self.open(
      MediaPlayer { run, progress in
        progress(0.5)
        return MediaPlayer.Clip { "mpv: no sound for \(run.asset.id.rawValue)" }
      })
    try await Self.turn(run) { run.terminal.shows("mpv: no sound for p0") }
    let lent = run.terminal.log.filter { [.lend, .resume].contains($0) }
    #expect(lent == [.lend, .resume])
  }

  @Test func `A file that can't be made ready is reported, and the terminal stays`() async throws {
    let run = try await Self.open(
      MediaPlayer { _, _ throws(AssetError) in throw AssetError("p0", "the server does not answer") })
    try await Self.turn(run) { run.terminal.shows("p0: the server does not answer") }
    #expect(!run.terminal.log.contains(.lend))
  }

  @Test func `A picker that can't start programs says so`() async throws {
    let run = try await Self.open(nil)
    try await Self.turn(run) { run.terminal.shows("This picker can't start a player") }
    #expect(!run.terminal.log.contains(.lend))
  }
}
