/// How long a reader pauses between two pieces of its input: not at all while paths come that are new, longer and longer
/// while none does.
///
/// `yes FILE` writes as fast as it is read. Repetitions of a list that has an end are read before the pauses count.
struct ReadingPace {
  private static let step: Duration = .microseconds(20)
  static let longest: Duration = .milliseconds(5)

  private var pause: Duration = .zero

  /// What to wait after a piece.
  /// - Parameter hasNews: whether a path in it was new.
  mutating func pause(afterNews hasNews: Bool) -> Duration {
    pause = hasNews ? .zero : min(pause + Self.step, Self.longest)
    return pause
  }
}
