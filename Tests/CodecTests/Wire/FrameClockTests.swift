import CodecProtocol
import Testing

@Suite struct FrameClockTests {
  struct Example: Sendable {
    var base: (Int32, Int32) = (1, 1000)
    var rate: (Int32, Int32) = (25, 1)
    /// Timestamps and durations in the file.
    var frames: [(Int64?, Int64)]
    var starts: [Int64]
    var durations: [Int64]?
  }

  static let examples = [
    Example(
      frames: [(500, 100), (600, 100), (750, 50)], starts: [0, 100_000, 250_000],
      durations: [100_000, 100_000, 50_000]),
    // Without either the frame rate counts, and without that a twenty-fifth of a second.
    Example(frames: [(nil, 0), (nil, 0)], starts: [0, 40_000], durations: [40_000, 40_000]),
    Example(
      rate: (10, 1), frames: [(0, 0), (nil, 0)], starts: [0, 100_000], durations: [100_000, 100_000]),
    Example(rate: (0, 0), frames: [(nil, 0)], starts: [0], durations: [40_000]),
    Example(base: (0, 0), frames: [(5, 7), (9, 7)], starts: [0, 0], durations: [40_000, 40_000]),
    // A frame that starts before the previous one ends is accepted, one that starts before the previous start is not.
    Example(frames: [(0, 100), (50, 100), (40, 100)], starts: [0, 50_000, 150_000]),
    Example(
      frames: [(1000, 100), (2000, 100), (0, 100), (100, 100)], starts: [0, 1_000_000, 1_100_000, 1_200_000]),
    // A pause of a minute is kept, a longer one is not.
    Example(frames: [(0, 100), (60_100, 100)], starts: [0, 60_100_000]),
    Example(frames: [(0, 100), (60_101, 100)], starts: [0, 100_000]),
    Example(frames: [(.min, 100), (.max, 100)], starts: [0, 100_000]),
    Example(frames: [(0, .max), (nil, .min)], starts: [0, 40_000], durations: [40_000, 40_000]),
    Example(frames: [(0, 70_000)], starts: [0], durations: [60_000_000]),
  ]

  @Test(arguments: examples)
  func `Times increase, whatever the file says`(example: Example) {
    var clock = FrameClock(base: example.base, rate: example.rate)
    let times = example.frames.map { clock.next(stamp: $0, duration: $1) }
    #expect(times.map(\.start) == example.starts)
    if let durations = example.durations { #expect(times.map(\.duration) == durations) }
    #expect(clock.end == times.last.map { $0.start + $0.duration })
  }

  @Test func `The time stamp of a time counts from the first frame`() {
    var clock = FrameClock(base: (1, 1000), rate: (25, 1))
    #expect(clock.stamp(at: 100_000) == nil)
    _ = clock.next(stamp: 500, duration: 40)
    #expect(clock.stamp(at: 0) == 500)
    #expect(clock.stamp(at: 100_999) == 600)
    var last = FrameClock(base: (1, 1000), rate: (25, 1))
    _ = last.next(stamp: .max, duration: 40)
    #expect(last.stamp(at: 1000) == nil)
    var unknown = FrameClock(base: (0, 0), rate: (25, 1))
    _ = unknown.next(stamp: 5, duration: 1)
    #expect(unknown.stamp(at: 1000) == nil)
  }
}
