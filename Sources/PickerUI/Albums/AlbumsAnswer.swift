package import AssetLibrary

/// The collections, counted as a query asked.
package struct AlbumsAnswer: Sendable {
  package var collections: FetchResult<AssetCollection>
  /// The folders that contain folders.
  package var lists: FetchResult<CollectionList>
  /// The moments, newest first.
  package var moments: FetchResult<AssetCollection>

  package init(
    collections: FetchResult<AssetCollection>,
    lists: FetchResult<CollectionList> = FetchResult(),
    moments: FetchResult<AssetCollection> = FetchResult()
  ) {
    self.collections = collections
    self.lists = lists
    self.moments = moments
  }
}
