package import AssetLibrary

/// Something to be played where a picture is.
package struct PlaybackRequest: Hashable, Sendable {
  /// Comes back with every word about it.
  package var generation: Int
  package var asset: Asset
  /// The still picture whose place it takes; its size is the box of the moving ones.
  package var key: PictureKey

  package init(generation: Int, asset: Asset, key: PictureKey) {
    self.generation = generation
    self.asset = asset
    self.key = key
  }
}
