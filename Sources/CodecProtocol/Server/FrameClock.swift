/// Works out when the frames of a video are shown from what its file says, which may be missing or wrong.
///
/// A value, so that it can be tested without a video. Times are microseconds from the first frame.
package struct FrameClock: Hashable, Sendable {
  /// A frame's duration where the file does not say it.
  private static let usual: Int64 = 40_000
  /// The longest that is believed, of a frame's duration and of a leap from one to the next.
  private static let longest: Int64 = 60_000_000

  /// Microseconds of the file's unit; 0 where it has none.
  private let unit: Double
  /// What a frame takes that does not say it.
  private let byRate: Int64
  /// The time that counts as the beginning, in the file's units; nil before the first frame.
  private var origin: Int64?
  /// When the last frame began.
  private var last: Int64 = 0
  /// When the last frame ends.
  package private(set) var end: Int64 = 0

  /// - Parameters:
  ///   - base: the file's unit, as a fraction of a second.
  ///   - rate: frames a second, as a fraction; zero or negative parts where it is not known.
  package init(base: (Int32, Int32), rate: (Int32, Int32)) {
    unit = base.0 > 0 && base.1 > 0 ? Double(base.0) / Double(base.1) * 1e6 : 0
    byRate = rate.0 > 0 && rate.1 > 0 ? Int64(1e6 * Double(rate.1) / Double(rate.0)) : Self.usual
  }

  /// The times of the next frame.
  ///
  /// None begins before the one ahead of it, or a leap later that nobody would wait for: it follows at once instead.
  /// - Parameters:
  ///   - stamp: when it is shown, in the file's units; nil = not known.
  ///   - duration: how long, in the same units; 0 = not known.
  package mutating func next(stamp: Int64?, duration: Int64) -> (start: Int64, duration: Int64) {
    let stated = microseconds(duration)
    let duration = min(Self.longest, max(1000, stated > 0 ? stated : byRate))
    var start = end
    if let stamp {
      let first = origin ?? stamp
      origin = first
      let (difference, overflow) = stamp.subtractingReportingOverflow(first)
      let asked = overflow ? end : microseconds(difference)
      if asked >= last, asked <= end + Self.longest { start = asked }
    }
    last = start
    end = start + duration
    return (start, duration)
  }

  private func microseconds(_ value: Int64) -> Int64 {
    let value = Double(value) * unit
    return value.isFinite && abs(value) < 1e15 ? Int64(value.rounded()) : 0
  }
}
