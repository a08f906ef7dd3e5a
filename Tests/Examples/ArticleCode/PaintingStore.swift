import AssetLibrary
import PhotoPicker

/// A library of pictures in memory, one JPEG each.
final class PaintingStore: AssetStore {
  private let assets: [Asset]
  private let files: [FilePath: [UInt8]]
  private let observers = ChangeObservers()

  /// - Parameter paintings: their names, when they were painted, their sizes in pixels and their bytes.
  init(_ paintings: [(name: String, date: AssetDate, size: PixelSize, jpeg: [UInt8])]) {
    var files: [FilePath: [UInt8]] = [:]
    assets = paintings.map { painting in
      let path = FilePath("/paintings/\(painting.name).jpg")
      files[path] = painting.jpeg
      let resource = AssetResource(
        type: .photo, path: path, uniformTypeIdentifier: "public.jpeg", byteCount: Int64(painting.jpeg.count),
        storedSize: painting.size)
      return Asset(
        localIdentifier: LocalIdentifier(painting.name), mediaType: .image, pixelSize: painting.size,
        creationDate: painting.date, resources: [resource])
    }
    self.files = files
  }

  func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    guard collection == nil || collection == AssetCollection.recents else { return FetchResult() }
    let found = assets.filter { options.admits($0) }.sorted(by: options.areInIncreasingOrder)
    return FetchResult(options.limited(found))
  }

  func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> {
    let found = identifiers.compactMap { identifier in assets.first { $0.id == identifier } }
    return FetchResult(options.limited(found.filter { options.admits($0) }))
  }

  func collections(of types: CollectionTypes, options: FetchOptions) -> FetchResult<AssetCollection> {
    guard types.contains(.smartAlbum), !assets.isEmpty else { return FetchResult() }
    return FetchResult([AssetCollection(.recents, estimatedAssetCount: assets.count)])
  }

  func collectionLists(options: FetchOptions) -> FetchResult<CollectionList> { FetchResult() }

  var status: LibraryStatus { LibraryStatus(isComplete: true, assetCount: assets.count) }

  func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    observers.add(handler)
  }

  func stopObserving(_ observer: ObserverID) { observers.remove(observer) }

  func perform(_ changes: [AssetChange]) throws(AssetError) -> [AssetChange] {
    throw AssetError("paintings", "can't be changed")
  }

  func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    guard let bytes = files[resource.path] else { throw AssetError(resource.path.string, "no such painting") }
    return PaintingReader(bytes: bytes)
  }

  // All bytes are in memory.
  func isLocal(_ resource: AssetResource) -> Bool { true }

  func details(of asset: Asset) throws(AssetError) -> AssetDetails { AssetDetails() }
}

/// The bytes of a painting.
struct PaintingReader: ResourceReader {
  let bytes: [UInt8]

  var count: Int { bytes.count }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    let part = bytes.dropFirst(offset).prefix(buffer.count)
    buffer.copyBytes(from: part)
    return part.count
  }
}

/// Shows the paintings in the picker.
func pick(from store: PaintingStore) throws(PhotoPickerError) -> PhotoPicker.Outcome {
  try PhotoPicker(library: PhotoLibrary(store)).present()
}
