package import AssetLibrary

/// A request for the assets to show, performed by the host.
package struct FetchQuery: Hashable, Sendable {
  /// Increases with every query: results of earlier ones are stale.
  package var generation: Int
  /// The collection to fetch; nil = the whole library.
  package var collection: LocalIdentifier?
  package var options: FetchOptions
  package var mode = AccessMode.picking
  /// The picked assets; the result says which of them have vanished.
  package var selected: [LocalIdentifier] = []
  /// The preselected assets that were not found yet.
  package var preselected: [LocalIdentifier] = []
  /// The options to count albums with, if albums are requested too; their result follows separately.
  package var albums: FetchOptions?
  /// The options to count what the search of an album would find in all photos, if that is asked; the number follows
  /// separately.
  package var everywhere: FetchOptions?

  /// The query in place of an earlier one that is obsolete.
  ///
  /// It takes over the request for albums.
  package func replacing(_ earlier: FetchQuery?) -> FetchQuery {
    var query = self
    if query.albums == nil { query.albums = earlier?.albums }
    return query
  }
}
