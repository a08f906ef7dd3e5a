import Dispatch
import Synchronization

/// Keeps one daemon: starts it with the first request, and restarts it after it has exited.
final class DaemonKeeper: Sendable {
  private struct State {
    var daemon: RcloneDaemon?
    var pause = RestartBackoff()
    var isStopped = false
  }

  private let state = Mutex(State())
  /// Held by the thread that starts a daemon; others wait for the result.
  private let turn = DispatchSemaphore(value: 1)
  private let settings: RcloneSettings
  private let remotes: [(name: String, specification: String)]
  private let begin = ContinuousClock.now

  init(_ settings: RcloneSettings, remotes: [(name: String, specification: String)]) {
    self.settings = settings
    self.remotes = remotes
  }

  private var now: Duration { begin.duration(to: .now) }

  /// Returns the running daemon, or starts one and waits until it listens.
  func daemon(isCancelled: () -> Bool) throws(RcloneError) -> RcloneDaemon {
    while turn.wait(timeout: .now() + .milliseconds(8)) == .timedOut {
      if isCancelled() { throw RcloneError(.cancelled, "rclone") }
    }
    defer { turn.signal() }
    let (known, isStopped, pause) = state.withLock { ($0.daemon, $0.isStopped, $0.pause.pause(at: now)) }
    if isStopped { throw RcloneError(.cancelled, "rclone") }
    if let known { return known }
    if pause > .zero {
      throw RcloneError(.unreachable, "rclone", "it keeps exiting; tpick restarts it after a pause")
    }
    guard let program = settings.program ?? RcloneProgram.find() else {
      throw RcloneError(.programMissing, "")
    }
    do throws(RcloneError) {
      let started = try RcloneDaemon(
        program: program, remotes: remotes, settings, isCancelled: isCancelled)
      return try state.withLock { state throws(RcloneError) in
        // `stop` may have been called while the daemon was starting.
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

  /// Reports that a daemon did not respond.
  ///
  /// Drops it unless its process is still running.
  /// - Parameter isForced: whether to drop it even if it is running.
  func lost(_ daemon: RcloneDaemon, isForced: Bool) {
    if !isForced, daemon.isRunning { return }
    state.withLock { state in
      guard state.daemon === daemon else { return }
      state.daemon = nil
      state.pause.didFail(at: now)
    }
  }

  /// Stops the daemon and prevents further starts.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.daemon = nil
    }
  }
}

/// Backoff for restarts of a daemon that exited or failed to start: none after the first failure, then
/// exponentially growing pauses.
///
/// A value without a clock: callers pass the time since a fixed moment.
struct RestartBackoff: Hashable, Sendable {
  private static let first: Duration = .milliseconds(500)
  private static let longest: Duration = .seconds(60)
  /// After running for this long, earlier failures are forgotten.
  private static let isFine: Duration = .seconds(60)

  private var failures = 0
  private var started: Duration?
  private var end: Duration?

  /// Returns the pause before the next start; zero = none.
  func pause(at now: Duration) -> Duration { end.map { max(.zero, $0 - now) } ?? .zero }

  mutating func didStart(at now: Duration) { started = now }

  /// Records that the daemon exited or failed to start.
  mutating func didFail(at now: Duration) {
    if let started, now - started >= Self.isFine { failures = 0 }
    started = nil
    failures += 1
    if failures > 1 { end = now + min(Self.longest, Self.first * (1 << min(failures - 2, 16))) }
  }
}
