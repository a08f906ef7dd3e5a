import Dispatch
import Synchronization

/// Has a daemon at hand: started with the first request, and again where one died.
final class DaemonKeeper: Sendable {
  private struct State {
    var daemon: RcloneDaemon?
    var pause = RestartPause()
    var isStopped = false
  }

  private let state = Mutex(State())
  /// Of who starts one; others wait for it.
  private let turn = DispatchSemaphore(value: 1)
  private let settings: RcloneSettings
  private let remotes: [(name: String, specification: String)]
  private let begin = ContinuousClock.now

  init(_ settings: RcloneSettings, remotes: [(name: String, specification: String)]) {
    self.settings = settings
    self.remotes = remotes
  }

  private var now: Duration { begin.duration(to: .now) }

  /// The daemon that runs, or a new one, which is waited for.
  func daemon(isCancelled: () -> Bool) throws(RcloneError) -> RcloneDaemon {
    while turn.wait(timeout: .now() + .milliseconds(8)) == .timedOut {
      if isCancelled() { throw RcloneError(.cancelled, "rclone") }
    }
    defer { turn.signal() }
    let (known, isStopped, pause) = state.withLock { ($0.daemon, $0.isStopped, $0.pause.pause(at: now)) }
    if isStopped { throw RcloneError(.cancelled, "rclone") }
    if let known { return known }
    if pause > .zero {
      throw RcloneError(.unreachable, "rclone", "it ended again and again; it is started again after a pause")
    }
    guard let program = settings.program ?? RcloneProgram.find() else {
      throw RcloneError(.programMissing, "")
    }
    do throws(RcloneError) {
      let started = try RcloneDaemon(
        program: program, remotes: remotes, settings, isCancelled: isCancelled)
      return try state.withLock { state throws(RcloneError) in
        // Who stopped everything meanwhile wants none.
        if state.isStopped { throw RcloneError(.cancelled, "rclone") }
        state.daemon = started
        state.pause.didStart(at: now)
        return started
      }
    } catch {
      if error.kind != .cancelled { state.withLock { $0.pause.didFail(at: now) } }
      throw error
    }
  }

  /// Notes that a daemon does not answer; it is not used again unless it runs.
  /// - Parameter isHopeless: whether it is of no use even if it runs.
  func lost(_ daemon: RcloneDaemon, isHopeless: Bool) {
    if !isHopeless, daemon.isRunning { return }
    state.withLock { state in
      guard state.daemon === daemon else { return }
      state.daemon = nil
      state.pause.didFail(at: now)
    }
  }

  /// Ends it; no other one is started.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.daemon = nil
    }
  }
}

/// When a daemon that died or did not start may be started again: at once the first time, then after pauses that grow.
///
/// A value without a clock: moments are told by how long after some fixed one they are.
struct RestartPause: Hashable, Sendable {
  private static let first: Duration = .milliseconds(500)
  private static let longest: Duration = .seconds(60)
  /// Who has lived so long begins anew.
  private static let isFine: Duration = .seconds(60)

  private var failures = 0
  private var started: Duration?
  private var end: Duration?

  /// How long to wait before a start; zero = none.
  func pause(at now: Duration) -> Duration { end.map { max(.zero, $0 - now) } ?? .zero }

  mutating func didStart(at now: Duration) { started = now }

  /// It died, or did not start.
  mutating func didFail(at now: Duration) {
    if let started, now - started >= Self.isFine { failures = 0 }
    started = nil
    failures += 1
    if failures > 1 { end = now + min(Self.longest, Self.first * (1 << min(failures - 2, 16))) }
  }
}
