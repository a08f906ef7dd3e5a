/// How many pixels stand in memory while final pictures are made, and how many more may.
///
/// A value without a lock. What somebody looks at comes before guesses also where it has to wait for room: as much as
/// it needs is kept free for it.
struct PixelLedger: Hashable, Sendable {
  /// The most at once, unless it is for one picture alone.
  let budget: Int
  /// What the jobs that run were charged.
  private(set) var running = 0
  /// What animations take for as long as they play.
  private(set) var playing = 0

  init(budget: Int) { self.budget = budget }

  mutating func begin(_ cost: Int) { running += cost }
  mutating func end(_ cost: Int) { running -= cost }

  mutating func reserve(_ pixels: Int) { playing += pixels }
  mutating func release(_ pixels: Int) { playing -= pixels }

  /// What the next job in sight may cost.
  ///
  /// Something always runs: what costs more than the budget runs alone, but for what plays.
  var leftInSight: Int { running == 0 ? .max : max(0, budget - running - playing) }

  /// What the next guess may cost.
  /// - Parameter waiting: the most that a job costs that is in sight and has not begun; nil = none is.
  func leftForGuesses(waiting: Int?) -> Int {
    guard let waiting else { return leftInSight }
    return max(0, budget - running - playing - min(budget, waiting))
  }
}
