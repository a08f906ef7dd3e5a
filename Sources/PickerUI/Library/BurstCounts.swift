/// The numbers of pictures in the bursts that were shown so far.
struct BurstCounts: Sendable {
  private var known: [String: Int] = [:]
  /// The bursts whose counts are up to date or requested.
  private var fresh: Set<String> = []

  /// The count of a burst; nil until the library has answered.
  subscript(burst: String) -> Int? { known[burst] }

  /// Marks all counts as stale; they are still shown until new ones arrive.
  mutating func markStale() { fresh = [] }

  /// The bursts whose counts have to be requested; marks them as requested.
  /// - Parameter canRefresh: whether stale counts are requested again, not only missing ones.
  mutating func takeMissing(of bursts: [String], canRefresh: Bool) -> [String] {
    bursts.filter { (canRefresh || known[$0] == nil) && fresh.insert($0).inserted }
  }

  mutating func add(_ counts: [String: Int]) { known.merge(counts) { $1 } }
}
