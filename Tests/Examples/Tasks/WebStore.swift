import Foundation
import FoundationNetworking
import PhotoPicker

/// Photos of a web server, which lists them in `list.json`.
final class WebStore: NetworkAssetStore {
  /// A photo in the list.
  struct Photo: Decodable, Sendable {
    var name: String
    var year: Int
    var width: Int
    var height: Int
    var byteCount: Int64
  }

  let originals: DownloadedOriginals
  private let assets: [Asset]
  private let observers = ChangeObservers()

  /// Reads the list of a server.
  static func open(_ server: URL) async throws -> WebStore {
    let (list, _) = try await URLSession.shared.data(from: server.appending(path: "list.json"))
    return WebStore(try JSONDecoder().decode([Photo].self, from: list), on: server)
  }

  init(_ photos: [Photo], on server: URL) {
    originals = DownloadedOriginals { resource, file in
      let address = server.appending(path: resource.originalFilename)
      let (bytes, answer) = try await URLSession.shared.data(from: address)
      guard (answer as? HTTPURLResponse)?.statusCode == 200 else {
        throw AssetError(resource.originalFilename, "not on the server", code: .notFound)
      }
      try file.write(bytes)
    }
    assets = photos.map { photo in
      let size = PixelSize(width: photo.width, height: photo.height)
      var file = AssetResource(
        type: .photo, path: FilePath("/web/\(photo.name)"), uniformTypeIdentifier: "public.jpeg",
        byteCount: photo.byteCount, storedSize: size)
      // The picker marks such photos with a cloud.
      file.isLocallyAvailable = false
      return Asset(
        localIdentifier: LocalIdentifier(photo.name), mediaType: .image, pixelSize: size,
        creationDate: AssetDate(year: photo.year, month: 1, day: 1), resources: [file])
    }
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
    throw AssetError("server", "can't be changed", code: .unsupported)
  }
}
