import Foundation
import PhotoPicker

/// `ArticleCode FOLDER OUT [pick]`: runs the articles' code that needs no screen, or with `pick` that of the pickers,
/// and prints what it found.
@main
struct Samples {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 || arguments.count == 4 && arguments[3] == "pick" else {
      return print("usage: ArticleCode FOLDER OUT [pick]")
    }
    let library = try PhotoLibrary(folders: [FilePath(arguments[1])])
    await library.manager.waitUntilComplete()
    if arguments.count == 4 { return try await pick(from: library, to: URL(filePath: arguments[2])) }
    let photos = library.manager.fetchAssets(with: FetchOptions(filter: .images, sort: .newest))
    for album in AlbumPhoto.albums(of: library) where album.title == "Recents" {
      print("\(album.title): \(album.photos.count)")
    }
    for photo in photos.map({ AlbumPhoto(asset: $0, library: library) }) where photo.kind == .gif {
      let bytes = try await gif(photo.asset, of: library)
      print("GIF: \(bytes?.count ?? 0) bytes, the same: \(bytes == (try await photo.data()))")
    }
    guard let still = photos.first(where: { $0.playbackStyle == .image }) else { return }
    let photo = AlbumPhoto(asset: still, library: library)
    print("thumbnail: \(try await photo.thumbnail(64).size)")
    let preview = try await photo.preview(in: PixelSize(width: 160, height: 160)) { _ in }
    print("preview: \(preview.map { max($0.size.width, $0.size.height) >= 160 } ?? false)")
    print(await explain(still, of: library))
    let folder = URL(filePath: arguments[2])
    try await export(still, of: library, to: folder)
    do {
      try await export(still, of: library, to: folder)
    } catch {
      print("the file stays")
    }
  }

  /// Two pickers, one after the other: a portrait, then videos.
  private static func pick(from library: PhotoLibrary, to folder: URL) async throws {
    let portrait = try await pickPortrait(from: library)
    say("portrait: \(portrait?.starts(with: [0xFF, 0xD8]) ?? false)")
    var configuration = PickerConfiguration()
    configuration.selectionLimit = 0
    configuration.filter = .videos
    let picker = PhotoPicker(configuration, library: library)
    guard case .picked(let results) = try await picker.present() else { return }
    try await copyVideos(results, to: folder)
    say("videos: \(results.count)")
  }

  /// Writes a line at once, also into a pipe.
  private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
