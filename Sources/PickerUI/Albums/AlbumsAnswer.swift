package import AssetLibrary

/// The collections, with counts under the given options.
package struct AlbumsAnswer: Sendable {
  package var options: FetchOptions
  package var collections: FetchResult<AssetCollection>
  /// The folders that contain folders.
  package var lists: FetchResult<CollectionList>
  /// The moments, newest first.
  package var moments: FetchResult<AssetCollection>

  package init(
    options: FetchOptions, collections: FetchResult<AssetCollection>,
    lists: FetchResult<CollectionList> = FetchResult(),
    moments: FetchResult<AssetCollection> = FetchResult()
  ) {
    self.options = options
    self.collections = collections
    self.lists = lists
    self.moments = moments
  }
}
