import AssetLibrary

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
