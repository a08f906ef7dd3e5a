public import AssetLibrary
import Pixels

/// What decides an answer: requests with equal work share one decode, one download and one place in the cache.
public struct ImageWork: Hashable, Sendable {
  /// What is made of the file.
  public enum Product: Hashable, Sendable {
    case picture(PictureShape)
    /// Its bytes as they are.
    case data
  }

  /// The file that it is made from.
  public var source: ImageSource
  public var product: Product

  public init(_ request: ImageRequest) {
    source = ImageSource(request.asset, request.options.version)
    product = .picture(PictureShape(request))
  }

  public init(_ request: ImageDataRequest) {
    source = ImageSource(request.asset, request.version)
    product = .data
  }

  /// Whether it is no part of a picture.
  var isWhole: Bool {
    if case .picture(let shape) = product { shape.crop == .whole } else { true }
  }
}

/// One file of an asset in one state.
public struct ImageSource: Hashable, Sendable {
  public var asset: LocalIdentifier
  public var modificationDate: AssetDate
  /// Which of the asset's resources; nil where the version has none.
  public var resource: Int?

  init(_ asset: Asset, _ version: AssetVersion) {
    self.asset = asset.localIdentifier
    modificationDate = asset.modificationDate
    resource = asset.resource(for: version).flatMap(asset.resources.firstIndex(of:))
  }
}
