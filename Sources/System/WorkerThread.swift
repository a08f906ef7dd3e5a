import Dispatch

/// Threads for work that takes long or waits.
///
/// Dispatch's own pool is not used anywhere in tpick: neither its global queues, nor concurrent queues or
/// `concurrentPerform`, nor tasks without an executor. The pool has a thread for each core, so that a few jobs that
/// wait hold up all others. And once a second libdispatch opens `/proc/TID/stat` of each thread of the pool, and ends
/// the process with SIGILL where it can't: without `/proc`, or where no more files may be open
/// (`_dispatch_workq_count_runnable_workers` in `src/event/workqueue.c`). Serial queues have threads outside of it.
package enum WorkerThread {
  /// The niceness of work that nobody waits for: the scheduler gives it about a tenth of a busy core.
  private static let niceness: Int32 = 10

  /// Runs `body` once on a new thread.
  /// - Parameters:
  ///   - givesWay: whether everything else goes before.
  ///   - takesSignals: false for what waits as long as the process runs: signals are other threads' business, and a read
  ///     from a terminal that another job has fails in place of stopping the process. What a fault raises is taken on any
  ///     thread.
  /// - Returns: whether there is such a thread.
  package static func start(
    givesWay: Bool = false, takesSignals: Bool = true, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let box = Unmanaged.passRetained(
      Body {
        // Threads are scheduled one by one on Linux, and 0 names the calling one.
        if givesWay { _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, niceness) }
        body()
      })
    var thread: pthread_t = 0
    var before = sigset_t()
    // A new thread has the mask of the one that makes it.
    if !takesSignals {
      var masked = outerSignals
      pthread_sigmask(SIG_SETMASK, &masked, &before)
    }
    let result = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    if !takesSignals { pthread_sigmask(SIG_SETMASK, &before, nil) }
    guard result == 0 else {
      box.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  /// All signals but those that a fault of the thread itself raises.
  private static let outerSignals: sigset_t = {
    var signals = sigset_t()
    sigfillset(&signals)
    for fault in [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGSYS] { sigdelset(&signals, fault) }
    return signals
  }()

  /// Runs `body` once in the background: on a new thread, or in turn with others where the system has none left.
  package static func run(_ body: @escaping @Sendable () -> Void) {
    if !start(body) { shared.async(execute: body) }
  }

  /// Calls `body` once after a delay, in turn with others: it must neither wait nor take long.
  package static func call(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    // Dispatch counts nanoseconds: more than a century would not fit.
    let nanoseconds = max(.zero, min(delay, .seconds(3_000_000_000))) / .nanoseconds(1)
    timers.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds)), execute: body)
  }

  private static let shared = DispatchQueue(label: "tpick.worker")
  private static let timers = DispatchQueue(label: "tpick.timers")

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
