import Fixtures
import TestScheduling
import Testing

@testable import RemoteServers

/// When bytes are sent, by a clock that the tests set.
@Suite(.onOwnThreads) struct TransferTests {
  @Test(arguments: [1, 100, 10_000, 2_500_000])
  func `A bucket lets bytes through at its rate`(rate: Int) {
    var bucket = TransferBucket(bytesPerSecond: rate, at: 0)
    var random = SeededGenerator(seed: 5)
    var (now, sent, last): (UInt64, Int, UInt64) = (0, 0, 0)
    let whole = rate * 10
    while sent < whole {
      let allowance = bucket.allowance(at: now)
      let count = min(allowance, whole - sent, Int.random(in: 1...100_000, using: &random))
      if count > 0 { last = now }
      bucket.take(count)
      sent += count
      #expect(bucket.nextTime >= now)
      now = max(now + 1000, bucket.nextTime)
    }
    let seconds = Double(last) / 1e9
    // Up to 20 ms of them were available from the beginning, or a byte.
    #expect(seconds >= 10 - max(0.02, 1 / Double(rate)) - 0.001)
    #expect(seconds <= 10.1)
  }

  @Test func `Bytes arrive in order, none before its time`() {
    var line = DelayLine()
    line.append([1, 2], at: 50)
    line.append([3], at: 40)
    line.append([], at: 10)
    line.append([4, 5], at: 90)
    #expect(line.nextTime == 50)
    #expect(line.ready(at: 49) == 0)
    #expect(line.ready(at: 50) == 3)
    #expect(line.ready(at: 90) == 5)
    var seen: [UInt8] = []
    func take(_ limit: Int) -> Int {
      line.take(limit) { bytes in
        seen += bytes
        return bytes.count
      }
    }
    #expect(take(1) == 1)
    #expect(line.ready(at: 60) == 2)
    #expect(take(3) == 3)
    #expect(line.nextTime == 90)
    #expect(take(10) == 1)
    #expect(line.isEmpty)
    #expect(line.nextTime == nil)
    #expect(seen == [1, 2, 3, 4, 5])
    line.append([6], at: 1)
    #expect(line.nextTime == 1)
  }
}
