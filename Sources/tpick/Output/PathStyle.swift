import AssetLibrary
import FolderLibrary
import Results
import SystemPackage

/// How paths are printed.
enum PathStyle {
  /// As the sources were given.
  case given
  /// From the root.
  case absolute
  /// From a folder, which is resolved.
  case relative(to: FilePath)

  /// - Throws: `Failure` if both options are given, or if there is no such folder.
  init(isAbsolute: Bool, relativeTo folder: String?) throws(Failure) {
    guard let folder else {
      self = isAbsolute ? .absolute : .given
      return
    }
    if isAbsolute { throw .usage("--absolute and --relative-to: one or the other") }
    let path = FilePath(bytes: ArgumentBytes.bytes(folder))
    guard MountProbes.shared.answers(path), let base = path.resolved, (try? base.stat())?.type == .directory
    else {
      let name = Wording.name(String(decoding: path.bytes, as: UTF8.self))
      throw .error("--relative-to: \(name): no such folder")
    }
    self = .relative(to: base)
  }

  /// A path in this style.
  func bytes(of path: FilePath) -> [UInt8] {
    switch self {
    case .given: path.bytes
    case .absolute: path.absolute.bytes
    case .relative(let base): Self.relative(path, to: base).bytes
    }
  }

  /// The path from a resolved folder; the file may be a link, the folders before it are resolved.
  private static func relative(_ path: FilePath, to base: FilePath) -> FilePath {
    let whole = path.absolute
    let parent = whole.removingLastComponent()
    guard let name = whole.lastComponent, MountProbes.shared.answers(parent), let folder = parent.resolved
    else {
      return whole
    }
    let (from, to) = (Array(base.components), Array(folder.components) + [name])
    let shared = zip(from, to).prefix { $0 == $1 }.count
    var relative = FilePath()
    for _ in shared..<from.count { relative.append("..") }
    relative.append(to[shared...])
    return relative
  }
}
