import Foundation
import PhotoPicker

/// The newest photos, once the user has granted access and the folders are read.
func newestPhotos(of library: PhotoLibrary) async -> FetchResult<Asset> {
  guard await library.manager.requestAuthorization(for: .readWrite) == .authorized else {
    return FetchResult()
  }
  await library.manager.waitUntilComplete()
  var options = FetchOptions(filter: .images)
  options.predicate = AssetPredicate.pixelWidth >= 2000
  options.sortDescriptors = [AssetSortDescriptor(key: .creationDate, ascending: false)]
  options.fetchLimit = 50
  return library.manager.fetchAssets(with: options)
}

/// Draws a degraded picture first, if there is one, then the final one.
func show(_ photo: Asset, of library: PhotoLibrary, draw: (PixelBuffer) -> Void) async throws(AssetError) {
  var options = ImageRequestOptions(deliveryMode: .opportunistic)
  options.isNetworkAccessAllowed = true
  let size = PixelSize(width: 1024, height: 768)
  let results = library.manager.images(for: photo, targetSize: size, options: options) {
    print("\($0) is here")
  }
  for await result in results {
    switch result.content {
    case .image(let picture, _, _): draw(picture)
    case .failed(let error): throw error
    case .cancelled: return
    }
  }
}

/// Whether the picture can't be drawn because its original is on a server, or for another reason.
func explain(_ photo: Asset, of library: PhotoLibrary) async -> String {
  do throws(AssetError) {
    let picture = try await library.manager.image(for: photo, targetSize: .maximum)
    return "\(picture.size)"
  } catch {
    switch error.code {
    case .networkRequired: return "only on the server"
    case .helperMissing: return "install \(error.reason)"
    case .cancelled: return "given up"
    default: return "\(error)"
    }
  }
}

/// The bytes of a GIF; nil for any other format.
func gif(_ photo: Asset, of library: PhotoLibrary) async throws(AssetError) -> [UInt8]? {
  let data = try await library.manager.imageData(for: ImageDataRequest(asset: photo))
  return data.uniformTypeIdentifier == "com.compuserve.gif" ? data.bytes : nil
}

/// Writes all files of an asset into a folder, one chunk at a time.
func export(_ asset: Asset, of library: PhotoLibrary, to folder: URL) async throws {
  for resource in asset.resources {
    let target = folder.appending(path: resource.originalFilename)
    // An existing file is never overwritten: the error names it.
    try Data().write(to: target, options: .withoutOverwriting)
    do {
      let file = try FileHandle(forWritingTo: target)
      try await library.requestData(for: resource, of: asset, isNetworkAccessAllowed: true) { chunk in
        try file.write(contentsOf: chunk)
      }
      try file.close()
    } catch {
      // Half a file would look like a whole one.
      try FileManager.default.removeItem(at: target)
      throw error
    }
  }
}

/// Prints what changes in a fetch, until the task is cancelled.
func followVideos(of library: PhotoLibrary) async {
  let options = FetchOptions(filter: .videos)
  let changes = library.changes
  var videos = library.manager.fetchAssets(with: options)
  for await change in changes where change.contains(.contents) {
    let details = library.manager.changeDetails(of: videos, in: nil, options: options)
    for video in details.removedObjects { print("gone:", video.localIdentifier) }
    for video in details.insertedObjects { print("new:", video.primaryResource?.originalFilename ?? "") }
    videos = details.fetchResultAfterChanges
  }
}

/// Marks photos as favorites, and returns how to undo that.
func markFavorites(_ photos: [Asset], of library: PhotoLibrary) async throws(AssetError) -> [AssetChange] {
  try await library.manager.performChanges(photos.map { .setFavorite($0.localIdentifier, true) })
}

/// Lets the user pick a photo or a Live Photo; the main actor continues meanwhile.
@MainActor
func pickPortrait(from library: PhotoLibrary) async throws -> [UInt8]? {
  var configuration = PickerConfiguration()
  configuration.filter = .any(of: [.images, .livePhotos])
  let picker = PhotoPicker(configuration, library: library)
  guard case .picked(let results) = try await picker.present(), let result = results.first else { return nil }
  return try await result.itemProvider.loadData(for: "public.jpeg")
}

/// Copies the picked videos; the temporary files exist during the closure only.
func copyVideos(_ results: [PickerResult], to folder: URL) async throws {
  for result in results where result.itemProvider.hasItemConformingToTypeIdentifier("public.movie") {
    try await result.itemProvider.loadFile(for: "public.movie") { path in
      let source = URL(filePath: path.string)
      try FileManager.default.copyItem(at: source, to: folder.appending(path: source.lastPathComponent))
    }
  }
}

/// The moment of a photo as Foundation's date.
func date(of photo: Asset) -> Date { Date(timeIntervalSince1970: photo.creationDate.timeIntervalSince1970) }
