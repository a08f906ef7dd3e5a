import Testing

@testable import Rclone

@Suite struct RetryPolicyTests {
  private let policy = RetryPolicy(
    tries: 6, firstPause: .milliseconds(100), longestPause: .milliseconds(900), longestRetryAfter: .seconds(5)
  )

  @Test(arguments: 0..<100)
  func `Delays grow within their limits, and end after the last attempt`(_ seed: UInt64) throws {
    var generator = Seeded(seed)
    for failures in 1..<6 {
      let pause = try #require(policy.pause(afterFailures: failures, isTransient: true, using: &generator))
      #expect(pause >= .zero && pause <= min(.milliseconds(900), .milliseconds(100) * (1 << (failures - 1))))
    }
    #expect(policy.pause(afterFailures: 6, isTransient: true, using: &generator) == nil)
    #expect(policy.pause(afterFailures: 1, isTransient: false, using: &generator) == nil)
  }

  @Test func `Delays are spread over their whole range`() throws {
    var generator = Seeded(1)
    let pauses = try (0..<1000).map { _ in
      try #require(policy.pause(afterFailures: 1, isTransient: true, using: &generator))
    }
    for part in 0..<10 {
      let range = Duration.milliseconds(10 * part)...(.milliseconds(10 * (part + 1)))
      #expect(pauses.count(where: range.contains) > 50)
    }
  }

  @Test func `A server's requested delay is respected up to a limit`() {
    var generator = Seeded(1)
    let granted = policy.pause(afterFailures: 1, isTransient: true, wish: .seconds(5), using: &generator)
    #expect(granted == .seconds(5))
    #expect(policy.pause(afterFailures: 1, isTransient: true, wish: .seconds(6), using: &generator) == nil)
  }
}
