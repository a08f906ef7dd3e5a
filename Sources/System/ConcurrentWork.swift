import Dispatch
import Synchronization

/// Work on several threads at once that the caller waits for.
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

  /// Calls `body` once for each index below `count`, on as many threads as there are cores, and waits for all calls.
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

/// How many files this process may have open at once, and what is done where these are few.
package enum OpenFileLimit {
  /// As many as several helpers of each kind take, with their work, and all else beside them.
  private static let many: rlim_t = 128

  /// Whether work on several files at once has to be kept from waiting for each other's descriptors.
  package static let isLow: Bool = {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 && limit.rlim_cur < many
  }()

  private static let turn = DispatchSemaphore(value: 1)

  /// Does work that has several files open until it is done; where few may be open, one piece of such work after the
  /// other, in the order in which they come.
  ///
  /// Pieces that each hold some files and want one more would wait for each other otherwise. Such work begins no other
  /// piece and waits for none.
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
  /// Those that are switched on, at least one.
  package static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

/// Runs jobs in the order in which they come, on a bounded number of threads that end when no job waits.
///
/// There are as many threads as cores, and more once a job has taken so long that it must have waited: more threads
/// than cores slow down jobs that compute.
package final class WorkQueue: Sendable {
  private struct State {
    /// The jobs that wait, from `first` on.
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

  /// A job that takes longer waits for something.
  private static let longJob = Duration.milliseconds(20)

  private let width: Int
  private let cores = Processors.count
  private let state = Mutex(State())

  /// - Parameter width: how many jobs run at once at most.
  package init(width: Int) {
    self.width = max(1, width)
  }

  /// Runs a job in the background, once.
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

  /// Starts one more thread where jobs wait.
  private func grow() {
    let needsThread = state.withLock { state in
      guard state.threads < width, state.first < state.jobs.count else { return false }
      state.threads += 1
      return true
    }
    if needsThread { WorkerThread.run { self.work() } }
  }
}

/// Runs the parts of tasks one after the other, outside of Dispatch's pool.
///
/// For tasks that mostly wait, as those that ask for permission.
package final class SerialTaskExecutor: TaskExecutor {
  package static let shared = SerialTaskExecutor()

  private let queue = DispatchQueue(label: "tpick.tasks")

  private init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
