import AssetLibrary
import Imaging
import SystemPackage

/// The files that `tpick show` was given, as a library, with what makes pictures of them.
struct ShowLibrary {
  let store: any AssetStore
  let images: ImagePipeline

  init(_ files: [FilePath]) {
    store = LibraryBackend.open(files, isKept: false)
    store.waitUntilComplete()
    // A single look is not worth the time to keep thumbnails for another.
    images = ImagePipeline(
      store: store, foreign: HelperDecoder(),
      thumbnails: ThumbnailCache(UserDirectories.thumbnailDirectory, keepsThumbnails: false))
  }

  /// The asset of a file that was named; nil where it is none.
  func asset(at path: FilePath) -> Asset? { store.asset(at: path) }

  /// Why a file that was named is no asset.
  func problem(with path: FilePath) -> AssetError {
    let name = String(decoding: path.bytes, as: UTF8.self)
    return AssetError(name, store.status.issues.first { $0.subject == name }?.reason ?? "not a picture")
  }
}

extension AssetStore {
  /// The asset of a file that was named.
  func asset(at path: FilePath) -> Asset? {
    guard let identifiers = try? identifiers(at: path) else { return nil }
    var options = FetchOptions()
    options.includeHiddenAssets = true
    return assets(withLocalIdentifiers: Array(identifiers), options: options).first
  }
}
