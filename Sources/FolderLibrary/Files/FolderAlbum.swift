package import AssetLibrary
package import SystemPackage

/// The album that a folder on disk is.
package enum FolderAlbum {
  /// The identifier of the album; nil where the path leads to no folder, or does not answer.
  package static func identifier(at path: FilePath) -> LocalIdentifier? {
    guard MountProbes.shared.answers(path), path.isFolder else { return nil }
    return FileIdentity(of: path)?.folderIdentifier
  }
}
