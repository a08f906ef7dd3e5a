/// When a program that failed to start may be started again: a few times at once, then after pauses that grow.
///
/// A value without a clock: moments are told by how long after some fixed one they are.
struct StartPause: Hashable, Sendable {
  /// Starts in a row that may fail before the first pause.
  private static let triesAtOnce = 3
  private static let shortest: Duration = .seconds(2)
  private static let longest: Duration = .seconds(300)

  /// Starts that failed, one after the other.
  private var failures = 0
  private var end: Duration?

  /// Whether there is no pause at a moment.
  func mayStart(at now: Duration) -> Bool { end.map { now >= $0 } ?? true }

  mutating func startFailed(at now: Duration) {
    failures += 1
    guard failures >= Self.triesAtOnce else { return }
    let doublings = min(failures - Self.triesAtOnce, 16)
    end = now + min(Self.longest, Self.shortest * (1 << doublings))
  }

  mutating func startSucceeded() { self = StartPause() }
}
