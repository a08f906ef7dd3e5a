import Foundation
import PhotoPicker

/// `Tasks PHOTOS VIDEOS SERVER`: what a new user of the library tries first, the same on the first run and on later ones.
@main
struct Tasks {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 4 else { fail("usage: Tasks PHOTOS VIDEOS SERVER") }
    do {
      try await run(FilePath(arguments[1]), FilePath(arguments[2]), arguments[3])
    } catch {
      fail("\(error)")
    }
  }

  static func run(_ photos: FilePath, _ videos: FilePath, _ server: String) async throws {
    let library = try PhotoLibrary(folders: [photos])
    let newest = await newestPhotos(of: library)
    print("newest:", newest.count)
    print("prepared while scrolling:", try await scroll(through: newest, of: library))
    print("allowed:", try await allowedPhotos(in: photos).count)
    print("on the main actor:", try await Wall().draw(newest, of: library))
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { removeAll(folder) }
    print("copied:", try await copyNewest(of: library, to: folder))
    print("videos:", try await exportVideos(of: try PhotoLibrary(folders: [videos]), to: folder))
    if let size = try await remotePhoto(in: [server, videos.string]) { print("on the server: \(size)") }
  }

  static func removeAll(_ folder: URL) {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      fail("\(error)")
    }
  }

  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("Tasks: \(message)\n".utf8))
    exit(1)
  }
}

/// Authorize and fetch.
func newestPhotos(of library: PhotoLibrary) async -> FetchResult<Asset> {
  guard await library.manager.requestAuthorization(for: .readWrite) == .authorized else {
    return FetchResult()
  }
  await library.manager.waitUntilComplete()
  var options = FetchOptions(filter: .images, sort: .newest)
  options.fetchLimit = 12
  return library.manager.fetchAssets(with: options)
}

/// Prefetch while scrolling.
func scroll(through photos: FetchResult<Asset>, of library: PhotoLibrary) async throws -> Int {
  var window = ThumbnailWindow(photos, of: library, size: PixelSize(width: 64, height: 64))
  var count = 0
  for start in stride(from: 0, to: photos.count, by: 4) {
    let visible = start..<min(start + 4, photos.count)
    window.scroll(to: visible)
    for index in visible where try await !window.thumbnail(at: index).size.isEmpty { count += 1 }
  }
  return count
}

/// Grants access to chosen photos, without a question on a screen.
struct ChosenPhotos: ConsentPresenter {
  func decision(for request: ConsentRequest) async -> ConsentDecision? { .selectPhotos }
}

/// Limited access: the user is asked once, and the choice is stored.
func allowedPhotos(in folder: FilePath) async throws -> FetchResult<Asset> {
  let client = StoredClient("tasks", purpose: "to show what a client sees")
  let library = try PhotoLibrary(folders: [folder], client: client, consent: ChosenPhotos())
  guard await library.manager.requestAuthorization(for: .readWrite) == .limited else { return FetchResult() }
  await library.manager.waitUntilComplete()
  if library.access.limitedSelection.isEmpty {
    // With a terminal: try await library.presentLimitedLibraryPicker()
    let newest = library.access.wholeLibrary.fetchAssets().prefix(2)
    library.access.setLimitedSelection(Set(newest.map(\.localIdentifier)))
  }
  return library.manager.fetchAssets()
}

/// Asynchronous calls from the main actor, which continues meanwhile.
@MainActor
final class Wall {
  private var pictures: [LocalIdentifier: PixelBuffer] = [:]

  func draw(_ photos: FetchResult<Asset>, of library: PhotoLibrary) async throws -> Int {
    let size = PixelSize(width: 160, height: 120)
    for photo in photos {
      pictures[photo.localIdentifier] = try await library.manager.image(for: photo, targetSize: size)
    }
    return pictures.count
  }
}

/// A resource in chunks, into a new file.
func copyNewest(of library: PhotoLibrary, to folder: URL) async throws -> Bool {
  guard let photo = library.manager.fetchAssets().firstObject, let file = photo.primaryResource else {
    return false
  }
  let target = folder.appending(path: file.originalFilename)
  try await library.resourceManager.writeData(for: file, toFile: FilePath(target.path)) { fraction in
    if fraction == 1 { print("complete") }
  }
  return try Data(contentsOf: target).count == Int(photo.byteCount)
}

/// Export videos: the file exists during the closure only.
func exportVideos(of library: PhotoLibrary, to folder: URL) async throws -> Int {
  await library.manager.waitUntilComplete()
  let videos = library.manager.fetchAssets(with: FetchOptions(filter: .videos))
  for video in videos {
    try await library.itemProvider(for: video).loadFile(for: "public.movie") { path in
      let source = URL(filePath: path.string)
      try FileManager.default.copyItem(at: source, to: folder.appending(path: source.lastPathComponent))
    }
  }
  return videos.count
}

/// Folders on servers and on this machine as one library: `["nas:Pictures", "/home/ada/Pictures"]`.
func remotePhoto(in sources: [String]) async throws(AssetError) -> PixelSize? {
  let library = try PhotoLibrary(sources: sources)
  await library.manager.waitUntilComplete()
  let photos = library.manager.fetchAssets(with: FetchOptions(filter: .images))
  guard let photo = photos.firstObject else { return nil }
  // Without this, only what is on this machine is read.
  let options = ImageRequestOptions(isNetworkAccessAllowed: true)
  return try await library.manager.image(for: photo, targetSize: .maximum, options: options).size
}
