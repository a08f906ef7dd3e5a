/// A token bucket with a rate in bytes per second and a burst of 20 ms.
///
/// Times are in nanoseconds.
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

  /// The minimum worth a write of its own: less is waited for.
  private var portion: Double { min(capacity, 1400) }

  /// The number of bytes that may be sent now; 0 if too few to start with.
  mutating func allowance(at now: UInt64) -> Int {
    content = min(capacity, content + Double(now &- time) * bytesPerNanosecond)
    time = now
    return content >= portion ? Int(content) : 0
  }

  mutating func take(_ count: Int) { content -= Double(count) }

  /// When bytes may be sent again.
  var nextTime: UInt64 {
    content >= portion ? time : time + UInt64((portion - content) / bytesPerNanosecond) + 1
  }
}
