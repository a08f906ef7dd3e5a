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
