import Foundation
import PhotoPicker
import Synchronization

/// `Newcomer FOLDER`: what a program without a screen does with a library, the same on the first run and on later ones.
@main
struct Newcomer {
  static func main() async {
    guard CommandLine.arguments.count == 2 else { fail("usage: Newcomer FOLDER") }
    do {
      let library = try PhotoLibrary(folders: [FilePath(CommandLine.arguments[1])])
      try await use(library)
    } catch {
      fail("\(error)")
    }
  }

  static func use(_ library: PhotoLibrary) async throws {
    await library.manager.waitUntilComplete()
    let status = library.manager.libraryStatus
    let photos = library.manager.fetchAssets(with: FetchOptions(filter: .images))
    print(
      "\(photos.count) photos, \(status.isComplete ? "complete" : "incomplete"), \(status.issues.count) issues"
    )
    guard let photo = photos.firstObject else { return }
    let size = PixelSize(width: 64, height: 64)
    let picture = try await library.manager.image(for: photo, targetSize: size, contentMode: .aspectFill)
    print("drawn: \(picture.size.width >= 64 && picture.size.height >= 64)")
    let png = try await library.itemProvider(for: photo).loadData(for: "public.png")
    print("PNG: \(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))")
    print("chunks: \(try await byteCount(of: photo, in: library) == photo.byteCount)")
    let undo = try await library.manager.performChanges([.setFavorite(photo.localIdentifier, true)])
    print(
      "favorites: \(library.manager.fetchAssets(with: FetchOptions(filter: .matching(.favorites))).count)")
    try await library.manager.performChanges(undo)
    try await awaitCopy(of: photo, in: library)
  }

  /// Reads a photo chunk by chunk.
  static func byteCount(of photo: Asset, in library: PhotoLibrary) async throws -> Int64 {
    guard let file = photo.primaryResource else { return 0 }
    let count = Mutex<Int64>(0)
    try await library.requestData(for: file, of: photo) { chunk in count.withLock { $0 += Int64(chunk.count) }
    }
    return count.withLock { $0 }
  }

  /// Adds a photo to the folder, and waits until the library has it.
  static func awaitCopy(of photo: Asset, in library: PhotoLibrary) async throws {
    guard let path = photo.primaryResource?.path.string else { return }
    let count = library.manager.fetchAssets().count
    let changes = library.changes
    let copy = "\(path).copy.jpg"
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    defer { try? FileManager.default.removeItem(atPath: copy) }
    for await change in changes where change.contains(.contents) {
      if library.manager.fetchAssets().count == count + 1 { break }
    }
    print("a change came")
  }

  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("Newcomer: \(message)\n".utf8))
    exit(1)
  }
}
