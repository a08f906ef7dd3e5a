import AssetLibrary

/// A version of an asset that is looked at in place of the one that stands for it.
struct VersionChoice: Hashable, Sendable {
  var asset: LocalIdentifier
  var version: AssetVersion
}
