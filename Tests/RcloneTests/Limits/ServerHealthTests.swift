import Testing

@testable import Rclone

@Suite struct ServerHealthTests {
  private static let patience = Duration.seconds(15)

  private func health(recovery: Duration? = nil) -> ServerHealth {
    ServerHealth(patience: Self.patience, firstPause: recovery)
  }

  /// Consecutive failures of `seconds` seconds each, four per request.
  /// - Returns: The number of failures after which the server is given up.
  private func tries(of seconds: Int) -> Int {
    var health = health()
    var (now, count) = (Duration.seconds(100), 0)
    while !health.isGivenUp, count < 100 {
      count += 1
      let began = now
      now += .seconds(seconds)
      health.didFail(began: began, at: now, isLast: count % 4 == 0)
    }
    return count
  }

  @Test(arguments: [
    // Three refused requests, two attempts as long as the silence limit, one of twice that time.
    (0, 12), (1, 12), (7, 3), (15, 2), (30, 1),
  ])
  func `A server is given up after consecutive failures, sooner the longer they take`(
    seconds: Int, expected: Int
  ) {
    #expect(tries(of: seconds) == expected)
  }

  @Test func `Any answer of the server resets the count`() {
    var health = health()
    for second in 0..<100 {
      health.didFail(began: .seconds(second), at: .seconds(second), isLast: true)
      if second % 2 == 1 { health.didAnswer(at: .seconds(second)) }
    }
    #expect(!health.isGivenUp)
    // One of several concurrent requests that timed out while others were answered.
    health.didAnswer(at: .seconds(129))
    health.didFail(began: .seconds(100), at: .seconds(130), isLast: false)
    #expect(!health.isGivenUp)
  }

  @Test func `In a script a server that was given up is not contacted again`() {
    var health = health()
    health.didFail(began: .zero, at: .seconds(30), isLast: false)
    let admitted = [30, 100_000].map { health.admits(at: .seconds($0)) }
    #expect(admitted == [false, false])
    health.revive()
    let isAdmitted = health.admits(at: .seconds(100_001))
    #expect(isAdmitted)
  }

  @Test func `For a screen, one request after each pause checks whether it is back`() {
    var health = health(recovery: .seconds(5))
    health.didFail(began: .zero, at: .seconds(30), isLast: false)
    var (now, asked) = (Duration.seconds(30), [Int]())
    for _ in 0..<300 {
      if health.admits(at: now) {
        asked.append(Int(now.components.seconds))
        health.didFail(began: now, at: now, isLast: true)
        let isAdmitted = health.admits(at: now)
        #expect(!isAdmitted)
      }
      now += .seconds(1)
    }
    // After 5 s, and then twice as long each time, up to a minute.
    #expect(asked == [35, 45, 65, 105, 165, 225, 285])
    health.didAnswer(at: now)
    let isAdmitted = health.admits(at: now)
    #expect(!health.isGivenUp && isAdmitted)
  }
}
