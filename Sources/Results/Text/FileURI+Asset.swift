package import AssetLibrary

extension FileURI {
  /// The URI of an asset's file, of one on a server its own: `rclone:` and what rclone calls it; empty where it has none.
  package static func text(for asset: Asset) -> String {
    guard let resource = asset.primaryResource else { return "" }
    if let address = resource.remoteAddress {
      let path = text(for: Array(address.utf8)).dropFirst("file://".count)
      return "rclone:" + path.replacing("%3A", with: ":")
    }
    let path = resource.path
    return text(for: path.absolute.bytes)
  }
}
