import AssetLibrary
import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

extension FileURI {
  /// The URI of an asset's file; empty where it has none.
  static func text(for asset: Asset) -> String {
    guard let path = asset.primaryResource?.path else { return "" }
    return text(for: absolute(path).bytes)
  }

  /// The path from the root, without single dots; double dots stay, because a symbolic link before them
  /// would lead elsewhere.
  private static func absolute(_ path: FilePath) -> FilePath {
    var plain = FilePath(root: path.root)
    plain.append(path.components.filter { $0.kind != .currentDirectory })
    guard !path.isAbsolute, let folder = getcwd(nil, 0) else { return plain }
    defer { free(folder) }
    return FilePath(platformString: folder).pushing(plain)
  }
}
