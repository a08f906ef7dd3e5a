/// Bytes in transit to a client, each with its arrival time in nanoseconds.
struct DelayLine {
  private struct Portion {
    let time: UInt64
    var count: Int
  }

  private var bytes = ByteQueue()
  private var portions: [Portion] = []
  private var first = 0

  var count: Int { bytes.count }

  var isEmpty: Bool { bytes.isEmpty }

  /// When the first byte may arrive; `nil` without one.
  var nextTime: UInt64? { first < portions.count ? portions[first].time : nil }

  /// Adds bytes that arrive from `time` on, after those added before.
  mutating func append(_ more: [UInt8], at time: UInt64) {
    guard !more.isEmpty else { return }
    bytes.append(more)
    let time = max(time, portions.last?.time ?? 0)
    if let last = portions.last, last.time == time {
      portions[portions.count - 1].count += more.count
    } else {
      portions.append(Portion(time: time, count: more.count))
    }
  }

  /// The number of bytes that may arrive by now.
  func ready(at now: UInt64) -> Int {
    var ready = 0
    for portion in portions[first...] {
      guard portion.time <= now else { break }
      ready += portion.count
    }
    return ready
  }

  /// Passes the first bytes to `body`, which returns how many it took.
  mutating func take(_ limit: Int, _ body: (UnsafeRawBufferPointer) -> Int) -> Int {
    let taken = bytes.content.prefix(limit).withUnsafeBytes(body)
    guard taken > 0 else { return taken }
    bytes.drop(taken)
    var rest = taken
    while rest > 0 {
      let step = min(rest, portions[first].count)
      portions[first].count -= step
      rest -= step
      if portions[first].count == 0 { first += 1 }
    }
    if first == portions.count || first > 1024 {
      portions.removeFirst(first)
      first = 0
    }
    return taken
  }
}
