package import AssetLibrary
import MediaFormats

/// An asset with the additional data that output needs beyond the index.
package struct AssetRecord: Sendable {
  /// An album that contains the asset.
  package struct Album: Hashable, Sendable {
    package var localIdentifier: String
    package var title: String
    /// The path of the album's folder; nil if the album is not a folder.
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
  /// Returns the path to print for a file.
  let pathBytes: @Sendable (AssetResource) -> [UInt8]

  /// - Parameter pathBytes: returns the path to print for a file. By default the path itself, or the address
  ///   if the file is only on a server.
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

  /// The path to print for the primary file.
  package var path: [UInt8] { asset.primaryResource.map(path(of:)) ?? [] }

  /// The path to print for a file.
  func path(of resource: AssetResource) -> [UInt8] { pathBytes(resource) }
}

extension AssetRecord {
  /// The MIME type of the primary file; nil if its format has none.
  var mimeType: String? {
    asset.primaryResource.flatMap { FileFormat(uniformTypeIdentifier: $0.uniformTypeIdentifier)?.mimeType }
  }
}
