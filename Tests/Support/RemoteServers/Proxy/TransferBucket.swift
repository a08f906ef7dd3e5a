/// A token bucket: lets so many bytes a second through, and as many at once as come in 20 ms.
///
/// Times in nanoseconds.
struct TransferBucket {
  private let bytesPerNanosecond: Double
  private let capacity: Double
  private var content: Double
  private var time: UInt64

  /// A full bucket.
  init(bytesPerSecond: Int, at now: UInt64) {
    bytesPerNanosecond = Double(max(1, bytesPerSecond)) / 1e9
    capacity = max(1, bytesPerNanosecond * 20e6)
    content = capacity
    time = now
  }

  /// The least that is worth a write of its own: less is waited for.
  private var portion: Double { min(capacity, 1400) }

  /// How many bytes may go now; 0 where it is too few to begin with.
  mutating func allowance(at now: UInt64) -> Int {
    content = min(capacity, content + Double(now &- time) * bytesPerNanosecond)
    time = now
    return content >= portion ? Int(content) : 0
  }

  mutating func take(_ count: Int) { content -= Double(count) }

  /// When bytes may go again.
  var nextTime: UInt64 {
    content >= portion ? time : time + UInt64((portion - content) / bytesPerNanosecond) + 1
  }
}
