package import AssetLibrary
package import Pixels

/// A request to play an asset in place of a picture.
package struct PlaybackRequest: Hashable, Sendable {
  /// Returned with every event of this playback.
  package var generation: Int
  package var asset: Asset
  /// The still picture to replace; its size is the box of the frames.
  package var key: PictureKey

  /// The size in pixels of the still picture that the frames take the place of; nil for what has no other picture.
  ///
  /// The clip of a Live Photo may have fewer pixels, and another shape.
  package var stillSize: PixelSize? {
    guard asset.playbackStyle == .livePhoto, !asset.pixelSize.isEmpty else { return nil }
    return asset.pixelSize.scaled(toward: key.size, key.mode)
  }

  package init(generation: Int, asset: Asset, key: PictureKey) {
    self.generation = generation
    self.asset = asset
    self.key = key
  }
}
