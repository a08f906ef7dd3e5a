public import Pixels

/// A picture of an asset that is wanted: equal requests, equal answers.
public struct ImageRequest: Hashable, Sendable {
  public var asset: Asset
  /// Pixels, after orientation; `PixelSize.maximum` = the native size, not cut.
  public var targetSize: PixelSize
  public var contentMode: ContentMode
  public var options: ImageRequestOptions

  public init(
    asset: Asset, targetSize: PixelSize, contentMode: ContentMode,
    options: ImageRequestOptions = ImageRequestOptions()
  ) {
    self.asset = asset
    self.targetSize = targetSize
    self.contentMode = contentMode
    self.options = options
  }

  /// The file that answers it.
  public var resource: AssetResource? { asset.resource(for: options.version) }
}
