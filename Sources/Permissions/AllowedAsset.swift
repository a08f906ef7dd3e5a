package import AssetLibrary
package import SystemPackage

/// A photo that a client may see under limited access, as the store keeps it.
package struct AllowedAsset: Hashable, Sendable {
  package var identifier: LocalIdentifier
  /// `AssetAttributes.successorFile` at the time when it was allowed.
  package var successorFile: UInt64?
  /// Where its file was last, absolute; nil where nobody knows.
  package var path: FilePath?

  package init(_ identifier: LocalIdentifier, successorFile: UInt64? = nil, path: FilePath? = nil) {
    self.identifier = identifier
    self.successorFile = successorFile
    self.path = path
  }
}
