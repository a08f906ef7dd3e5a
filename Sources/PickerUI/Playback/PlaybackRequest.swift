package import AssetLibrary

/// A request to play an asset in place of a picture.
package struct PlaybackRequest: Hashable, Sendable {
  /// Returned with every event of this playback.
  package var generation: Int
  package var asset: Asset
  /// The still picture to replace; its size is the box of the frames.
  package var key: PictureKey

  package init(generation: Int, asset: Asset, key: PictureKey) {
    self.generation = generation
    self.asset = asset
    self.key = key
  }
}
