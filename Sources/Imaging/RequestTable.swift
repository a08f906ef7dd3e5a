public import AssetLibrary

/// The image requests under way, as a value: who waits for what, what is to be done next.
///
/// Equal requests share one piece of work; its urgency is that of its most urgent waiter; when the last
/// waiter leaves, the work is dropped before it starts or cancelled where it runs. No clocks, no threads:
/// the pipeline runs the table under a lock and does what it says.
public struct RequestTable: Sendable {
  /// The two halves of a piece of work.
  public enum Phase: Int, Comparable, Hashable, Sendable {
    case final
    /// The picture at hand, cheap: before the final one.
    case degraded

    public static func < (a: Phase, b: Phase) -> Bool { a.rawValue < b.rawValue }
  }

  /// Something for a worker to do.
  public struct Job: Hashable, Sendable {
    public var work: PictureWork
    public var asset: Asset
    public var phase: Phase
    /// Different for each job: work that was dropped and asked for again is another run.
    public var run: UInt64
    /// Whether nobody looks at it yet.
    public var isBackground: Bool
  }

  private struct Waiter: Sendable {
    var priority: ImagePriority
    var delivery: ImageRequest.DeliveryMode
    /// Whether it has its degraded picture already: another waiter may make the table ask for it again.
    var hasDegraded = false
  }

  private struct Work: Sendable {
    var asset: Asset
    var waiters: [ImageRequestID: Waiter] = [:]
    var pending: Set<Phase> = []
    var running: Job?
    /// Later requests have larger numbers.
    var order: UInt64

    var priority: ImagePriority { waiters.values.map(\.priority).max() ?? .prefetch }
  }

  private var works: [PictureWork: Work] = [:]
  private var workOfRequest: [ImageRequestID: PictureWork] = [:]
  private var counter: UInt64 = 0

  public init() {}

  public var isEmpty: Bool { works.isEmpty }

  /// Adds a waiter.
  public mutating func submit(_ id: ImageRequestID, _ request: ImageRequest, priority: ImagePriority) {
    let work = PictureWork(request)
    counter += 1
    var state = works[work] ?? Work(asset: request.asset, pending: [.final], order: counter)
    state.order = counter
    state.waiters[id] = Waiter(priority: priority, delivery: request.deliveryMode)
    let hasThumbnail = request.asset.primaryResource?.thumbnail != nil
    if hasThumbnail, request.deliveryMode != .highQualityFormat, state.running?.phase != .final {
      state.pending.insert(.degraded)
    }
    works[work] = state
    workOfRequest[id] = work
  }

  /// Moves a waiter; among equals the most recently moved comes first.
  public mutating func setPriority(_ priority: ImagePriority, of id: ImageRequestID) {
    guard let work = workOfRequest[id] else { return }
    counter += 1
    works[work]?.waiters[id]?.priority = priority
    works[work]?.order = counter
  }

  /// Removes a waiter.
  /// - Returns: whether it was waiting, and the job to stop if it was the last to wait for one that runs.
  public mutating func cancel(_ id: ImageRequestID) -> (wasWaiting: Bool, stop: Job?) {
    guard let work = workOfRequest.removeValue(forKey: id), var state = works[work] else {
      return (false, nil)
    }
    state.waiters[id] = nil
    if !state.waiters.isEmpty {
      works[work] = state
      return (true, nil)
    }
    works[work] = nil
    return (true, state.running)
  }

  /// The most urgent job, now running; nil when there is none.
  ///
  /// - Parameter allowsBackground: false keeps guesses (prefetch, preheat) waiting, so that one worker is
  ///   always free for what the user looks at.
  public mutating func nextJob(allowsBackground: Bool = true) -> Job? {
    var best: (rank: Rank, job: Job)?
    for (work, state) in works where state.running == nil {
      guard allowsBackground || state.priority >= .visible else { continue }
      guard let phase = state.pending.max() else { continue }
      let rank = Rank(priority: state.priority, phase: phase, order: state.order)
      guard best.map({ $0.rank < rank }) ?? true else { continue }
      best = (
        rank,
        Job(
          work: work, asset: state.asset, phase: phase, run: counter + 1,
          isBackground: state.priority < .visible)
      )
    }
    guard let job = best?.job else { return nil }
    counter += 1
    works[job.work]?.pending.remove(job.phase)
    works[job.work]?.running = job
    return job
  }

  /// A job has ended.
  ///
  /// Whoever it answers, and whether another answer follows for them.
  /// - Parameter succeeded: whether it gave a picture.
  public mutating func finished(_ job: Job, succeeded: Bool) -> [(id: ImageRequestID, isLast: Bool)] {
    guard var state = works[job.work], state.running == job else { return [] }
    state.running = nil
    var answers: [(id: ImageRequestID, isLast: Bool)] = []
    for (id, waiter) in state.waiters {
      switch (job.phase, waiter.delivery) {
      case (.final, _):
        answers.append((id, true))
      case (.degraded, .fastFormat) where succeeded:
        answers.append((id, true))
      case (.degraded, .opportunistic) where succeeded && !waiter.hasDegraded:
        answers.append((id, false))
        state.waiters[id]?.hasDegraded = true
      case (.degraded, _):
        break
      }
    }
    for answer in answers where answer.isLast {
      state.waiters[answer.id] = nil
      workOfRequest[answer.id] = nil
    }
    works[job.work] = state.waiters.isEmpty ? nil : state
    return answers.sorted { $0.id.rawValue < $1.id.rawValue }
  }

  /// The order of jobs.
  ///
  /// Degraded pictures of what is in sight come before everything: dozens of them cost less than one decode.
  private struct Rank: Comparable {
    var priority: ImagePriority
    var phase: Phase
    var order: UInt64

    private var urgency: Int {
      priority >= .visible && phase == .degraded ? ImagePriority.allCases.count : priority.rawValue
    }

    static func < (a: Rank, b: Rank) -> Bool {
      (a.urgency, a.phase.rawValue, a.order) < (b.urgency, b.phase.rawValue, b.order)
    }
  }
}
