import AssetLibrary
import Pixels
import Rendering

/// What decides an answer: requests with equal work share one decode, one download and one place in the cache.
struct ImageWork: Hashable, Sendable {
  /// What is made of the file.
  enum Product: Hashable, Sendable {
    case picture(PictureShape)
    /// Its bytes as they are.
    case data
  }

  /// The file that it is made from.
  var source: ImageSource
  var product: Product

  init(_ request: ImageRequest) {
    source = ImageSource(request.asset, request.options.version)
    product = .picture(PictureShape(request))
  }

  init(_ request: ImageDataRequest) {
    source = ImageSource(request.asset, request.version)
    product = .data
  }

  /// Whether it is a whole picture, or a whole file.
  var isWhole: Bool {
    if case .picture(let shape) = product { shape.crop == .whole } else { true }
  }
}

/// One file of an asset in one state.
struct ImageSource: Hashable, Sendable {
  var asset: LocalIdentifier
  var modificationDate: AssetDate
  var fileVersion: FileVersion?
  /// The index of the resource; nil where the asset has none for the version.
  var resource: Int?

  init(_ asset: Asset, _ version: AssetVersion) {
    self.asset = asset.localIdentifier
    modificationDate = asset.modificationDate
    let chosen = asset.resource(for: version)
    fileVersion = chosen?.fileVersion
    resource = chosen.flatMap(asset.resources.firstIndex(of:))
  }
}
