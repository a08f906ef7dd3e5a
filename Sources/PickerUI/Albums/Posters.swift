package import AssetLibrary

/// A request for the poster photos of some albums.
package struct PosterQuery: Hashable, Sendable {
  package var collections: [LocalIdentifier]
  /// The options that the albums were counted with.
  package var options: FetchOptions
  package var mode = AccessMode.picking
}

/// The result of a `PosterQuery`; empty albums have no poster.
package struct PosterAnswer: Sendable {
  var query: PosterQuery
  var posters: [LocalIdentifier: Asset]

  package init(query: PosterQuery, posters: [LocalIdentifier: Asset]) {
    self.query = query
    self.posters = posters
  }
}

/// The poster photos of the albums that have been visible so far.
struct Posters: Sendable {
  private(set) var known: [LocalIdentifier: Asset] = [:]
  /// The albums whose posters are up to date or requested.
  private var fresh: Set<LocalIdentifier> = []
  private(set) var pendingQuery: PosterQuery?
  private var options: FetchOptions?

  /// Marks all posters as stale; they are still shown until new ones arrive.
  mutating func markStale() { fresh = [] }

  /// Drops all posters if the albums are counted with other options.
  mutating func forget(unless options: FetchOptions) {
    if self.options != options { self = Posters() }
    self.options = options
  }

  /// Makes the query for the missing posters of some albums; nil if there are none or a query is pending.
  /// - Parameters:
  ///   - mode: whether the posters are limited to what the client may see.
  ///   - canRefresh: whether stale posters are requested again, not only missing ones.
  mutating func makeQuery(
    for collections: [LocalIdentifier], mode: AccessMode, canRefresh: Bool
  ) -> PosterQuery? {
    guard pendingQuery == nil, let options else { return nil }
    let wanted = collections.filter { !fresh.contains($0) && (canRefresh || known[$0] == nil) }
    guard !wanted.isEmpty else { return nil }
    fresh.formUnion(wanted)
    pendingQuery = PosterQuery(collections: wanted, options: options, mode: mode)
    return pendingQuery
  }

  mutating func add(_ answer: PosterAnswer) {
    guard answer.query == pendingQuery else { return }
    pendingQuery = nil
    for collection in answer.query.collections { known[collection] = answer.posters[collection] }
  }
}
