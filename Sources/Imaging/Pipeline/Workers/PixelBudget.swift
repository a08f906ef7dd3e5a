/// How many pixels are in memory while final pictures are made, and how many more may be.
///
/// A value without a lock.
struct PixelBudget: Hashable, Sendable {
  /// The most at once, unless it is for one picture alone.
  let budget: Int
  /// What the jobs that run were charged.
  private(set) var running = 0
  /// What animations take for as long as they play.
  private(set) var playing = 0

  init(budget: Int) { self.budget = budget }

  mutating func begin(_ cost: Int) { running += charge(cost) }
  mutating func end(_ cost: Int) { running -= charge(cost) }

  mutating func reserve(_ pixels: Int) { playing += charge(pixels) }
  mutating func release(_ pixels: Int) { playing -= charge(pixels) }

  /// What is counted of a cost, which may follow from any number in a file: more than there is at all is no news.
  private func charge(_ cost: Int) -> Int { min(cost, budget) }

  /// What the next job may cost.
  ///
  /// A job that costs more than the whole budget runs when no other does, so that it runs at all.
  var left: Int { running == 0 ? .max : max(0, budget - running - playing) }
}
