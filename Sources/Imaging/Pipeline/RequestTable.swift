package import AssetLibrary

/// The image requests under way, as a value: who waits for what, what is to be done next.
///
/// Equal requests share one piece of work; its urgency is that of its most urgent waiter; when the last
/// waiter leaves, the work is dropped before it starts or cancelled where it runs. A file that is only remote
/// is downloaded once for all works that need it. No clocks, no threads: the pipeline runs the table under a
/// lock and does what it says.
package struct RequestTable: Sendable {
  var works: [ImageWork: Work] = [:]
  private var workOfRequest: [ImageRequestID: ImageWork] = [:]
  var transfers: [ImageSource: Transfer] = [:]
  private var counter: UInt64 = 0

  package init() {}

  package var isEmpty: Bool { works.isEmpty }

  /// A number that no job, download or move has had.
  mutating func nextNumber() -> UInt64 {
    counter += 1
    return counter
  }

  /// Adds a waiter.
  ///
  /// - Returns: what it hears at once: that its original can't be reached, where there is nothing to wait for.
  package mutating func submit(
    _ id: ImageRequestID, _ order: Order, priority: ImagePriority, situation: Situation = Situation()
  ) -> [Answer] {
    let waiter = Waiter(priority: priority, delivery: order.delivery, allowsNetwork: order.allowsNetwork)
    let number = nextNumber()
    var state =
      works[order.work]
      ?? Work(asset: order.asset, pending: [.final], order: number, cost: situation.cost)
    state.isRemote = situation.isRemote
    let mayShowThumbnail =
      situation.hasThumbnail && order.delivery != .highQualityFormat && state.running?.phase != .final
    if situation.isRemote, !waiter.allowsNetwork, !mayShowThumbnail {
      return [Answer(id: id, content: .unreachable, isLast: true)]
    }
    state.order = number
    state.waiters[id] = waiter
    if mayShowThumbnail { state.pending.insert(.degraded) }
    works[order.work] = state
    workOfRequest[id] = order.work
    return []
  }

  /// Moves a waiter; among equals the most recently moved comes first.
  package mutating func setPriority(_ priority: ImagePriority, of id: ImageRequestID) {
    guard let work = workOfRequest[id] else { return }
    let number = nextNumber()
    works[work]?.waiters[id]?.priority = priority
    works[work]?.order = number
  }

  /// Whether there is something to do that somebody looks at.
  package var hasJob: Bool { works.values.contains { $0.isReady && $0.priority >= .visible } }

  /// Whether there is something to do that nobody looks at yet.
  /// - Parameter pixelsLeft: final jobs that cost more don't count.
  func hasGuess(pixelsLeft: Int) -> Bool {
    works.values.contains {
      $0.isReady && ($0.nextPhase == .degraded || $0.cost <= pixelsLeft) && $0.priority < .visible
    }
  }

  /// Whether others wait for the same as this waiter.
  package func isShared(_ id: ImageRequestID) -> Bool {
    workOfRequest[id].flatMap { works[$0] }.map { $0.waiters.count > 1 } ?? false
  }

  /// Removes a waiter.
  ///
  /// - Returns: whether it was waiting, and the runs to stop if it was the last to wait for them.
  package mutating func cancel(_ id: ImageRequestID) -> (wasWaiting: Bool, stop: [UInt64]) {
    guard let work = workOfRequest.removeValue(forKey: id), var state = works[work] else {
      return (false, [])
    }
    state.waiters[id] = nil
    works[work] = state.waiters.isEmpty ? nil : state
    var stop: [UInt64] = []
    if state.waiters.isEmpty, let running = state.running { stop.append(running.run) }
    if let transfer = abandonedTransfer(of: work.source) { stop.append(transfer) }
    return (true, stop)
  }

  /// The most urgent job, now running; nil when there is none.
  ///
  /// - Parameters:
  ///   - urgencies: which jobs count: those that somebody looks at, guesses (prefetch, preheat), or both.
  ///   - pixelsLeft: final jobs that cost more wait.
  package mutating func nextJob(
    _ urgencies: Urgencies = .all, pixelsLeft: Int = .max
  ) -> Job? {
    var best: (rank: Rank, work: ImageWork)?
    for (work, state) in works where state.running == nil {
      let priority = state.priority
      guard urgencies.contains(priority >= .visible ? .inSight : .guesses),
        let phase = state.nextPhase, phase == .degraded || state.cost <= pixelsLeft
      else { continue }
      let rank = Rank(priority: priority, phase: phase, order: state.order)
      if best.map({ $0.rank < rank }) ?? true { best = (rank, work) }
    }
    return best.flatMap { start($0.work) }
  }

  /// The final job of a waiter, now running; nil where it can't start.
  package mutating func finalJob(of id: ImageRequestID) -> Job? {
    guard let work = workOfRequest[id], let state = works[work], state.running == nil,
      state.pending.contains(.final), !state.isRemote
    else { return nil }
    works[work]?.pending.remove(.degraded)
    return start(work)
  }

  private mutating func start(_ work: ImageWork) -> Job? {
    guard let state = works[work], let phase = state.nextPhase else { return nil }
    let job = Job(
      work: work, asset: state.asset, phase: phase, run: nextNumber(),
      isBackground: state.priority < .visible, cost: phase == .final ? state.cost : 0)
    works[work]?.pending.remove(phase)
    works[work]?.running = job
    return job
  }

  /// A job has ended.
  ///
  /// - Parameter given: what it gave; nil = nothing. Where the final picture was at hand, that is what looking
  ///   for a degraded one gives.
  /// - Returns: whoever it answers.
  package mutating func finished(_ job: Job, given: Phase?) -> [Answer] {
    guard var state = works[job.work], state.running == job else { return [] }
    state.running = nil
    let phase = given == .final ? .final : job.phase
    if phase == .final { state.pending = [] }
    var answers: [Answer] = []
    for (id, waiter) in state.waiters {
      let heard = Self.answers(to: waiter, id, phase, given != nil, isRemote: state.isRemote)
      if heard.contains(where: { $0.content == .outcome && !$0.isLast }) {
        state.waiters[id]?.hasDegraded = true
      }
      answers += heard
    }
    works[job.work] = state
    return dismiss(answers, from: job.work)
  }

  /// What a waiter hears when a phase of its work has ended.
  private static func answers(
    to waiter: Waiter, _ id: ImageRequestID, _ phase: Phase, _ succeeded: Bool, isRemote: Bool
  ) -> [Answer] {
    if phase == .final { return [Answer(id: id, content: .outcome, isLast: true)] }
    let isStuck = isRemote && !waiter.allowsNetwork
    var answers: [Answer] = []
    if succeeded, waiter.delivery == .fastFormat {
      return [Answer(id: id, content: .outcome, isLast: true, isInCloud: isRemote)]
    }
    if succeeded, waiter.delivery == .opportunistic, !waiter.hasDegraded {
      answers.append(Answer(id: id, content: .outcome, isLast: false))
    }
    if isStuck { answers.append(Answer(id: id, content: .unreachable, isLast: true)) }
    return answers
  }

  /// Forgets the waiters that have heard their last answer.
  mutating func dismiss(_ answers: [Answer], from work: ImageWork) -> [Answer] {
    for answer in answers where answer.isLast {
      works[work]?.waiters[answer.id] = nil
      workOfRequest[answer.id] = nil
    }
    if works[work]?.waiters.isEmpty ?? false { works[work] = nil }
    return answers.sorted { ($0.id.rawValue, $0.isLast ? 1 : 0) < ($1.id.rawValue, $1.isLast ? 1 : 0) }
  }
}
