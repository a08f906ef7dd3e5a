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

  /// The assets of files; nil for those that are none.
  func assets(at paths: [FilePath]) -> [Asset?] {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let identifiers = store.identifiers(at: paths).map { (try? $0.get())?.first }
    let found = store.assets(withLocalIdentifiers: identifiers.compactMap { $0 }, options: options)
    let assets = Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return identifiers.map { $0.flatMap { assets[$0] } }
  }

  /// Why a file is not an asset.
  func problem(with path: FilePath) -> AssetError {
    let name = String(decoding: path.bytes, as: UTF8.self)
    return AssetError(name, store.status.issues.first { $0.subject == name }?.reason ?? "not a picture")
  }
}
