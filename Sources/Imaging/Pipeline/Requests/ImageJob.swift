import AssetLibrary

/// Something for a worker to do; each job is a run of its own, also of work that was asked for before.
struct ImageJob: Hashable, Sendable {
  var work: ImageWork
  var asset: Asset
  var phase: JobPhase
  var run: UInt64
  /// Whether it is prefetching.
  var isBackground: Bool
  /// Pixels in memory while it runs.
  var cost: Int

  static func == (a: ImageJob, b: ImageJob) -> Bool { a.run == b.run }
  func hash(into hasher: inout Hasher) { hasher.combine(run) }
}
