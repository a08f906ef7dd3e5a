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
