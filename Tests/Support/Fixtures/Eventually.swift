import Glibc

/// Waits until a condition holds of which nothing tells.
///
/// That another process has let go of a file, say, or that one which is no child of this has ended, or how far a store has
/// come that calls nobody. Where something tells (a pipe, a semaphore, the end of a child), that is waited for instead.
/// - Parameter seconds: longer than any machine takes; only a failure takes that long.
/// - Returns: false when the time is up.
package func eventually(within seconds: Int = 60, _ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while try !condition() {
    // The condition may have come to hold while this thread had no processor.
    if ContinuousClock.now > deadline { return try condition() }
    usleep(2000)
  }
  return true
}
