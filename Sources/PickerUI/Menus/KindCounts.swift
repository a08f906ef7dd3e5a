package import AssetLibrary

/// The question how many photos there are of each kind, within what the caller and a search leave.
package struct KindQuery: Hashable, Sendable {
  /// nil = the whole library.
  package var collection: LocalIdentifier?
  package var options: FetchOptions
  package var mode: AccessMode

  /// The options for the photos of one kind.
  package func options(for kind: PickerFilter.Name) -> FetchOptions {
    var options = options
    options.filter = options.filter.map { .all([$0, .matching(kind)]) } ?? .matching(kind)
    return options
  }
}

/// How many photos there are of each kind.
package struct KindAnswer: Sendable {
  var query: KindQuery
  var counts: [PickerFilter.Name: Int]

  package init(query: KindQuery, counts: [PickerFilter.Name: Int]) {
    self.query = query
    self.counts = counts
  }
}

/// The numbers in the filter menu.
struct KindCounts: Sendable {
  /// nil = has to be asked again.
  private var query: KindQuery?
  private var counts: [PickerFilter.Name: Int] = [:]

  subscript(kind: PickerFilter.Name) -> Int? { counts[kind] }

  /// The counts stay until others come.
  mutating func markStale() { query = nil }

  /// - Returns: whether the question is new.
  mutating func ask(_ query: KindQuery) -> Bool {
    defer { self.query = query }
    return query != self.query
  }

  mutating func add(_ answer: KindAnswer) {
    if answer.query == query { counts = answer.counts }
  }
}
