package import AssetLibrary

/// Something for a worker to do; each job is a run of its own, also of work that was asked for before.
package struct ImageJob: Hashable, Sendable {
  package var work: ImageWork
  package var asset: Asset
  package var phase: JobPhase
  package var run: UInt64
  /// Whether it is prefetching.
  package var isBackground: Bool
  /// Pixels in memory while it runs.
  package var cost: Int

  package static func == (a: ImageJob, b: ImageJob) -> Bool { a.run == b.run }
  package func hash(into hasher: inout Hasher) { hasher.combine(run) }
}
