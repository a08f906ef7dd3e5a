/// A least-recently-used cache bounded by the total cost of its values.
///
/// A value type: sharing it between threads requires a lock.
public struct CostBoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    var value: Value
    var cost: Int
    var lastUse: UInt64
  }

  /// The maximum total cost; a smaller one evicts values at once.
  public var limit: Int { didSet { if cost > limit { evict(downTo: limit) } } }
  /// The current total cost.
  public private(set) var cost = 0
  private var entries: [Key: Entry] = [:]
  private var clock: UInt64 = 0

  /// Creates an empty cache with a maximum total cost.
  public init(limit: Int) {
    self.limit = limit
  }

  /// The number of values.
  public var count: Int { entries.count }

  /// Whether there is a value for a key, which does not count as a use.
  public func contains(_ key: Key) -> Bool { entries[key] != nil }

  /// Returns the value of a key, which becomes the most recently used; nil if there is none.
  public mutating func value(for key: Key) -> Value? {
    guard let index = entries.index(forKey: key) else { return nil }
    clock += 1
    entries.values[index].lastUse = clock
    return entries.values[index].value
  }

  /// Inserts a value, and evicts others if needed.
  ///
  /// A value that costs more than the limit is not inserted.
  public mutating func insert(_ value: Value, for key: Key, cost: Int) {
    removeValue(for: key)
    guard cost <= limit else { return }
    if self.cost + cost > limit { evict(downTo: limit - cost) }
    clock += 1
    entries[key] = Entry(value: value, cost: cost, lastUse: clock)
    self.cost += cost
  }

  /// Removes a value if it is in the cache.
  public mutating func removeValue(for key: Key) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    cost -= entry.cost
  }

  /// Evicts a tenth of the limit more than needed, so that a full cache does not sort its keys at every
  /// insertion.
  private mutating func evict(downTo target: Int) {
    let goal = max(0, target - limit / 10)
    for (key, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
      if cost <= goal { break }
      entries.removeValue(forKey: key)
      cost -= entry.cost
    }
  }
}
