/// Waiting without a notification: sleeping and polling.
///
/// Where a notification exists, use a semaphore, a condition or poll on a descriptor instead.
package enum Waiting {
  /// Sleeps for at least the given time, also when signals interrupt the sleep.
  package static func pause(_ time: Duration) {
    let (seconds, attoseconds) = max(.zero, time).components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    var left = timespec()
    while nanosleep(&time, &left) != 0, errno == EINTR { time = left }
  }

  /// Polls a condition until it is true or the deadline has passed.
  /// - Parameters:
  ///   - deadline: nil = no time limit.
  ///   - pause: the time between two calls of the condition.
  /// - Returns: whether the condition became true in time.
  package static func until(
    _ deadline: ContinuousClock.Instant? = nil, every pause: Duration, _ condition: () -> Bool
  ) -> Bool {
    while !condition() {
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

/// Clocks of the C library, for interfaces that use its time values; everything else uses `ContinuousClock`.
package enum SystemClock {
  /// The monotonic clock (clock_gettime(2)) in nanoseconds, as sd-bus uses it.
  package static var monotonicNanoseconds: UInt64 {
    let now = time(CLOCK_MONOTONIC)
    return UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
  }

  /// The wall clock, since 1970-01-01 00:00:00 UTC.
  package static var wallTime: timespec { time(CLOCK_REALTIME) }

  private static func time(_ clock: clockid_t) -> timespec {
    var now = timespec()
    clock_gettime(clock, &now)
    return now
  }
}

extension timespec {
  /// Nanoseconds since 1970, clamped to what 64 bits hold.
  package var nanoseconds: Int64 {
    Int64(max(-9_000_000_000, min(tv_sec, 9_000_000_000))) * 1_000_000_000 + Int64(tv_nsec)
  }
}
