import AssetLibrary

/// The pending image requests as a value type: which request waits for which work, and which job is next.
///
/// Equal requests share their work, whose urgency is that of the most urgent request. When the last request
/// is cancelled, the work is removed from the queue or stopped. A remote file is downloaded once for all
/// works that need it. The table uses no clocks and no threads: the pipeline calls it under a lock and
/// executes its decisions.
struct RequestTable: Sendable {
  var works: [ImageWork: PendingWork] = [:]
  private var workOfRequest: [ImageRequestID: ImageWork] = [:]
  var transfers: [ImageSource: ImageDownload.Progress] = [:]
  private var counter: UInt64 = 0

  init() {}

  var isEmpty: Bool { works.isEmpty }

  /// Returns a number that no job, download or priority change has used.
  mutating func nextNumber() -> UInt64 {
    counter += 1
    return counter
  }

  /// Adds a request.
  ///
  /// - Returns: immediate results: `unreachable` if the original is remote and there is nothing to wait for.
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
    // Keep the asset of the latest request, which has the most metadata: that of remote files arrives
    // gradually.
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

  /// Changes the priority of a request; among equals, the most recently changed comes first.
  mutating func setPriority(_ priority: ImagePriority, of id: ImageRequestID) {
    guard let work = workOfRequest[id] else { return }
    let number = nextNumber()
    works[work]?.waiters[id]?.priority = priority
    works[work]?.sequenceNumber = number
  }

  /// Whether a visible job can start.
  var hasVisibleJob: Bool { works.values.contains { $0.isReady && $0.priority >= .visible } }

  /// Whether a prefetch job can start.
  /// - Parameter pixelsLeft: the maximum cost of final jobs.
  func hasPrefetchJob(pixelsLeft: Int) -> Bool {
    works.values.contains {
      $0.isReady && ($0.nextPhase == .degraded || $0.cost <= pixelsLeft) && $0.priority < .visible
    }
  }

  /// Whether other requests wait for the same work as this one.
  func isShared(_ id: ImageRequestID) -> Bool {
    workOfRequest[id].flatMap { works[$0] }.map { $0.waiters.count > 1 } ?? false
  }

  /// Removes a request.
  ///
  /// - Returns: whether it was waiting, and the numbers of jobs and downloads to stop because no other
  ///   request needs them.
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

  /// Starts the most urgent job; nil if there is none.
  ///
  /// - Parameters:
  ///   - urgencies: which jobs to consider: visible ones, prefetching, or both.
  ///   - pixelsLeft: the maximum cost of final jobs.
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

  /// Starts the final job of a request; nil if it can't start.
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

  /// Records that a job has finished.
  ///
  /// - Parameter given: the phase of the job's outcome; nil = no outcome. It may be `final` although the job
  ///   searched for a degraded image.
  /// - Returns: the results to deliver.
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

  /// Returns the results for one request when a phase of its work has finished.
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

  /// Removes the requests whose last result is delivered.
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
  /// Starts the most urgent download that requests wait for; nil if there is none.
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

  /// Returns the progress of the download that a request waits for; nil if there is none.
  func downloadProgress(of id: ImageRequestID) -> Double? {
    works.first { $0.value.waitersForDownload.contains(id) }.flatMap { transfers[$0.key.source]?.fraction }
  }

  /// Records the progress of a download.
  ///
  /// - Returns: the requests that wait for it.
  mutating func progressed(_ download: ImageDownload, to progress: Double) -> [ImageRequestID] {
    guard transfers[download.source]?.run == download.run else { return [] }
    transfers[download.source]?.fraction = progress
    return works.filter { $0.key.source == download.source }.flatMap(\.value.waitersForDownload)
      .sorted { $0.rawValue < $1.rawValue }
  }

  /// Records that a download has finished: its jobs can start, or its requests fail.
  ///
  /// - Returns: the results of failed requests.
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

  /// Removes the download of a file that no request waits for anymore, and returns its number.
  private mutating func abandonedTransfer(of source: ImageSource) -> UInt64? {
    guard let transfer = transfers[source],
      !works.contains(where: { $0.key.source == source && !$0.value.waitersForDownload.isEmpty })
    else { return nil }
    transfers[source] = nil
    return transfer.run
  }
}

/// Unfinished work, and the requests that wait for it.
struct PendingWork: Sendable {
  var asset: Asset
  var waiters: [ImageRequestID: RequestWaiter] = [:]
  var pending: Set<JobPhase> = []
  var running: ImageJob?
  /// Whether the final job has to wait for a download.
  var isRemote = false
  /// Later requests have greater numbers.
  var sequenceNumber: UInt64
  var cost: Int

  var priority: ImagePriority { waiters.values.map(\.priority).max() ?? .prefetch }

  var nextPhase: JobPhase? {
    if pending.contains(.degraded) { return .degraded }
    return pending.contains(.final) && !isRemote ? .final : nil
  }

  /// Whether a worker could start a job.
  var isReady: Bool { running == nil && nextPhase != nil }

  /// The requests that need the original, even if it must be downloaded.
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
/// Degraded visible images come first: dozens of them cost less than one decode.
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

/// The kinds of jobs that a worker takes.
struct JobUrgencies: OptionSet, Sendable {
  let rawValue: Int

  init(rawValue: Int) { self.rawValue = rawValue }

  /// Visible images: priorities from `visible` up.
  static let visible = JobUrgencies(rawValue: 1)
  /// Images that may become visible soon: priorities below `visible`.
  static let prefetch = JobUrgencies(rawValue: 2)
  static let all: JobUrgencies = [.visible, .prefetch]
}

/// A request that waits for work.
struct RequestWaiter: Sendable {
  var priority: ImagePriority
  var delivery: ImageRequestOptions.DeliveryMode
  var allowsNetwork: Bool
  /// Whether its degraded image was delivered; another request may cause the job to run again.
  var hasDegraded = false
}

/// The two phases of work.
enum JobPhase: Int, Comparable, Hashable, Sendable {
  case final
  /// A quickly available image, before the final one.
  case degraded

  static func < (a: JobPhase, b: JobPhase) -> Bool { a.rawValue < b.rawValue }
}

/// What is known about a request's file before it is opened.
struct SourceState: Hashable, Sendable {
  /// Whether the bytes must be downloaded first.
  var isRemote: Bool
  /// Whether a degraded image may be available.
  var hasThumbnail: Bool
  /// The number of pixels in memory while the final image is made.
  var cost: Int

  init(isRemote: Bool = false, hasThumbnail: Bool = false, cost: Int = 0) {
    self.isRemote = isRemote
    self.hasThumbnail = hasThumbnail
    self.cost = cost
  }
}

/// A download of a file.
///
/// Every download has a new number.
struct ImageDownload: Hashable, Sendable {
  var source: ImageSource
  var asset: Asset
  var run: UInt64

  static func == (a: ImageDownload, b: ImageDownload) -> Bool { a.run == b.run }
  func hash(into hasher: inout Hasher) { hasher.combine(run) }

  /// The file to download.
  var resource: AssetResource? { source.resource.map { asset.resources[$0] } }

  /// The progress of a running download.
  struct Progress: Sendable {
    var run: UInt64
    /// The downloaded fraction, from 0 to 1.
    var fraction = 0.0
  }
}
