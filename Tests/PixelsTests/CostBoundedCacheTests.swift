import Fixtures
import Pixels
import Testing

@Suite struct CostBoundedCacheTests {
  @Test func `The most recently used value stays longest`() {
    var cache = CostBoundedCache<String, Int>(limit: 30)
    cache.insert(1, for: "a", cost: 10)
    cache.insert(2, for: "b", cost: 10)
    cache.insert(3, for: "c", cost: 10)
    _ = cache.value(for: "a")
    cache.insert(4, for: "d", cost: 7)
    let kept = ["a", "b", "c", "d"].filter { cache.value(for: $0) != nil }
    #expect(kept.contains("a"))
    #expect(kept.contains("d"))
    #expect(!kept.contains("b"))
  }

  @Test func `A value beyond the limit is not kept, nor is the one it replaces`() {
    var cache = CostBoundedCache<String, Int>(limit: 30)
    cache.insert(1, for: "a", cost: 10)
    cache.insert(2, for: "a", cost: 31)
    #expect(cache.count == 0)
    #expect(cache.cost == 0)
    cache.insert(3, for: "b", cost: 30)
    #expect(cache.value(for: "b") == 3)
  }

  @Test func `A value replaces the previous one`() {
    var cache = CostBoundedCache<String, Int>(limit: 30)
    cache.insert(1, for: "a", cost: 10)
    cache.insert(2, for: "a", cost: 5)
    #expect(cache.value(for: "a") == 2)
    #expect(cache.cost == 5)
    cache.removeValue(for: "a")
    cache.removeValue(for: "a")
    #expect(cache.cost == 0)
    #expect(cache.value(for: "a") == nil)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `The limit holds and the newest value is present`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var cache = CostBoundedCache<Int, Int>(limit: 1000)
    var costs: [Int: Int] = [:]
    var faults: [String] = []
    for step in 0..<2000 {
      let key = Int.random(in: 0..<50, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: cache.removeValue(for: key)
      case 1: _ = cache.value(for: key)
      default:
        let cost = Int.random(in: 0...400, using: &random)
        cache.insert(step, for: key, cost: cost)
        costs[key] = cost
        if cache.value(for: key) != step { faults.append("\(step): the newest is gone") }
      }
      if cache.cost > 1000 { faults.append("\(step): over the limit") }
      var copy = cache
      let known = costs.filter { copy.value(for: $0.key) != nil }
      if known.values.reduce(0, +) != cache.cost || known.count != cache.count {
        faults.append("\(step): costs are counted wrong")
      }
    }
    #expect(faults.isEmpty)
  }
}
