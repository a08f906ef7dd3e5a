import AssetLibrary

extension AssetResource {
  /// The file's name for messages.
  var displayName: String { String(decoding: filename, as: UTF8.self) }
}

extension Asset {
  /// The name of the asset's file for messages.
  var displayName: String { primaryResource?.displayName ?? localIdentifier.rawValue }
}
