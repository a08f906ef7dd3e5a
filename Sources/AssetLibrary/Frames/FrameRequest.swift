public import Pixels

/// The pictures of an asset that moves, as they are wanted.
public struct FrameRequest: Hashable, Sendable {
  public var asset: Asset
  /// The box that the upright pictures fit in, in pixels; none is enlarged.
  public var targetSize: PixelSize

  public init(asset: Asset, targetSize: PixelSize) {
    self.asset = asset
    self.targetSize = targetSize
  }
}

extension Asset {
  /// The file whose pictures are played: a video's, the clip of a Live Photo, an animation's own.
  public var movingResource: AssetResource? {
    switch playbackStyle {
    case .imageAnimated, .video, .videoLooping: primaryResource
    case .livePhoto: resources.first { $0.type == .pairedVideo }
    case .image, .unsupported: nil
    }
  }
}
