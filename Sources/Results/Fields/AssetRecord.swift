package import AssetLibrary
import MediaFormats

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
  let pathBytes: @Sendable (AssetResource) -> [UInt8]

  /// - Parameter pathBytes: how the path of a file is written; if nothing else is said as it is, and of a file that is on a
  ///   server alone as its address.
  package init(
    _ asset: Asset, details: AssetDetails = AssetDetails(), albums: [Album] = [],
    pathBytes: @escaping @Sendable (AssetResource) -> [UInt8] = {
      $0.isLocallyAvailable ? $0.path.bytes : $0.remoteAddress.map { Array($0.utf8) } ?? $0.path.bytes
    }
  ) {
    self.asset = asset
    self.details = details
    self.albums = albums
    self.pathBytes = pathBytes
  }

  /// The path of the file that stands for the asset, as paths are written.
  package var path: [UInt8] { asset.primaryResource.map(path(of:)) ?? [] }

  /// The path of a file, as paths are written.
  func path(of resource: AssetResource) -> [UInt8] { pathBytes(resource) }
}

extension AssetRecord {
  /// The MIME type of the file that stands for the asset; nil where its format has none.
  var mimeType: String? {
    asset.primaryResource.flatMap { FileFormat(uniformTypeIdentifier: $0.uniformTypeIdentifier)?.mimeType }
  }
}
