package import AssetLibrary
import Pixels

/// What decides an answer: requests with equal work share one decode, one download and one place in the cache.
package struct ImageWork: Hashable, Sendable {
  /// What is made of the file.
  package enum Product: Hashable, Sendable {
    case picture(PictureShape)
    /// Its bytes as they are.
    case data
  }

  /// The file that it is made from.
  package var source: ImageSource
  package var product: Product

  package init(_ request: ImageRequest) {
    source = ImageSource(request.asset, request.options.version)
    product = .picture(PictureShape(request))
  }

  package init(_ request: ImageDataRequest) {
    source = ImageSource(request.asset, request.version)
    product = .data
  }

  /// Whether it is a whole picture, or a whole file.
  var isWhole: Bool {
    if case .picture(let shape) = product { shape.crop == .whole } else { true }
  }
}

/// One file of an asset in one state.
package struct ImageSource: Hashable, Sendable {
  package var asset: LocalIdentifier
  package var modificationDate: AssetDate
  /// The index of the resource; nil where the asset has none for the version.
  package var resource: Int?

  init(_ asset: Asset, _ version: AssetVersion) {
    self.asset = asset.localIdentifier
    modificationDate = asset.modificationDate
    resource = asset.resource(for: version).flatMap(asset.resources.firstIndex(of:))
  }
}
