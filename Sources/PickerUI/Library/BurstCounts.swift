/// How many pictures bursts have, as far as they were asked for.
struct BurstCounts: Sendable {
  private var known: [String: Int] = [:]
  /// Which of them are as the library is now, or are asked for.
  private var fresh: Set<String> = []

  /// nil until the library has answered.
  subscript(burst: String) -> Int? { known[burst] }

  /// The library has changed: the old numbers are shown until there are new ones.
  mutating func markStale() { fresh = [] }

  /// What has to be asked for some bursts.
  /// - Parameter isSettled: whether the library changes so seldom that what is known may be asked for again.
  mutating func ask(for bursts: [String], isSettled: Bool) -> [String] {
    bursts.filter { (isSettled || known[$0] == nil) && fresh.insert($0).inserted }
  }

  mutating func add(_ counts: [String: Int]) { known.merge(counts) { $1 } }
}
