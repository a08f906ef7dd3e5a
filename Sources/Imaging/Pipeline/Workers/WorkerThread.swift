#if canImport(Glibc)
  import Glibc
#endif

/// A thread of its own for making pictures.
///
/// Dispatch has as many threads as there are cores, for everybody in turn: pictures would keep the library from
/// being read. And none of them can be made less urgent and given back.
enum WorkerThread {
  /// The niceness of work that nobody waits for: the scheduler gives it about a tenth of a busy core.
  private static let niceness: Int32 = 10

  /// Runs `body` once on a new thread.
  /// - Parameter givesWay: whether everything else goes before.
  /// - Returns: whether there is such a thread.
  static func start(givesWay: Bool, _ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(
      Body {
        // Threads are scheduled one by one on Linux, and 0 names the calling one.
        if givesWay { _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, niceness) }
        body()
      })
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else {
      box.release()
      return false
    }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let result = pthread_create(
      &thread, &attributes,
      { context in
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    if result != 0 { box.release() }
    return result == 0
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
