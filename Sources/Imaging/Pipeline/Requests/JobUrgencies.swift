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
