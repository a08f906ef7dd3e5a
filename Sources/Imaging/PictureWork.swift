public import AssetLibrary
public import Pixels

/// What decides a picture's pixels: requests with equal work share one decode and one place in the cache.
public struct PictureWork: Hashable, Sendable {
  public var asset: LocalIdentifier
  public var modificationDate: AssetDate
  public var targetSize: PixelSize
  public var contentMode: ContentMode

  public init(_ request: ImageRequest) {
    asset = request.asset.localIdentifier
    modificationDate = request.asset.modificationDate
    targetSize = request.targetSize
    contentMode = request.contentMode
  }
}
