import Foundation
import Imaging
import PhotoPicker

/// `Thumbnailer SIDE FILE THUMBNAIL`: writes a JPEG of a photo or a video, at most SIDE pixels wide and high.
@main
struct Thumbnailer {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let side = Int(arguments[1]), side > 0 else {
      fail("usage: Thumbnailer SIDE FILE THUMBNAIL")
    }
    do {
      let jpeg = try await thumbnail(of: FilePath(arguments[2]), side: side)
      // An existing file is never overwritten.
      try Data(jpeg).write(to: URL(filePath: arguments[3]), options: .withoutOverwriting)
    } catch {
      fail("\(error)")
    }
  }

  /// The thumbnail of a file as a JPEG.
  static func thumbnail(of file: FilePath, side: Int) async throws -> [UInt8] {
    let library = try PhotoLibrary(folders: [file])
    await library.manager.waitUntilComplete()
    guard let photo = library.manager.fetchAssets().firstObject else {
      throw AssetError(file.string, "not a photo or a video")
    }
    let picture = try await library.manager.image(
      for: photo, targetSize: PixelSize(width: side, height: side),
      options: ImageRequestOptions(deliveryMode: .highQualityFormat, resizeMode: .exact))
    guard let jpeg = JPEGEncoder.file(of: picture, quality: 85) else {
      throw AssetError(file.string, "the thumbnail can't be compressed")
    }
    return jpeg
  }

  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("Thumbnailer: \(message)\n".utf8))
    exit(1)
  }
}
