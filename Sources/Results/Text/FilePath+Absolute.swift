package import SystemPackage
import System

extension FilePath {
  /// The path from the root, without single dots; double dots stay, because a symbolic link before them
  /// would lead elsewhere.
  package var absolute: FilePath {
    var plain = FilePath(root: root)
    plain.append(components.filter { $0.kind != .currentDirectory })
    guard !isAbsolute, let folder = getcwd(nil, 0) else { return plain }
    defer { free(folder) }
    return FilePath(platformString: folder).pushing(plain)
  }
}
