import AssetLibrary
import Imaging
import SystemPackage

/// The library and image pipeline for the files of `tpick show`.
struct ShowLibrary {
  let store: any AssetStore
  let images: ImagePipeline

  init(_ files: [FilePath]) {
    store = LibraryBackend.open(files, isKept: false)
    store.waitUntilComplete()
    // Writing thumbnails is not worth the time for a single use.
    images = ImagePipeline(
      store: store, foreign: HelperDecoder(),
      thumbnails: ThumbnailCache(UserDirectories.thumbnailDirectory, keepsThumbnails: false))
  }

  /// The asset of a file; nil if it is not one.
  func asset(at path: FilePath) -> Asset? { store.asset(at: path) }

  /// Why a file is not an asset.
  func problem(with path: FilePath) -> AssetError {
    let name = String(decoding: path.bytes, as: UTF8.self)
    return AssetError(name, store.status.issues.first { $0.subject == name }?.reason ?? "not a picture")
  }
}

extension AssetStore {
  /// The asset that a file belongs to.
  func asset(at path: FilePath) -> Asset? {
    guard let identifiers = try? identifiers(at: path) else { return nil }
    var options = FetchOptions()
    options.includeHiddenAssets = true
    return assets(withLocalIdentifiers: Array(identifiers), options: options).first
  }
}
