package import AssetLibrary

extension FileURI {
  /// The URI of an asset's file; empty where it has none.
  package static func text(for asset: Asset) -> String {
    guard let path = asset.primaryResource?.path else { return "" }
    return text(for: path.absolute.bytes)
  }
}
