import AssetLibrary

/// A progress report of a long-running operation.
package struct Work: Hashable, Identifiable, Sendable {
  /// What is counted.
  package enum Unit: Hashable, Sendable {
    case photos, bytes
  }

  package var id: String
  /// What is being done, such as "exporting".
  package var title: String
  package var unit: Unit
  /// The completed number of units.
  package var done: Int
  /// nil = not known yet.
  package var total: Int?
  /// The bytes that were written meanwhile, where photos are counted; 0 = not told.
  package var bytes: Int64 = 0
  /// The completed fraction from 0 to 1, where it is not that of the units.
  package var fraction: Double?
  /// Seconds since the start.
  package var elapsed: Double
  /// Whether the user can stop it.
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

  /// The completed fraction from 0 to 1; nil if unknown.
  var completedFraction: Double? {
    let ofTotal = total.flatMap { $0 > 0 ? Double(done) / Double($0) : nil }
    return (fraction ?? ofTotal).map { max(0, min(1, $0)) }
  }

  /// The estimated remaining seconds at the current rate; nil if it is too early to tell.
  var remaining: Double? {
    guard let done = completedFraction, done >= 0.02, done < 1, elapsed >= 2 else { return nil }
    return elapsed * (1 - done) / done
  }
}

extension Work {
  /// The identifier of the library scan.
  package static let reading: ID = "library"

  /// The library scan; nil if none is running.
  init?(_ library: LibraryStatus) {
    guard let progress = library.progress else { return nil }
    switch progress.phase {
    case .reading:
      self.init(
        id: Self.reading, title: "reading", done: library.assetCount, fraction: progress.fraction,
        elapsed: progress.elapsed, isStoppable: true)
    case .describing:
      self.init(
        id: Self.reading, title: "reading metadata", done: library.assetCount, fraction: progress.fraction,
        elapsed: progress.elapsed, isStoppable: true)
    }
  }
}
