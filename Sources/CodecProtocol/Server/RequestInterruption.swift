import Synchronization
import System

/// Tells a helper whether the request in hand was taken back.
///
/// While tpick waits for a picture it says nothing else: what comes then takes the request back, and so does its end.
package final class RequestInterruption: Sendable {
  private let socket: Int32
  /// Whether something had come with the request already.
  private let isTakenBack = Atomic(false)
  /// When the socket is looked at again, in nanoseconds of the monotonic clock.
  private let next = Atomic<UInt64>(0)
  private static let interval: UInt64 = 2_000_000

  init(_ socket: Int32) { self.socket = socket }

  /// Begins with another request.
  func begin(isTakenBack: Bool) {
    self.isTakenBack.store(isTakenBack, ordering: .relaxed)
  }

  /// Whether nobody waits for the answer any more; may be asked after every row, and looks at the socket now and then.
  package var isCancelled: Bool {
    if isTakenBack.load(ordering: .relaxed) { return true }
    let nanoseconds = SystemClock.monotonicNanoseconds
    guard nanoseconds >= next.load(ordering: .relaxed) else { return false }
    next.store(nanoseconds &+ Self.interval, ordering: .relaxed)
    var arrival = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&arrival, 1, 0) > 0 else { return false }
    isTakenBack.store(true, ordering: .relaxed)
    return true
  }
}
