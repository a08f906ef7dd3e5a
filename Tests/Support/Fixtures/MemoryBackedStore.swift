package import AssetLibrary

/// A store that forwards to a library in memory: a test's own store implements only what differs.
package protocol MemoryBackedStore: AssetStore {
  /// Answers everything that the store itself does not.
  var memory: MemoryAssetStore { get }
}

extension MemoryBackedStore {
  package func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    memory.assets(in: collection, options: options)
  }

  package func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> {
    memory.assets(withLocalIdentifiers: identifiers, options: options)
  }

  package func collections(
    of types: CollectionTypes, options: FetchOptions
  ) -> FetchResult<AssetCollection> {
    memory.collections(of: types, options: options)
  }

  package func collectionLists(options: FetchOptions) -> FetchResult<CollectionList> {
    memory.collectionLists(options: options)
  }

  package func searchTexts(
    in fields: SearchFields, beginningWith prefix: String, collection: LocalIdentifier?, options: FetchOptions
  ) -> [SearchText] {
    memory.searchTexts(in: fields, beginningWith: prefix, collection: collection, options: options)
  }

  package var userAlbums: UserAlbums { memory.userAlbums }

  package func perform(_ changes: [AssetChange]) throws(AssetError) -> [AssetChange] {
    try memory.perform(changes)
  }

  package var status: LibraryStatus { memory.status }

  @discardableResult
  package func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    memory.observeChanges(handler)
  }

  package func stopObserving(_ observer: ObserverID) { memory.stopObserving(observer) }

  package func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    try memory.reader(for: resource)
  }

  package func isLocal(_ resource: AssetResource) -> Bool { memory.isLocal(resource) }

  package func download(
    _ resource: AssetResource, progress: (Double) -> DownloadDecision
  ) throws(AssetError) {
    try memory.download(resource, progress: progress)
  }

  package func details(of asset: Asset) throws(AssetError) -> AssetDetails { try memory.details(of: asset) }
}

/// An image manager that makes no pictures.
package struct NoImages: ImageManager {
  package init() {}

  package func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID { ImageRequestID(rawValue: 0) }

  package func requestImageData(
    _ request: ImageDataRequest, progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageDataResult) -> Void
  ) -> ImageRequestID { ImageRequestID(rawValue: 0) }

  package func frames(
    of request: FrameRequest, cancellation: Cancellation
  ) throws(AssetError) -> any FrameReader {
    throw AssetError(request.asset.localIdentifier.rawValue, "can't be played")
  }

  package func setPriority(_ priority: ImagePriority, of request: ImageRequestID) {}

  package func cancelImageRequest(_ request: ImageRequestID) {}
}
