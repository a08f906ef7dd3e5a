import Dispatch
import Synchronization

/// So many HTTP sessions at once as requests may be under way.
final class SessionPool: Sendable {
  private let idle = Mutex<[HTTPSession]>([])
  private let slots: DispatchSemaphore

  init(count: Int) { slots = DispatchSemaphore(value: count) }

  /// Waits until fewer requests than allowed are under way, and lends a session.
  func withSession<Success>(
    isCancelled: () -> Bool, _ body: (HTTPSession) throws(RequestFailure) -> Success
  ) throws(RequestFailure) -> Success {
    while slots.wait(timeout: .now() + .milliseconds(8)) == .timedOut {
      if isCancelled() { throw RequestFailure(RcloneError(.cancelled, "")) }
    }
    defer { slots.signal() }
    guard let session = idle.withLock({ $0.popLast() }) ?? HTTPSession() else {
      throw RequestFailure(RcloneError(.programMissing, "", "libcurl is not installed: apt install libcurl4"))
    }
    defer { idle.withLock { $0.append(session) } }
    return try body(session)
  }

  /// Closes the connections that nobody uses.
  func closeIdle() { idle.withLock { $0.removeAll() } }
}
