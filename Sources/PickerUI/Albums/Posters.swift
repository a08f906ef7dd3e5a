package import AssetLibrary

/// A question for the photos that stand for some albums.
package struct PosterQuery: Hashable, Sendable {
  package var collections: [LocalIdentifier]
  /// As the albums were counted.
  package var options: FetchOptions
}

/// The photos that stand for some albums; empty ones have none.
package struct PosterAnswer: Sendable {
  var query: PosterQuery
  var posters: [LocalIdentifier: Asset]

  package init(query: PosterQuery, posters: [LocalIdentifier: Asset]) {
    self.query = query
    self.posters = posters
  }
}

/// The photos that stand for the albums, as far as they were asked for.
struct Posters: Sendable {
  private(set) var known: [LocalIdentifier: Asset] = [:]
  /// Which of them are as the library is now.
  private var fresh: Set<LocalIdentifier> = []
  private(set) var question: PosterQuery?
  private var options: FetchOptions?

  /// The library has changed: other photos may stand for the albums, which show the old ones until then.
  mutating func markStale() { fresh = [] }

  /// Forgets all where the albums are others.
  mutating func forget(unless options: FetchOptions) {
    if self.options != options { self = Posters() }
    self.options = options
  }

  /// What has to be asked for some albums; nil while an answer is awaited, or where there is nothing to ask.
  /// - Parameter isSettled: whether the library changes so seldom that what is known may be asked for again.
  mutating func ask(for collections: [LocalIdentifier], isSettled: Bool) -> PosterQuery? {
    guard question == nil, let options else { return nil }
    let wanted = collections.filter { !fresh.contains($0) && (isSettled || known[$0] == nil) }
    guard !wanted.isEmpty else { return nil }
    fresh.formUnion(wanted)
    question = PosterQuery(collections: wanted, options: options)
    return question
  }

  mutating func add(_ answer: PosterAnswer) {
    guard answer.query == question else { return }
    question = nil
    for collection in answer.query.collections { known[collection] = answer.posters[collection] }
  }
}
