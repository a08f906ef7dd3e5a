import Dispatch
import Synchronization
import System

/// A limited number of helpers of one kind.
///
/// The first file starts a helper, which is kept until it dies or the pool is released. Failed starts are retried
/// later: memory or processes may have been short, or a new version was just being installed.
final class HelperPool: Sendable {
  private struct State {
    var idle: [HelperProcess] = []
    var pause = StartBackoff()
    /// Number of helpers that `prepare` is starting.
    var starting = 0
    /// The confinement that the most recently started helper reported.
    var confinement: HelperConfinement?

    /// Whether the helper's confinement is too weak for it to be given files.
    var isRefused: Bool { confinement.map { !HelperPool.isEnough($0) } ?? false }
  }

  /// The result of acquiring a helper.
  enum Acquired {
    case process(HelperProcess, isNew: Bool)
    case missing
    /// The kernel does not confine the helper, and the user has not allowed that.
    case unconfined
    /// The system currently lacks resources for another process.
    case exhausted
    case cancelled
  }

  private let state = Mutex(State())
  /// Which program the helpers run.
  let kind: HelperProgram
  /// Path of the helper; nil searches for it at every start.
  private let program: String?
  /// Niceness of the helpers relative to tpick, as in nice(1).
  private let niceness: Int32
  private let processes: Int
  private let slots: DispatchSemaphore
  private let startDeadline: Duration
  private let longGrace: Duration
  private let budget: HelperBudget
  /// Time elapsed since a fixed moment.
  private let now: @Sendable () -> Duration

  /// - Parameters:
  ///   - kind: which program the helpers run.
  ///   - program: path of the helper; nil searches for it.
  ///   - niceness: niceness relative to tpick, as in nice(1).
  ///   - longGrace: how long a helper may take to cancel a request before it is killed.
  ///   - budget: memory budget that these helpers share with others.
  ///   - now: time elapsed since a fixed moment; used for the backoff between failed starts.
  init(
    _ kind: HelperProgram = .codecs, program: String?, processes: Int, startDeadline: Duration,
    niceness: Int32 = 0, longGrace: Duration = HelperProcess.usualLongGrace, budget: HelperBudget = .shared,
    now: @escaping @Sendable () -> Duration = HelperPool.timeSinceBegin
  ) {
    self.now = now
    self.kind = kind
    self.program = program
    self.niceness = niceness
    self.processes = OpenFileLimit.isLow ? 1 : max(1, processes)
    slots = DispatchSemaphore(value: self.processes)
    self.startDeadline = startDeadline
    self.longGrace = longGrace
    self.budget = budget
  }

  private static let begin = SuspendingClock.now

  private static let timeSinceBegin: @Sendable () -> Duration = { begin.duration(to: .now) }

  /// Waits for a free slot: no more callers work at once than there may be helpers.
  /// - Returns: false if the caller cancelled; otherwise the caller must release the slot.
  func acquireSlot(isCancelled: (() -> Bool)? = nil) -> Bool {
    guard let isCancelled else {
      slots.wait()
      return true
    }
    while slots.wait(timeout: .now() + .milliseconds(8)) == .timedOut {
      if isCancelled() { return false }
    }
    return true
  }

  func releaseSlot() {
    slots.signal()
  }

  /// Returns an idle helper or starts one.
  func acquire(isCancelled: (() -> Bool)? = nil) -> Acquired {
    let (idle, program) = state.withLock { state -> (HelperProcess?, String?) in
      if let process = state.idle.popLast() {
        process.wake()
        return (process, nil)
      }
      guard state.pause.mayStart(at: now()) else { return (nil, nil) }
      let program = self.program ?? kind.find()
      if program == nil { state.pause.startFailed(at: now()) }
      return (nil, program)
    }
    let process: HelperProcess?
    do throws(HelperProcess.StartFailure) {
      if let idle {
        process = idle
      } else if let program {
        process = try start(program)
      } else {
        return state.withLock { $0.isRefused } ? .unconfined : .missing
      }
    } catch {
      // A temporary shortage is not the program's fault: no backoff.
      if error.isTemporaryShortage { return .exhausted }
      process = nil
    }
    switch process?.waitForGreeting(within: startDeadline, isCancelled: isCancelled) {
    case .helper(let confinement):
      guard let process else { return .missing }
      let isRefused = state.withLock { state in
        state.confinement = confinement
        if state.isRefused { state.pause.startFailed(at: now()) } else { state.pause.startSucceeded() }
        return state.isRefused
      }
      if isRefused { return .unconfined }
      return .process(process, isNew: idle == nil)
    case .cancelled:
      // Its greeting may arrive during the next call.
      if let process { release(process) }
      return .cancelled
    case .stranger, nil:
      state.withLock { $0.pause.startFailed(at: now()) }
      return .missing
    }
  }

  private static func isEnough(_ confinement: HelperConfinement) -> Bool {
    confinement.isConfined || ConfinementPolicy.allowsUnconfined
  }

  /// The confinement that the most recently started helper reported; nil if none has started.
  var confinement: HelperConfinement? { state.withLock { $0.confinement } }

  /// Starts a helper, retrying for `patience` while the system lacks resources.
  private func start(_ path: String) throws(HelperProcess.StartFailure) -> HelperProcess {
    let end = ContinuousClock.now + Self.patience
    while true {
      do throws(HelperProcess.StartFailure) {
        let process = try HelperProcess(program: path, budget: budget, longGrace: longGrace)
        if niceness != 0 { _ = setpriority(Int32(PRIO_PROCESS.rawValue), id_t(process.identifier), niceness) }
        return process
      } catch {
        guard error.isTemporaryShortage, ContinuousClock.now < end else { throw error }
        Waiting.pause(.milliseconds(5))
      }
    }
  }

  /// How long to retry while the system lacks resources for a process.
  static let patience: Duration = .seconds(3)

  /// Starts helpers until the pool is full; returns at once.
  func prepare() {
    for _ in 0..<processes {
      WorkerThread.run {
        let path = self.state.withLock { state -> String? in
          guard state.idle.count + state.starting < self.processes, state.pause.mayStart(at: self.now())
          else {
            return nil
          }
          let path = self.program ?? self.kind.find()
          if path != nil { state.starting += 1 }
          return path
        }
        guard let path else { return }
        // A failure is reported when the helper is needed.
        let process = try? self.start(path)
        self.state.withLock { state in
          state.starting -= 1
          // Behind those that have worked meanwhile, which are ready.
          if let process { state.idle.insert(process, at: 0) }
        }
      }
    }
  }

  /// Returns a helper that has answered every request to the pool, unless it holds too much memory.
  func release(_ process: HelperProcess) {
    guard process.rest() else { return }
    state.withLock { $0.idle.append(process) }
  }
}

extension HelperPool {
  /// Returns the confinement that the helper reports, whether or not it may be given files.
  /// - Returns: nil if no helper could be started.
  func queryConfinement() -> HelperConfinement? {
    _ = acquireSlot()
    defer { releaseSlot() }
    if case .process(let process, _) = acquire() { release(process) }
    return confinement
  }

  /// Sends a request about an open file to a helper and returns the answer.
  /// - Parameters:
  ///   - maxPixels: upper bound of the pixels in the answer.
  ///   - isCancelled: called every few milliseconds on the calling thread, also while the call waits for a free
  ///     helper. A helper that does not answer promptly after cancellation is killed.
  ///   - take: converts the answer; returns nil for an answer that breaks the protocol, whose helper is then
  ///     killed.
  /// - Returns: nil if `isCancelled` returned true before the answer arrived.
  /// - Throws: `CodecError` if there is no answer, or if the file kills or stalls the helper.
  func ask<Value>(
    _ request: CodecRequest, _ descriptor: Int32, maxPixels: Int, deadline: Duration,
    isCancelled: () -> Bool, take: (CodecAnswer, [DecodedPicture]) -> Value?
  ) throws(CodecError) -> Value? {
    // The closure does not outlive the call, but the waits take it as an optional, which makes it escaping.
    let ending = withoutActuallyEscaping(isCancelled) {
      asking(request, descriptor, maxPixels, deadline, $0, take)
    }
    return try ending.get()
  }

  private func asking<Value>(
    _ request: CodecRequest, _ descriptor: Int32, _ maxPixels: Int, _ deadline: Duration,
    _ isCancelled: @escaping () -> Bool, _ take: (CodecAnswer, [DecodedPicture]) -> Value?
  ) -> Result<Value?, CodecError> {
    guard acquireSlot(isCancelled: isCancelled) else { return .success(nil) }
    defer { releaseSlot() }
    let end = ContinuousClock.now + Self.patience
    while true {
      let (process, isNew): (HelperProcess, Bool)
      switch acquire(isCancelled: isCancelled) {
      case .process(let taken, let isFresh): (process, isNew) = (taken, isFresh)
      case .missing: return .failure(.missing(kind))
      case .unconfined: return .failure(.unconfined)
      case .exhausted: return .failure(.noMemory)
      case .cancelled: return .success(nil)
      }
      let exchange = process.exchange(
        request, descriptor, maxPixels: maxPixels, deadline: deadline, isCancelled: isCancelled)
      switch exchange {
      case .answer(.failure(.cancelled, _), _):
        release(process)
        return .success(nil)
      case .answer(.failure(let error, _), _):
        release(process)
        return .failure(error)
      case .answer(let answer, let pictures):
        if let value = take(answer, pictures) {
          release(process)
          return .success(value)
        }
        if isNew { return .failure(.died) }
      case .failed(.noDescriptors) where ContinuousClock.now < end:
        release(process)
        // Descriptors are short only briefly: like the scan, tpick opens each file only for a moment.
        if isCancelled() { return .success(nil) }
        Waiting.pause(.milliseconds(5))
      case .failed(let error):
        release(process)
        return .failure(error)
      case .cancelled(let isFree):
        if isFree { release(process) }
        return .success(nil)
      case .hung: return .failure(.hung)
      case .died where isNew: return .failure(.died)
      // An earlier file may have damaged this helper: ask a new one, or another of the few idle ones.
      case .died: continue
      }
    }
  }
}

/// Backoff between failed starts: a few retries at once, then growing pauses.
///
/// A value without a clock: moments are durations since a fixed moment.
struct StartBackoff: Hashable, Sendable {
  /// Consecutive failed starts before the first pause.
  private static let immediateRetries = 3
  private static let shortest: Duration = .seconds(2)
  private static let longest: Duration = .seconds(300)

  /// Consecutive failed starts.
  private var failures = 0
  private var end: Duration?

  /// Returns whether a start is allowed at `now`.
  func mayStart(at now: Duration) -> Bool { end.map { now >= $0 } ?? true }

  mutating func startFailed(at now: Duration) {
    failures += 1
    guard failures >= Self.immediateRetries else { return }
    let doublings = min(failures - Self.immediateRetries, 16)
    end = now + min(Self.longest, Self.shortest * (1 << doublings))
  }

  mutating func startSucceeded() { self = StartBackoff() }
}
