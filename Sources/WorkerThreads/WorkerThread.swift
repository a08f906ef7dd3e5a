#if canImport(Glibc)
  import Glibc
#endif

/// A thread of its own for work that takes long, or waits.
///
/// Dispatch has as many threads as there are cores, for everybody in turn: pictures would keep the library from
/// being read, and whoever waits for a network all others. And none of them can be made less urgent and given back.
package enum WorkerThread {
  /// The niceness of work that nobody waits for: the scheduler gives it about a tenth of a busy core.
  private static let niceness: Int32 = 10

  /// Runs `body` once on a new thread.
  /// - Parameter givesWay: whether everything else goes before.
  /// - Returns: whether there is such a thread.
  package static func start(givesWay: Bool = false, _ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(
      Body {
        // Threads are scheduled one by one on Linux, and 0 names the calling one.
        if givesWay { _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, niceness) }
        body()
      })
    var thread: pthread_t = 0
    let result = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    guard result == 0 else {
      box.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
