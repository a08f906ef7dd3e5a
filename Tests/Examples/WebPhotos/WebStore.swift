import Foundation
import FoundationNetworking
import PhotoPicker

/// The photos that a web API lists; their files stay on the server until a request allows to download them.
final class WebStore: NetworkAssetStore {
  /// A photo as the API describes it.
  private struct Photo: Decodable {
    let name: String
    /// Seconds since 1970.
    let taken: Double
    let width: Int
    let height: Int
    let bytes: Int64
    let address: URL
  }

  let originals: DownloadedOriginals
  private let assets: [Asset]
  private let observers = ChangeObservers()

  /// Fetches the list.
  init(list: URL) async throws {
    let photos = try JSONDecoder().decode([Photo].self, from: try await Self.contents(of: list))
    var addresses: [FilePath: URL] = [:]
    assets = photos.map { photo in
      // A path is only a name here.
      let path = FilePath("/web/\(photo.name)")
      addresses[path] = photo.address
      let size = PixelSize(width: photo.width, height: photo.height)
      var file = AssetResource(
        type: .photo, path: path, uniformTypeIdentifier: "public.jpeg", byteCount: photo.bytes,
        storedSize: size)
      // The picker marks such photos with a cloud.
      file.isLocallyAvailable = false
      return Asset(
        localIdentifier: LocalIdentifier(photo.name), mediaType: .image, pixelSize: size,
        creationDate: AssetDate(timeIntervalSince1970: photo.taken), resources: [file])
    }
    originals = DownloadedOriginals { [addresses] resource, file in
      guard let address = addresses[resource.path] else {
        throw AssetError(resource.originalFilename, "not in the list", code: .notFound)
      }
      try file.write(try await Self.contents(of: address))
    }
  }

  private static func contents(of address: URL) async throws -> Data {
    let (data, response) = try await URLSession.shared.data(from: address)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { throw AssetError(address.absoluteString, "the server answered \(status)") }
    return data
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
    throw AssetError("the web album", "can't be changed", code: .unsupported)
  }
}
