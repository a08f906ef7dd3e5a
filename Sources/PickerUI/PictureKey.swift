public import AssetLibrary
public import Pixels

/// The token of a picture: state holds it in place of pixels.
public struct PictureKey: Hashable, Sendable {
  public var asset: LocalIdentifier
  public var modificationDate: AssetDate
  /// The box that the picture is shown in.
  public var size: PixelSize
  public var mode: ContentMode
  /// What is seen of it; nil = all of it.
  public var part: PicturePart?
  /// Which of the asset's files it is made of.
  public var version: AssetVersion

  public init(_ asset: Asset, size: PixelSize, mode: ContentMode, version: AssetVersion = .current) {
    self.asset = asset.localIdentifier
    modificationDate = asset.modificationDate
    self.size = size
    self.mode = mode
    self.version = version
  }
}

extension PictureKey {
  /// The token of the picture in the same box, all of it.
  var whole: PictureKey {
    var key = self
    key.part = nil
    return key
  }
}

/// A part of a picture, and how large it is shown.
public struct PicturePart: Hashable, Sendable {
  public var region: NormalizedRect
  /// More pixels than the region has where it is enlarged.
  public var size: PixelSize
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
      asset: asset, targetSize: key.part?.size ?? key.size, contentMode: key.mode,
      options: ImageRequestOptions(
        version: key.version, deliveryMode: key.mode == .aspectFill ? .opportunistic : .highQualityFormat,
        resizeMode: .exact,
        normalizedCropRect: key.part?.region))
  }
}

/// How far a wanted picture has come.
public enum PictureStatus: Hashable, Sendable {
  /// Something can be drawn. `note` says what is missing from it; a whole preview brings its histogram.
  case ready(note: String?, histogram: LevelHistogram? = nil)
  case failed(reason: String)
}
