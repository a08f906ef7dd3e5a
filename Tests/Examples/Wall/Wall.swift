import Imaging
import PhotoPicker
import TerminalGraphics

/// `Wall FOLDER`: the photos of a folder as a wall of thumbnails.
@main
struct Wall {
  static func main() async throws {
    let library = try PhotoLibrary(folders: CommandLine.arguments.dropFirst().map { FilePath($0) })
    await library.manager.waitUntilComplete()
    let photos = library.manager.fetchAssets(with: FetchOptions(filter: .images))
    let canvas = TerminalCanvas { JPEGEncoder.file(of: $0) }
    let grid = CellSize(columns: 6, rows: 4)
    let size = canvas.pictureSize(in: grid)
    for start in stride(from: 0, to: photos.count, by: grid.columns) {
      let row = photos.objects(at: start..<min(photos.count, start + grid.columns))
      try canvas.draw(await pictures(of: row, size, library), in: grid)
    }
  }

  /// The pictures of a row, made side by side; nil for files that can't be read.
  static func pictures(of row: [Asset], _ size: PixelSize, _ library: PhotoLibrary) async -> [PixelBuffer?] {
    let options = ImageRequestOptions(deliveryMode: .highQualityFormat, resizeMode: .exact)
    return await withTaskGroup(of: (Int, PixelBuffer?).self) { group in
      for (index, photo) in row.enumerated() {
        group.addTask {
          let picture = try? await library.manager.image(
            for: photo, targetSize: size, contentMode: .aspectFill, options: options)
          return (index, picture)
        }
      }
      var pictures = [PixelBuffer?](repeating: nil, count: row.count)
      for await (index, picture) in group { pictures[index] = picture }
      return pictures
    }
  }
}
