import Foundation
import FoundationNetworking
import PhotoPicker

/// `WebPhotos LIST`: lists the photos of a web API, and downloads the newest one.
@main
struct WebPhotos {
  static func main() async {
    guard CommandLine.arguments.count == 2, let list = URL(string: CommandLine.arguments[1]) else {
      fail("usage: WebPhotos LIST")
    }
    do {
      try await show(PhotoLibrary(try await WebStore(list: list)))
    } catch {
      fail("\(error)")
    }
  }

  static func show(_ library: PhotoLibrary) async throws {
    let photos = library.manager.fetchAssets(with: FetchOptions(filter: .images))
    print("\(photos.count) photos")
    guard let newest = photos.firstObject else { return }
    var options = ImageRequestOptions(deliveryMode: .highQualityFormat)
    do throws(AssetError) {
      _ = try await library.manager.image(for: newest, targetSize: .maximum, options: options)
    } catch {
      // Nothing is downloaded unless the request allows it.
      print("\(newest.localIdentifier): \(error.code)")
    }
    options.isNetworkAccessAllowed = true
    let picture = try await library.manager.image(for: newest, targetSize: .maximum, options: options)
    print("\(newest.localIdentifier): \(picture.size.width)x\(picture.size.height)")
  }

  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("WebPhotos: \(message)\n".utf8))
    exit(1)
  }
}
