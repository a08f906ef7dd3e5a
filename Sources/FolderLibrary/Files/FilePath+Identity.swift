import AssetLibrary
package import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

extension FilePath {
  /// What kind of thing the path leads to, links followed; nil when there is nothing.
  var fileType: FileType? { (try? stat())?.type }

  var isFolder: Bool { fileType == .directory }

  /// The path with every symbolic link and dot resolved; nil when it doesn't exist.
  package var resolved: FilePath? {
    withPlatformString { path in
      guard let real = realpath(path, nil) else { return nil }
      defer { free(real) }
      return FilePath(platformString: real)
    }
  }

  /// A hash of the one canonical spelling of this name: its resolved folder and its own name.
  var canonicalNameHash: UInt64 {
    let folder = removingLastComponent()
    let base = (folder.isEmpty ? FilePath(".") : folder).resolved ?? folder
    return StableHash.hash(base.bytes + [UInt8(ascii: "/")] + nameBytes)
  }
}
