import Glibc

/// Polls until a condition holds for which there is no notification.
///
/// For example that another process has closed a file, that one which is no child of this has ended, or how far a store
/// without callbacks has come. Where there is a notification (a pipe, a semaphore, the end of a child), wait for that
/// instead.
/// - Parameter seconds: Longer than any machine takes; only a failure takes that long.
/// - Returns: false after the timeout.
package func eventually(within seconds: Int = 600, _ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while try !condition() {
    // The condition may have become true while this thread had no processor.
    if ContinuousClock.now > deadline { return try condition() }
    usleep(2000)
  }
  return true
}
