/// What of its confinement is in force in a helper, as it says before it is given a file.
package struct HelperConfinement: Hashable, Sendable {
  /// Whether the kernel filters its system calls (seccomp(2)).
  package var hasFilter: Bool
  /// The version of Landlock that closes files, ports and other processes to it (landlock(7)); 0 = none.
  package var landlock: Int32

  package init(hasFilter: Bool, landlock: Int32) {
    self.hasFilter = hasFilter
    self.landlock = landlock
  }

  /// Whether it may be given files: the filter alone leaves a helper that was taken over nothing to reach for.
  package var isConfined: Bool { hasFilter }
}

extension HelperConfinement {
  /// Words for a report.
  package var words: String {
    guard hasFilter || landlock > 0 else { return "not confined" }
    return (hasFilter ? "seccomp" : "no seccomp") + ", "
      + (landlock > 0 ? "Landlock \(landlock)" : "no Landlock")
  }

  func write(to wire: inout WireWriter) {
    wire.put(hasFilter)
    wire.put(landlock)
  }

  init(from wire: inout WireReader) throws(WireError) {
    hasFilter = try wire.bool()
    landlock = try wire.integer()
  }
}
