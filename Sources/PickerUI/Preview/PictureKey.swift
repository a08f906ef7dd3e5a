package import AssetLibrary
package import Pixels

/// The token of a picture: state holds it in place of pixels.
package struct PictureKey: Hashable, Sendable {
  package var asset: LocalIdentifier
  package var modificationDate: AssetDate
  /// The box that the picture is shown in.
  package var size: PixelSize
  package var mode: ContentMode
  /// What is seen of it; nil = all of it.
  package var part: PicturePart?
  /// Which of the asset's files it is made of.
  package var version: AssetVersion

  package init(_ asset: Asset, size: PixelSize, mode: ContentMode, version: AssetVersion = .current) {
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
package struct PicturePart: Hashable, Sendable {
  package var region: NormalizedRect
  /// More pixels than the region has where it is enlarged.
  package var size: PixelSize
}

/// A picture that should be at hand, and how soon.
package struct PictureWant: Hashable, Sendable {
  package var key: PictureKey
  package var asset: Asset
  package var priority: ImagePriority

  /// The request that answers it.
  ///
  /// Thumbnails show what is at hand first; a preview waits for the real thing, because a coarse one in its
  /// size would cost as much as the real one to send.
  package var request: ImageRequest {
    ImageRequest(
      asset: asset, targetSize: key.part?.size ?? key.size, contentMode: key.mode,
      options: ImageRequestOptions(
        version: key.version, deliveryMode: key.mode == .aspectFill ? .opportunistic : .highQualityFormat,
        resizeMode: .exact,
        normalizedCropRect: key.part?.region))
  }
}

/// How far a wanted picture has come.
package enum PictureStatus: Hashable, Sendable {
  /// Something can be drawn. `note` says what is missing from it; a whole preview brings its histogram.
  case ready(note: String?, histogram: LevelHistogram? = nil)
  case failed(reason: String)
}
