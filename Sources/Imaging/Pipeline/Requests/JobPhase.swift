/// The two halves of a piece of work.
enum JobPhase: Int, Comparable, Hashable, Sendable {
  case final
  /// The picture at hand, cheap: before the final one.
  case degraded

  static func < (a: JobPhase, b: JobPhase) -> Bool { a.rawValue < b.rawValue }
}
