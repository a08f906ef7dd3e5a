import AssetLibrary

/// A version of an asset that is shown instead of the current one.
struct VersionChoice: Hashable, Sendable {
  var asset: LocalIdentifier
  var version: AssetVersion
}
