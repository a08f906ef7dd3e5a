import AssetLibrary
import Pixels
import Synchronization

extension Asset {
  /// A photo with a name, taken `day` days after January 1, 2024.
  static func photo(_ name: String, day: Int = 0, folder: String = "p") -> Asset {
    let size = PixelSize(width: 4000, height: 3000)
    let resource = AssetResource(
      type: .photo, path: .init(bytes: Array("\(folder)/\(name)".utf8)), uniformTypeIdentifier: "public.jpeg",
      byteCount: 2_000_000, storedSize: size)
    return Asset(
      localIdentifier: LocalIdentifier(name), mediaType: .image, pixelSize: size,
      creationDate: AssetDate(year: 2024, month: 1, day: 1 + day), resources: [resource])
  }

  /// A file that only has a photo's name.
  static func broken(_ name: String, because defect: String = "the file is empty") -> Asset {
    var asset = photo(name)
    asset.defect = defect
    asset.mediaType = .unknown
    return asset
  }
}

extension [Asset] {
  /// Photos "0", "1", …, newest first.
  static func numbered(_ count: Int) -> [Asset] {
    TestLibraries.known.withLock { known in
      if let library = known[count] { return library }
      let library = (0..<count).map { Asset.photo("\($0)", day: count - $0) }
      known[count] = library
      return library
    }
  }
}

/// Libraries by number of photos, each made once because hundreds of pickers open the same ones.
private enum TestLibraries {
  static let known = Mutex<[Int: [Asset]]>([:])
}
