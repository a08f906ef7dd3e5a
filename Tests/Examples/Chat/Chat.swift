import Foundation
import PhotoPicker

/// `Chat OUTBOX FOLDER`: a chat client without a network; what is sent ends up in the folder OUTBOX.
@main
struct Chat {
  static func main() async throws {
    guard CommandLine.arguments.count == 3 else { return print("usage: Chat OUTBOX FOLDER") }
    let outbox = URL(filePath: CommandLine.arguments[1])
    let library = try PhotoLibrary(folders: [FilePath(CommandLine.arguments[2])])
    print("Type a message, or /photo to attach photos.")
    while let line = readLine() {
      guard line == "/photo" else {
        print("you: \(line)")
        continue
      }
      for photo in try await attach(from: library) {
        do {
          print("you: \(try await send(photo, to: outbox))")
        } catch {
          print("not sent: \(error)")
        }
      }
    }
  }

  /// Lets the user pick up to ten photos and videos.
  static func attach(from library: PhotoLibrary) async throws -> [PickerResult] {
    var configuration = PickerConfiguration()
    configuration.selectionLimit = 10
    configuration.filter = .any(of: [.images, .videos])
    // Every other program can show JPEG and MP4, and strangers don't learn where the user lives.
    configuration.preferredAssetRepresentationMode = .compatible
    configuration.representation.longestSide = 2048
    configuration.removesLocation = true
    let picker = PhotoPicker(configuration, library: library)
    guard case .picked(let results) = try await picker.present() else { return [] }
    return results
  }

  /// Copies a photo into the outbox, and returns its name there.
  static func send(_ photo: PickerResult, to outbox: URL) async throws -> String {
    let provider = photo.itemProvider
    let isVideo = provider.hasItemConformingToTypeIdentifier("public.movie")
    return try await provider.loadFile(for: isVideo ? "public.movie" : "public.image") { path in
      // Lent: the file is gone when this returns.
      let file = URL(filePath: path.string)
      try FileManager.default.copyItem(at: file, to: outbox.appending(path: file.lastPathComponent))
      return file.lastPathComponent
    }
  }
}
