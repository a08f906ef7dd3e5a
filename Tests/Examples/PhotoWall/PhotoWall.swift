import FolderLibrary
import Imaging
import TerminalGraphics
import Glibc

/// `PhotoWall FOLDER`: shows the photos of a folder as a wall of thumbnails, with the best protocol of the terminal.
@main
struct PhotoWall {
  static func main() async {
    guard CommandLine.arguments.count == 2 else { fail("usage: PhotoWall FOLDER") }
    let library = FolderAssetStore(sources: [FilePath(CommandLine.arguments[1])])
    library.waitUntilComplete()
    for issue in library.status.issues { warn(issue.description) }
    let photos = library.assets(in: nil, options: FetchOptions(filter: .matching(.images)))
    if photos.isEmpty { fail("\(CommandLine.arguments[1]): no photos") }
    do {
      try await draw(photos, of: library)
    } catch {
      fail(error.description)
    }
  }

  /// Draws photos in rows of six, each row as soon as it is complete.
  static func draw(_ photos: FetchResult<Asset>, of library: FolderAssetStore) async throws(TerminalError) {
    let images = ImagePipeline(reading: library)
    let canvas = TerminalCanvas { JPEGEncoder.file(of: $0) }
    let grid = CellSize(columns: 6, rows: 4)
    let size = canvas.pictureSize(in: grid)
    for start in stride(from: 0, to: photos.count, by: grid.columns) {
      let row = photos[start..<min(photos.count, start + grid.columns)]
      // All of the row at once: the pipeline decodes them side by side.
      let tasks = row.map { photo in Task { await thumbnail(of: photo, size, images) } }
      var pictures: [PixelBuffer?] = []
      for task in tasks { pictures.append(await task.value) }
      try canvas.draw(pictures, in: grid)
    }
  }

  /// A photo that fills a box of the given size in pixels; nil if its file can't be read.
  static func thumbnail(of photo: Asset, _ size: PixelSize, _ images: ImagePipeline) async -> PixelBuffer? {
    let options = ImageRequestOptions(deliveryMode: .highQualityFormat, resizeMode: .exact)
    let request = ImageRequest(asset: photo, targetSize: size, contentMode: .aspectFill, options: options)
    for await result in images.images(for: request) {
      switch result.content {
      case .image(let picture, _, _): return picture
      case .failed(let error): warn(error.description)
      case .cancelled: break
      }
    }
    return nil
  }

  static func warn(_ message: String) {
    // C streams can't be shared safely between tasks; write(2) can.
    let line = Array("PhotoWall: \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }

  static func fail(_ message: String) -> Never {
    warn(message)
    exit(1)
  }
}
