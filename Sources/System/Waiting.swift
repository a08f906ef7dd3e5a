/// Waiting for what nothing tells of.
///
/// Where something does, a semaphore, a condition or a descriptor is waited for.
package enum Waiting {
  /// Does nothing for a while; no shorter, unless the process ends.
  package static func pause(_ time: Duration) {
    let (seconds, attoseconds) = max(.zero, time).components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    var left = timespec()
    while nanosleep(&time, &left) != 0, errno == EINTR { time = left }
  }

  /// Asks again and again whether something is so.
  /// - Parameters:
  ///   - pause: the time between two questions.
  ///   - deadline: nil = as long as it takes.
  /// - Returns: whether it was so in time.
  package static func until(
    _ deadline: ContinuousClock.Instant? = nil, every pause: Duration, _ isSo: () -> Bool
  ) -> Bool {
    while !isSo() {
      var time = pause
      if let deadline {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return false }
        time = min(pause, left)
      }
      self.pause(time)
    }
    return true
  }
}

/// The clocks of the C library, for interfaces that count as it does; everything else takes `ContinuousClock`.
package enum SystemClock {
  /// The monotonic clock (clock_gettime(2)), by which sd-bus counts too, in nanoseconds.
  package static var monotonicNanoseconds: UInt64 {
    let now = time(CLOCK_MONOTONIC)
    return UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
  }

  /// The time of day, since 1970-01-01 00:00:00 UTC.
  package static var wallTime: timespec { time(CLOCK_REALTIME) }

  private static func time(_ clock: clockid_t) -> timespec {
    var now = timespec()
    clock_gettime(clock, &now)
    return now
  }
}

extension timespec {
  /// Nanoseconds since 1970, within what 64 bits hold.
  package var nanoseconds: Int64 {
    Int64(max(-9_000_000_000, min(tv_sec, 9_000_000_000))) * 1_000_000_000 + Int64(tv_nsec)
  }
}
