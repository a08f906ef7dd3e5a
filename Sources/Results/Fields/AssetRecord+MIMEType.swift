import AssetLibrary
import MediaFormats

extension AssetRecord {
  /// The MIME type of the file that stands for the asset; nil where its format has none.
  var mimeType: String? {
    asset.primaryResource.flatMap { FileFormat(uniformTypeIdentifier: $0.uniformTypeIdentifier)?.mimeType }
  }
}
