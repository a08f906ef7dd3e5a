import AssetLibrary

/// Something that takes long, as whoever does it tells of it: what it is, how far it has come, since when.
package struct Work: Hashable, Identifiable, Sendable {
  /// What is counted.
  package enum Unit: Hashable, Sendable {
    case photos, bytes
  }

  package var id: String
  /// What is being done, as "exporting".
  package var title: String
  package var unit: Unit
  package var done: Int
  /// nil = nobody knows yet.
  package var total: Int?
  /// How much is done, from 0 to 1, where no total tells it.
  package var fraction: Double?
  /// Seconds since it began.
  package var elapsed: Double
  /// Whether it makes sense to give it up.
  package var isStoppable: Bool

  package init(
    id: String, title: String, unit: Unit = .photos, done: Int = 0, total: Int? = nil,
    fraction: Double? = nil, elapsed: Double = 0, isStoppable: Bool = false
  ) {
    self.id = id
    self.title = title
    self.unit = unit
    self.done = done
    self.total = total
    self.fraction = fraction
    self.elapsed = elapsed
    self.isStoppable = isStoppable
  }

  /// How much is done, from 0 to 1; nil where that can't be told.
  var share: Double? {
    if let total, total > 0 { return max(0, min(1, Double(done) / Double(total))) }
    return fraction.map { max(0, min(1, $0)) }
  }

  /// Seconds that it will still take if it goes on as before; nil where it is too early to tell.
  var remaining: Double? {
    guard let share, share >= 0.02, share < 1, elapsed >= 2 else { return nil }
    return elapsed * (1 - share) / share
  }
}

extension Work {
  /// What the reading of the library is called.
  package static let reading: ID = "library"

  /// The reading of a library.
  init?(_ library: LibraryStatus) {
    guard let progress = library.progress else { return nil }
    switch progress.phase {
    case .reading:
      self.init(
        id: Self.reading, title: "reading", done: library.assetCount, fraction: progress.fraction,
        elapsed: progress.elapsed, isStoppable: true)
    case .describing:
      self.init(
        id: Self.reading, title: "looking into files", done: library.assetCount, fraction: progress.fraction,
        elapsed: progress.elapsed, isStoppable: true)
    }
  }
}
