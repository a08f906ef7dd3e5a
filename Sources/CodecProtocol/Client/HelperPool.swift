import Dispatch
import Synchronization
import System

/// The helpers that do one kind of work, so many at a time.
///
/// A helper is started for the first file and kept until it dies, or until the pool goes. Where starts fail it is tried
/// again later: memory or processes may have been short, or a new version was just being installed.
final class HelperPool: Sendable {
  private struct State {
    var idle: [HelperProcess] = []
    var pause = StartPause()
    /// How many of `prepare` are under way.
    var starting = 0
    /// What the last helper that was started has said of itself.
    var confinement: HelperConfinement?

    /// Whether there is a helper that may be given no file.
    var isRefused: Bool { confinement.map { !HelperPool.isEnough($0) } ?? false }
  }

  /// What asking for a helper gives.
  enum Acquired {
    case process(HelperProcess, isNew: Bool)
    case missing
    /// The kernel does not confine it, and the user has not allowed that.
    case unconfined
    /// The system has nothing left for another process for the moment.
    case exhausted
    case cancelled
  }

  private let state = Mutex(State())
  /// Which of the programs they are.
  let kind: HelperProgram
  /// The path of the helper; nil has it looked for with every start.
  private let program: String?
  /// How much less urgent than tpick the helpers are, as nice(1) counts.
  private let niceness: Int32
  private let processes: Int
  private let slots: DispatchSemaphore
  private let startDeadline: Duration
  private let budget: HelperBudget
  /// The time since some fixed moment.
  private let now: @Sendable () -> Duration

  /// - Parameters:
  ///   - kind: which of the programs it is.
  ///   - program: the helper's path; nil has it looked for.
  ///   - niceness: how much less urgent than tpick the helpers are, as nice(1) counts.
  ///   - budget: the memory that its helpers share with others.
  ///   - now: the time since some fixed moment, for the pauses between starts that fail.
  init(
    _ kind: HelperProgram = .codecs, program: String?, processes: Int, startDeadline: Duration,
    niceness: Int32 = 0, budget: HelperBudget = .shared,
    now: @escaping @Sendable () -> Duration = HelperPool.timeSinceBegin
  ) {
    self.now = now
    self.kind = kind
    self.program = program
    self.niceness = niceness
    self.processes = OpenFileLimit.isLow ? 1 : max(1, processes)
    slots = DispatchSemaphore(value: self.processes)
    self.startDeadline = startDeadline
    self.budget = budget
  }

  private static let begin = SuspendingClock.now

  private static let timeSinceBegin: @Sendable () -> Duration = { begin.duration(to: .now) }

  /// Waits until fewer callers are at work than there may be helpers.
  /// - Returns: false when the caller gave up; else it has to release its slot again.
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

  /// An idle helper, or a new one.
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
      // What passes is no fault of the program.
      if error.isPassing { return .exhausted }
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
      // It may greet the next caller.
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

  /// What the helper that was started last has said of its confinement; nil = none has started.
  var confinement: HelperConfinement? { state.withLock { $0.confinement } }

  /// Starts a helper; where the system has nothing left for it again and again, for some time.
  private func start(_ path: String) throws(HelperProcess.StartFailure) -> HelperProcess {
    let end = ContinuousClock.now + Self.patience
    while true {
      do throws(HelperProcess.StartFailure) {
        let process = try HelperProcess(program: path, budget: budget)
        if niceness != 0 { _ = setpriority(Int32(PRIO_PROCESS.rawValue), id_t(process.identifier), niceness) }
        return process
      } catch {
        guard error.isPassing, ContinuousClock.now < end else { throw error }
        Waiting.pause(.milliseconds(5))
      }
    }
  }

  /// How long the system may lack what a process needs.
  static let patience: Duration = .seconds(3)

  /// Starts as many helpers as may work, unless there are some; returns at once.
  func prepare() {
    for _ in 0..<processes {
      WorkerThread.run {
        let path = self.state.withLock { state -> String? in
          guard state.idle.count + state.starting < self.processes, state.pause.mayStart(at: self.now())
          else {
            return nil
          }
          state.starting += 1
          return self.program ?? self.kind.find()
        }
        guard let path else { return }
        // One that does not start is told of when it is needed.
        let process = try? self.start(path)
        self.state.withLock { state in
          state.starting -= 1
          if let process { state.idle.append(process) }
        }
      }
    }
  }

  /// Keeps a helper that has answered everything, unless it has too much.
  func release(_ process: HelperProcess) {
    guard process.rest() else { return }
    state.withLock { $0.idle.append(process) }
  }
}

extension HelperPool {
  /// What a helper says of its own confinement, whether it may be given files or not.
  /// - Returns: nil where there is no helper.
  func askConfinement() -> HelperConfinement? {
    _ = acquireSlot()
    defer { releaseSlot() }
    if case .process(let process, _) = acquire() { release(process) }
    return confinement
  }

  /// Has a helper answer a request about an open file.
  /// - Parameters:
  ///   - maxPixels: what the pictures of the answer may have.
  ///   - isCancelled: asked every few milliseconds on the calling thread, also while it waits for its turn. A helper that
  ///     then does not answer at once is killed.
  ///   - take: what an answer means; nil for one that no honest helper gives, whose helper is killed.
  /// - Returns: nil when `isCancelled` answered true before the answer was there.
  /// - Throws: `CodecError` when there is none, or the file kills the helper or keeps it for too long.
  func ask<Value>(
    _ request: CodecRequest, _ descriptor: Int32, maxPixels: Int, deadline: Duration,
    isCancelled: () -> Bool, take: (CodecAnswer, [DecodedPicture]) -> Value?
  ) throws(CodecError) -> Value? {
    // The closure does not outlive the call; the waits it is handed to take it as an optional.
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
        // Files are open for a moment only, here as in the scan.
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
      // The fault may be an earlier file's: a new helper, or one of the few others, is asked again.
      case .died: continue
      }
    }
  }
}

/// When a program that failed to start may be started again: a few times at once, then after pauses that grow.
///
/// A value without a clock: moments are told by how long after some fixed one they are.
struct StartPause: Hashable, Sendable {
  /// Starts in a row that may fail before the first pause.
  private static let triesAtOnce = 3
  private static let shortest: Duration = .seconds(2)
  private static let longest: Duration = .seconds(300)

  /// Starts that failed, one after the other.
  private var failures = 0
  private var end: Duration?

  /// Whether there is no pause at a moment.
  func mayStart(at now: Duration) -> Bool { end.map { now >= $0 } ?? true }

  mutating func startFailed(at now: Duration) {
    failures += 1
    guard failures >= Self.triesAtOnce else { return }
    let doublings = min(failures - Self.triesAtOnce, 16)
    end = now + min(Self.longest, Self.shortest * (1 << doublings))
  }

  mutating func startSucceeded() { self = StartPause() }
}
