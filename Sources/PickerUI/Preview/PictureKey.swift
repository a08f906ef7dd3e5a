package import AssetLibrary
package import Pixels

/// Identifies a picture in a size; the state holds keys instead of pixels.
package struct PictureKey: Hashable, Sendable {
  package var asset: LocalIdentifier
  package var modificationDate: AssetDate
  package var fileVersion: FileVersion?
  /// The box that the picture is shown in.
  package var size: PixelSize
  package var mode: ContentMode
  /// The visible rectangle of a picture that the edge of the grid or a box cuts; nil = all of it.
  package var cut: PictureCut?
  /// The region of the picture that a zoomed view shows; nil = the whole picture.
  package var part: PicturePart?
  /// Which still of a video or an animation it is, from 0; nil = the picture that represents the asset.
  package var still: Int?
  /// The time of the frame of the clip that the user made the key photo, from the start of the clip; nil = the still
  /// image of the library.
  package var keyPhotoTime: Duration?
  /// Whether the picture is darkened because the photo can't be picked.
  package var isDimmed = false
  /// Whether the picture includes the frame of a pick.
  package var isPicked = false
  /// The version of the asset that the picture is made from.
  package var version: AssetVersion

  package init(_ asset: Asset, size: PixelSize, mode: ContentMode, version: AssetVersion = .current) {
    self.asset = asset.localIdentifier
    modificationDate = asset.modificationDate
    fileVersion = asset.resource(for: version)?.fileVersion
    self.size = size
    self.mode = mode
    self.version = version
  }
}

extension PictureKey {
  /// The key of the whole picture in the same box.
  var whole: PictureKey {
    var key = self
    key.part = nil
    return key
  }

  /// The key of a still of the same asset in the same box.
  func showing(still: Int) -> PictureKey {
    var key = self
    (key.still, key.keyPhotoTime) = (still, nil)
    return key
  }

  /// The key of the same picture without the marks of a picked or unavailable photo.
  var unmarked: PictureKey {
    var key = self
    (key.isDimmed, key.isPicked) = (false, false)
    return key
  }

  /// The key, and those of the same picture with other marks.
  var variants: [PictureKey] {
    [(isDimmed, isPicked), (false, false), (false, true), (true, false)].map { isDimmed, isPicked in
      var key = self
      (key.isDimmed, key.isPicked) = (isDimmed, isPicked)
      return key
    }
  }
}

/// A rectangle of pixels of a picture.
package struct PictureCut: Hashable, Sendable {
  package var x: Int
  package var y: Int
  package var size: PixelSize
}

/// A part of a picture, and the size it is shown in.
package struct PicturePart: Hashable, Sendable {
  package var region: NormalizedRect
  /// The size in pixels of the screen, larger than the region if it is enlarged.
  package var size: PixelSize
}

/// A picture to have ready, and its priority.
package struct PictureRequest: Hashable, Sendable {
  package var key: PictureKey
  package var asset: Asset
  package var priority: ImagePriority

  /// The image request for the picture.
  ///
  /// Thumbnails may show a degraded image first. Previews wait for the final one: sending a degraded image of
  /// that size to the terminal costs just as much.
  ///
  /// If the original is on a server, the thumbnail is shown first; only the preview downloads the original.
  package var request: ImageRequest {
    let isHere = asset.isLocallyAvailable
    return ImageRequest(
      asset: asset, targetSize: key.part?.size ?? key.size, contentMode: key.mode,
      options: ImageRequestOptions(
        version: key.version,
        deliveryMode: key.mode == .aspectFill || !isHere ? .opportunistic : .highQualityFormat,
        resizeMode: .exact, normalizedCropRect: key.part?.region,
        isNetworkAccessAllowed: !isHere && priority == .preview
          && asset.byteCount <= Self.longestAutomaticDownload))
  }

  /// Larger originals, such as films, are downloaded only when they are picked.
  private static let longestAutomaticDownload: Int64 = 128 << 20
}

/// The outcome of a requested picture.
package enum PictureStatus: Hashable, Sendable {
  /// The picture can be drawn; `note` is a warning about its quality, and whole previews have a histogram.
  case ready(note: String?, histogram: LevelHistogram? = nil)
  case failed(reason: String)
  /// The picture is not available on this machine, and is not downloaded for this request.
  case inCloud
}
