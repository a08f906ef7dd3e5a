import Dispatch
import Synchronization

/// Blocking parallel work: the caller waits until all threads have finished.
package enum ConcurrentWork {
  /// Calls `body` on several threads, including the caller's, and waits until all calls have returned.
  ///
  /// Uses fewer threads if the system cannot create that many.
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

  /// Calls `body` once for each index below `count`, on as many threads as there are cores, and waits for all
  /// calls.
  package static func forEach(below count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let next = NextIndex()
    perform(min(count, Processors.count)) {
      while let index = next.take(below: count) { body(index) }
    }
  }

  private final class NextIndex: Sendable {
    private let value = Atomic(0)

    func take(below count: Int) -> Int? {
      let index = value.add(1, ordering: .relaxed).oldValue
      return index < count ? index : nil
    }
  }
}

/// The limit of open files (RLIMIT_NOFILE), and how concurrent work is serialized where it is low.
package enum OpenFileLimit {
  /// From this limit on, the descriptors suffice for several helpers of each kind with their requests, and
  /// for everything else at the same time.
  private static let many: rlim_t = 128

  /// Whether the limit is so low that work which opens several files must not run in parallel.
  package static let isLow: Bool = {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 && limit.rlim_cur < many
  }()

  private static let turn = DispatchSemaphore(value: 1)

  /// Runs work that holds several files open.
  ///
  /// If the limit is low, such work runs one call at a time: several calls that each hold some files and wait
  /// for one more would deadlock. For the same reason `work` must neither call this function nor wait for
  /// another call of it.
  package static func takingTurns<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isLow else { return try work() }
    turn.wait()
    defer { turn.signal() }
    return try work()
  }
}

/// The processor cores of this machine.
package enum Processors {
  /// The number of online cores, at least one.
  package static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

/// Runs jobs in first-in, first-out order on a bounded number of threads, which exit when the queue is empty.
///
/// Starts as many threads as there are cores. Adds threads only after a job has taken so long that it must
/// have been blocked: more threads than cores slow down CPU-bound jobs.
package final class WorkQueue: Sendable {
  private struct State {
    /// The queue; jobs from index `first` on are pending.
    var jobs: [@Sendable () -> Void] = []
    var first = 0
    var threads = 0

    mutating func next() -> (@Sendable () -> Void)? {
      guard first < jobs.count else {
        threads -= 1
        (jobs, first) = ([], 0)
        return nil
      }
      defer { first += 1 }
      let job = jobs[first]
      jobs[first] = {}
      return job
    }
  }

  /// A job that takes longer than this was blocked, not computing.
  private static let longJob = Duration.milliseconds(20)

  private let width: Int
  private let cores = Processors.count
  private let state = Mutex(State())

  /// - Parameter width: the maximum number of jobs that run at once.
  package init(width: Int) {
    self.width = max(1, width)
  }

  /// Enqueues a job, which runs once on a background thread.
  package func async(_ job: @escaping @Sendable () -> Void) {
    let needsThread = state.withLock { state in
      state.jobs.append(job)
      guard state.threads < min(width, cores) else { return false }
      state.threads += 1
      return true
    }
    if needsThread { WorkerThread.run { self.work() } }
  }

  private func work() {
    while let job = state.withLock({ $0.next() }) {
      let begin = ContinuousClock.now
      job()
      if begin.duration(to: .now) > Self.longJob { grow() }
    }
  }

  /// Starts one more thread if jobs are pending.
  private func grow() {
    let needsThread = state.withLock { state in
      guard state.threads < width, state.first < state.jobs.count else { return false }
      state.threads += 1
      return true
    }
    if needsThread { WorkerThread.run { self.work() } }
  }
}

/// Runs the jobs of tasks one at a time, outside of Dispatch's global pool.
///
/// Intended for tasks that mostly wait, such as requests for permission.
package final class SerialTaskExecutor: TaskExecutor {
  package static let shared = SerialTaskExecutor()

  private let queue = DispatchQueue(label: "tpick.tasks")

  private init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
