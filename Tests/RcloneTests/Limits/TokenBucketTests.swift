import Testing

@testable import Rclone

@Suite struct TokenBucketTests {
  @Test func `A full bucket grants its reserve at once, then its rate`() {
    var bucket = TokenBucket(rate: 10, burst: 3)
    let pauses = (0..<6).map { _ in bucket.take(1, at: .seconds(5)) }
    #expect(pauses.prefix(3).allSatisfy { $0 == .zero })
    for (index, pause) in pauses.dropFirst(3).enumerated() {
      #expect(abs(pause / .milliseconds(1) - Double(100 * (index + 1))) < 1e-6)
    }
  }

  @Test func `A clock that goes back grants nothing`() {
    var bucket = TokenBucket(rate: 1, burst: 1)
    #expect(bucket.take(1, at: .seconds(10)) == .zero)
    #expect(bucket.take(1, at: .seconds(3)) == .seconds(1))
    #expect(bucket.take(0, at: .seconds(11)) == .zero)
  }

  @Test(arguments: 0..<50)
  func `In no interval is more granted than the reserve and the rate allow`(_ seed: UInt64) {
    var generator = Seeded(seed)
    let (rate, burst) = (
      Double.random(in: 0.5...1000, using: &generator), Double.random(in: 0...100, using: &generator)
    )
    var bucket = TokenBucket(rate: rate, burst: burst)
    var now = Duration.zero
    var done: [(time: Duration, amount: Double)] = []
    for _ in 0..<200 {
      now += .milliseconds(Int.random(in: 0...50, using: &generator))
      let amount = Double.random(in: 0...20, using: &generator)
      done.append((now + bucket.take(amount, at: now), amount))
    }
    // A later request is never granted earlier.
    #expect(zip(done, done.dropFirst()).allSatisfy { $0.time <= $1.time + .nanoseconds(10) })
    for start in stride(from: 0, to: done.count, by: 7) {
      var sum = 0.0
      for later in done[start...] {
        sum += later.amount
        let allowed = burst + (later.time - done[start].time) / .seconds(1) * rate
        // The first one may have been granted late: its own amount was covered before.
        #expect(sum - done[start].amount <= allowed + 1e-3)
      }
    }
  }
}

/// Reproducible random numbers (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
