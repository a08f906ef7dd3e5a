package import AssetLibrary

/// The albums, as they were counted with some options.
package struct AlbumsAnswer: Sendable {
  package var options: FetchOptions
  package var collections: FetchResult<AssetCollection>
  package var lists: FetchResult<CollectionList>
  /// The newest first.
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
