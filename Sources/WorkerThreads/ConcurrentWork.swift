import Dispatch

/// Work that waits more than it computes, on several threads at once.
package enum ConcurrentWork {
  /// Calls `body` on several threads, the caller's among them, and waits until all have returned.
  ///
  /// Where the system has nothing left for a thread there are fewer.
  package static func perform(_ threads: Int, _ body: @escaping @Sendable () -> Void) {
    let ended = DispatchGroup()
    for _ in 1..<max(1, threads) {
      ended.enter()
      let isStarted = WorkerThread.start {
        body()
        ended.leave()
      }
      if !isStarted {
        ended.leave()
        break
      }
    }
    body()
    ended.wait()
  }
}
