/// Which jobs a worker takes.
package struct JobUrgencies: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// What somebody looks at: priorities from `visible` on.
  package static let visible = JobUrgencies(rawValue: 1)
  /// What somebody may look at soon: priorities below `visible`.
  package static let prefetch = JobUrgencies(rawValue: 2)
  package static let all: JobUrgencies = [.visible, .prefetch]
}
