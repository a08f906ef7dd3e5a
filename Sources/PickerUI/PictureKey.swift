public import AssetLibrary
public import Pixels

/// The token of a picture: state holds it in place of pixels.
public struct PictureKey: Hashable, Sendable {
  public var asset: LocalIdentifier
  public var modificationDate: AssetDate
  public var size: PixelSize
  public var mode: ContentMode

  public init(_ asset: Asset, size: PixelSize, mode: ContentMode) {
    self.asset = asset.localIdentifier
    modificationDate = asset.modificationDate
    self.size = size
    self.mode = mode
  }
}

/// A picture that should be at hand, and how soon.
public struct PictureWant: Hashable, Sendable {
  public var key: PictureKey
  public var asset: Asset
  public var priority: ImagePriority

  /// The request that answers it.
  ///
  /// Thumbnails show what is at hand first; a preview waits for the real thing, because a coarse one in its
  /// size would cost as much as the real one to send.
  public var request: ImageRequest {
    ImageRequest(
      asset: asset, targetSize: key.size, contentMode: key.mode,
      options: ImageRequestOptions(
        deliveryMode: key.mode == .aspectFill ? .opportunistic : .highQualityFormat, resizeMode: .exact))
  }
}

/// How far a wanted picture has come.
public enum PictureStatus: Hashable, Sendable {
  /// Something can be drawn. `note` says what is missing from it.
  case ready(note: String?)
  case failed(reason: String)
}
