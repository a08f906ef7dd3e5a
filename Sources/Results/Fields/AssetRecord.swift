package import AssetLibrary
package import SystemPackage

/// An asset with what is told of it beyond what the index keeps.
package struct AssetRecord: Sendable {
  /// An album that an asset is in.
  package struct Album: Hashable, Sendable {
    package var localIdentifier: String
    package var title: String
    /// The path of its folder, nil where it is none.
    package var path: [UInt8]?

    package init(localIdentifier: String, title: String, path: [UInt8]?) {
      self.localIdentifier = localIdentifier
      self.title = title
      self.path = path
    }
  }

  package let asset: Asset
  package let details: AssetDetails
  package let albums: [Album]
  /// How paths are written.
  let pathBytes: @Sendable (FilePath) -> [UInt8]

  /// - Parameter pathBytes: how paths are written; as they are if nothing else is said.
  package init(
    _ asset: Asset, details: AssetDetails = AssetDetails(), albums: [Album] = [],
    pathBytes: @escaping @Sendable (FilePath) -> [UInt8] = { $0.bytes }
  ) {
    self.asset = asset
    self.details = details
    self.albums = albums
    self.pathBytes = pathBytes
  }

  /// The path of the file that stands for the asset, as paths are written.
  package var path: [UInt8] { asset.primaryResource.map(path(of:)) ?? [] }

  /// The path of a file, as paths are written; of one that is on a server alone, what rclone calls it.
  func path(of resource: AssetResource) -> [UInt8] {
    if !resource.isLocallyAvailable, let address = resource.remoteAddress { return Array(address.utf8) }
    return pathBytes(resource.path)
  }
}
