import Dispatch

/// Creates threads for work that takes long or blocks.
///
/// tpick does not use Dispatch's thread pool: no global queues, no concurrent queues, no `concurrentPerform`,
/// no tasks without an executor. The pool has one thread per core, so a few blocked jobs stall all others.
/// And once a second, libdispatch opens `/proc/TID/stat` of each thread of the pool, and ends the process
/// with SIGILL if that fails: without `/proc`, or at the limit of open files
/// (`_dispatch_workq_count_runnable_workers` in `src/event/workqueue.c`). Serial queues have threads outside
/// of the pool.
package enum WorkerThread {
  /// The niceness of background work: the scheduler gives it about a tenth of a busy core.
  private static let niceness: Int32 = 10

  /// Runs `body` once on a new thread.
  /// - Parameters:
  ///   - givesWay: whether the thread runs at low priority.
  ///   - takesSignals: whether signals may be delivered to the thread. False for threads that live as long as
  ///     the process: all signals are blocked except those of the thread's own faults. Because SIGTTIN is
  ///     blocked too, reading from the terminal while tpick is a background job of the shell fails with an
  ///     error and does not stop the process.
  /// - Returns: whether the thread was created.
  package static func start(
    givesWay: Bool = false, takesSignals: Bool = true, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let box = Unmanaged.passRetained(
      Body {
        // On Linux, niceness is per thread, and 0 means the calling thread.
        if givesWay { _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, niceness) }
        body()
      })
    var thread: pthread_t = 0
    var before = sigset_t()
    // A new thread inherits the signal mask of its creator.
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

  /// All signals except those that the kernel raises for a fault of the thread.
  private static let outerSignals: sigset_t = {
    var signals = sigset_t()
    sigfillset(&signals)
    for fault in [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGSYS] { sigdelset(&signals, fault) }
    return signals
  }()

  /// Runs `body` once in the background: on a new thread, or on a shared serial queue if the system can't
  /// create one.
  package static func run(_ body: @escaping @Sendable () -> Void) {
    if !start(body) { shared.async(execute: body) }
  }

  /// Runs work that blocks on a new thread, and returns its value.
  ///
  /// No thread of Swift's pool and no actor waits meanwhile: they run other tasks.
  package static func value<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      run { continuation.resume(returning: work()) }
    }
  }

  /// Calls `body` once after a delay, on a shared serial queue: it must neither block nor take long.
  package static func call(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    // Dispatch counts nanoseconds in 64 bits; limit the delay to about a century.
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
