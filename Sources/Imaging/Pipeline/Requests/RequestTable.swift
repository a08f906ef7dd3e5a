import AssetLibrary

/// The image requests under way, as a value: who waits for what, what is to be done next.
///
/// Equal requests share one piece of work; its urgency is that of its most urgent waiter; when the last
/// waiter leaves, the work is dropped before it starts or cancelled where it runs. A file that is only remote
/// is downloaded once for all works that need it. No clocks, no threads: the pipeline runs the table under a
/// lock and does what it says.
struct RequestTable: Sendable {
  var works: [ImageWork: PendingWork] = [:]
  private var workOfRequest: [ImageRequestID: ImageWork] = [:]
  var transfers: [ImageSource: ImageDownload.Progress] = [:]
  private var counter: UInt64 = 0

  init() {}

  var isEmpty: Bool { works.isEmpty }

  /// A number that no job, download or move has had.
  mutating func nextNumber() -> UInt64 {
    counter += 1
    return counter
  }

  /// Adds a waiter.
  ///
  /// - Returns: what it hears at once: that its original can't be reached, where there is nothing to wait for.
  mutating func submit(
    _ id: ImageRequestID, _ request: WorkRequest, priority: ImagePriority, source: SourceState = SourceState()
  ) -> [RequestAnswer] {
    let waiter = RequestWaiter(
      priority: priority, delivery: request.delivery, allowsNetwork: request.allowsNetwork)
    let number = nextNumber()
    var state =
      works[request.work]
      ?? PendingWork(
        asset: request.asset, pending: [.final], sequenceNumber: number, cost: source.cost)
    // It is known as well as it can be: of what is on a server more comes to be known.
    state.asset = request.asset
    state.isRemote = source.isRemote
    let mayShowThumbnail =
      source.hasThumbnail && request.delivery != .highQualityFormat && state.running?.phase != .final
    if source.isRemote, !waiter.allowsNetwork, !mayShowThumbnail {
      return [RequestAnswer(id: id, content: .unreachable, isLast: true)]
    }
    state.sequenceNumber = number
    state.waiters[id] = waiter
    if mayShowThumbnail { state.pending.insert(.degraded) }
    works[request.work] = state
    workOfRequest[id] = request.work
    return []
  }

  /// Moves a waiter; among equals the most recently moved comes first.
  mutating func setPriority(_ priority: ImagePriority, of id: ImageRequestID) {
    guard let work = workOfRequest[id] else { return }
    let number = nextNumber()
    works[work]?.waiters[id]?.priority = priority
    works[work]?.sequenceNumber = number
  }

  /// Whether there is something to do that somebody looks at.
  var hasVisibleJob: Bool { works.values.contains { $0.isReady && $0.priority >= .visible } }

  /// Whether there is prefetching to do.
  /// - Parameter pixelsLeft: final jobs that cost more don't count.
  func hasPrefetchJob(pixelsLeft: Int) -> Bool {
    works.values.contains {
      $0.isReady && ($0.nextPhase == .degraded || $0.cost <= pixelsLeft) && $0.priority < .visible
    }
  }

  /// Whether others wait for the same as this waiter.
  func isShared(_ id: ImageRequestID) -> Bool {
    workOfRequest[id].flatMap { works[$0] }.map { $0.waiters.count > 1 } ?? false
  }

  /// Removes a waiter.
  ///
  /// - Returns: whether it was waiting, and the runs to stop if it was the last to wait for them.
  mutating func cancel(_ id: ImageRequestID) -> (wasWaiting: Bool, stop: [UInt64]) {
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
  ///   - urgencies: which jobs count: visible ones, prefetching, or both.
  ///   - pixelsLeft: final jobs that cost more wait.
  mutating func nextJob(
    _ urgencies: JobUrgencies = .all, pixelsLeft: Int = .max
  ) -> ImageJob? {
    var best: (rank: JobRank, work: ImageWork)?
    for (work, state) in works where state.running == nil {
      let priority = state.priority
      guard urgencies.contains(priority >= .visible ? .visible : .prefetch),
        let phase = state.nextPhase, phase == .degraded || state.cost <= pixelsLeft
      else { continue }
      let rank = JobRank(priority: priority, phase: phase, sequenceNumber: state.sequenceNumber)
      if best.map({ $0.rank < rank }) ?? true { best = (rank, work) }
    }
    return best.flatMap { start($0.work) }
  }

  /// The final job of a waiter, now running; nil where it can't start.
  mutating func finalJob(of id: ImageRequestID) -> ImageJob? {
    guard let work = workOfRequest[id], let state = works[work], state.running == nil,
      state.pending.contains(.final), !state.isRemote
    else { return nil }
    works[work]?.pending.remove(.degraded)
    return start(work)
  }

  private mutating func start(_ work: ImageWork) -> ImageJob? {
    guard let state = works[work], let phase = state.nextPhase else { return nil }
    let job = ImageJob(
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
  mutating func finished(_ job: ImageJob, given: JobPhase?) -> [RequestAnswer] {
    guard var state = works[job.work], state.running == job else { return [] }
    state.running = nil
    let phase = given == .final ? .final : job.phase
    if phase == .final { state.pending = [] }
    var answers: [RequestAnswer] = []
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
    to waiter: RequestWaiter, _ id: ImageRequestID, _ phase: JobPhase, _ succeeded: Bool, isRemote: Bool
  ) -> [RequestAnswer] {
    if phase == .final { return [RequestAnswer(id: id, content: .outcome, isLast: true)] }
    let isStuck = isRemote && !waiter.allowsNetwork
    var answers: [RequestAnswer] = []
    if succeeded, waiter.delivery == .fastFormat {
      return [RequestAnswer(id: id, content: .outcome, isLast: true, isInCloud: isRemote)]
    }
    if succeeded, waiter.delivery == .opportunistic, !waiter.hasDegraded {
      answers.append(RequestAnswer(id: id, content: .outcome, isLast: false))
    }
    if isStuck { answers.append(RequestAnswer(id: id, content: .unreachable, isLast: true)) }
    return answers
  }

  /// Forgets the waiters that have heard their last answer.
  private mutating func dismiss(_ answers: [RequestAnswer], from work: ImageWork) -> [RequestAnswer] {
    for answer in answers where answer.isLast {
      works[work]?.waiters[answer.id] = nil
      workOfRequest[answer.id] = nil
    }
    if works[work]?.waiters.isEmpty ?? false { works[work] = nil }
    return answers.sorted { ($0.id.rawValue, $0.isLast ? 1 : 0) < ($1.id.rawValue, $1.isLast ? 1 : 0) }
  }
}

extension RequestTable {
  /// The most urgent file that is waited for and not on its way, from now on on its way; nil when there is none.
  mutating func nextDownload() -> ImageDownload? {
    let waiting = works.filter { transfers[$0.key.source] == nil && !$0.value.waitersForDownload.isEmpty }
    let first = waiting.max { a, b in
      (a.value.priority.rawValue, a.value.sequenceNumber)
        < (b.value.priority.rawValue, b.value.sequenceNumber)
    }
    guard let first else { return nil }
    let download = ImageDownload(source: first.key.source, asset: first.value.asset, run: nextNumber())
    transfers[download.source] = ImageDownload.Progress(run: download.run)
    return download
  }

  /// How far the download is that a waiter waits for; nil where there is none.
  func downloadProgress(of id: ImageRequestID) -> Double? {
    works.first { $0.value.waitersForDownload.contains(id) }.flatMap { transfers[$0.key.source]?.fraction }
  }

  /// More of a file has arrived.
  ///
  /// - Returns: whoever waits for it.
  mutating func progressed(_ download: ImageDownload, to progress: Double) -> [ImageRequestID] {
    guard transfers[download.source]?.run == download.run else { return [] }
    transfers[download.source]?.fraction = progress
    return works.filter { $0.key.source == download.source }.flatMap(\.value.waitersForDownload)
      .sorted { $0.rawValue < $1.rawValue }
  }

  /// A download has ended: what waited for it goes on, or hears that it failed.
  ///
  /// - Returns: whoever hears of a failure.
  package mutating func finished(_ download: ImageDownload, succeeded: Bool) -> [RequestAnswer] {
    guard transfers[download.source]?.run == download.run else { return [] }
    transfers[download.source] = nil
    var answers: [RequestAnswer] = []
    for (work, state) in works where work.source == download.source {
      if succeeded {
        works[work]?.isRemote = false
      } else {
        let failed = state.waitersForDownload.map { RequestAnswer(id: $0, content: .outcome, isLast: true) }
        answers += dismiss(failed, from: work)
      }
    }
    return answers
  }

  /// The download of a file that nobody waits for any more, forgotten from now on.
  private mutating func abandonedTransfer(of source: ImageSource) -> UInt64? {
    guard let transfer = transfers[source],
      !works.contains(where: { $0.key.source == source && !$0.value.waitersForDownload.isEmpty })
    else { return nil }
    transfers[source] = nil
    return transfer.run
  }
}

/// A piece of work that is not finished, and who waits for it.
struct PendingWork: Sendable {
  var asset: Asset
  var waiters: [ImageRequestID: RequestWaiter] = [:]
  var pending: Set<JobPhase> = []
  var running: ImageJob?
  /// Whether the final job has to wait for a download.
  var isRemote = false
  /// Later requests have larger numbers.
  var sequenceNumber: UInt64
  var cost: Int

  var priority: ImagePriority { waiters.values.map(\.priority).max() ?? .prefetch }

  var nextPhase: JobPhase? {
    if pending.contains(.degraded) { return .degraded }
    return pending.contains(.final) && !isRemote ? .final : nil
  }

  /// Whether a worker could do something about it.
  var isReady: Bool { running == nil && nextPhase != nil }

  /// The waiters that need the original, even if it has to be downloaded.
  var waitersForDownload: [ImageRequestID] {
    guard isRemote else { return [] }
    let mayComeWithout = pending.contains(.degraded) || running?.phase == .degraded
    return waiters.filter {
      $0.value.allowsNetwork && !($0.value.delivery == .fastFormat && mayComeWithout)
    }
    .map(\.key)
  }
}

/// The order of jobs, the most urgent one greatest.
///
/// Degraded pictures of what is in sight come before everything: dozens of them cost less than one decode.
private struct JobRank: Comparable {
  var priority: ImagePriority
  var phase: JobPhase
  var sequenceNumber: UInt64

  private var urgency: Int {
    priority >= .visible && phase == .degraded ? ImagePriority.allCases.count : priority.rawValue
  }

  static func < (a: JobRank, b: JobRank) -> Bool {
    (a.urgency, a.phase.rawValue, a.sequenceNumber) < (b.urgency, b.phase.rawValue, b.sequenceNumber)
  }
}

/// Which jobs a worker takes.
struct JobUrgencies: OptionSet, Sendable {
  let rawValue: Int

  init(rawValue: Int) { self.rawValue = rawValue }

  /// What somebody looks at: priorities from `visible` on.
  static let visible = JobUrgencies(rawValue: 1)
  /// What somebody may look at soon: priorities below `visible`.
  static let prefetch = JobUrgencies(rawValue: 2)
  static let all: JobUrgencies = [.visible, .prefetch]
}

/// A request that waits for a piece of work.
struct RequestWaiter: Sendable {
  var priority: ImagePriority
  var delivery: ImageRequestOptions.DeliveryMode
  var allowsNetwork: Bool
  /// Whether it has its degraded picture already: another waiter may make the table ask for it again.
  var hasDegraded = false
}

/// The two halves of a piece of work.
enum JobPhase: Int, Comparable, Hashable, Sendable {
  case final
  /// The picture at hand, cheap: before the final one.
  case degraded

  static func < (a: JobPhase, b: JobPhase) -> Bool { a.rawValue < b.rawValue }
}

/// What is known of the file of a request before it is opened.
struct SourceState: Hashable, Sendable {
  /// Whether its bytes have to be downloaded first.
  var isRemote: Bool
  /// Whether a picture may be at hand that is coarser than the final one.
  var hasThumbnail: Bool
  /// Pixels in memory while the final picture is made.
  var cost: Int

  init(isRemote: Bool = false, hasThumbnail: Bool = false, cost: Int = 0) {
    self.isRemote = isRemote
    self.hasThumbnail = hasThumbnail
    self.cost = cost
  }
}

/// A file to be brought here; each is a run of its own.
struct ImageDownload: Hashable, Sendable {
  var source: ImageSource
  var asset: Asset
  var run: UInt64

  static func == (a: ImageDownload, b: ImageDownload) -> Bool { a.run == b.run }
  func hash(into hasher: inout Hasher) { hasher.combine(run) }

  /// The file itself.
  var resource: AssetResource? { source.resource.map { asset.resources[$0] } }

  /// How far a download under way has come.
  struct Progress: Sendable {
    var run: UInt64
    /// From 0 to 1.
    var fraction = 0.0
  }
}
