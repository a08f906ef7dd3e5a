package import AssetLibrary

/// A question to the library.
package struct FetchQuery: Hashable, Sendable {
  /// Later questions have larger numbers: answers to earlier ones are stale.
  package var generation: Int
  package var collection: LocalIdentifier?
  package var options: FetchOptions
  /// What is picked: the answer says which of it is gone.
  package var selected: [LocalIdentifier] = []
  /// What the caller has selected and has not been found yet.
  package var preselected: [LocalIdentifier] = []
  /// How albums are counted, where they are asked for as well; their answer follows.
  package var albums: FetchOptions?

  /// The same in the place of one that nobody waits for any more.
  ///
  /// Albums that were to be counted with that one are counted with this one.
  package func replacing(_ earlier: FetchQuery?) -> FetchQuery {
    var query = self
    if query.albums == nil { query.albums = earlier?.albums }
    return query
  }
}
