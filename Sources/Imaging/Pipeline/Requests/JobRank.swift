import AssetLibrary

/// The order of jobs, the most urgent one greatest.
///
/// Degraded pictures of what is in sight come before everything: dozens of them cost less than one decode.
struct JobRank: Comparable {
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
