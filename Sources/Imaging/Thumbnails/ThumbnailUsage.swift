import Pixels

/// How many thumbnails there are, and what they take up.
package struct ThumbnailUsage: Hashable, Sendable {
  /// A number of files and their bytes.
  package struct Tally: Hashable, Sendable {
    package var files = 0
    package var bytes = 0

    mutating func add(_ bytes: Int) {
      files += 1
      self.bytes = self.bytes.addingSaturated(max(0, bytes))
    }
  }

  /// Those of every program, ours among them.
  package var all = Tally()
  /// Those that tpick wrote.
  package var own = Tally()
  /// What tpick remembers not to be able to show.
  package var failures = Tally()
}
