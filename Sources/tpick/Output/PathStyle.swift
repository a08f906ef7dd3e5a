import ArgumentParser
import AssetLibrary
import FolderLibrary
import Results
import SystemPackage

/// Which paths of photos on servers are printed: one form in one run.
enum RemotePaths: String, CaseIterable, ExpressibleByArgument {
  /// Where they are on the server, as rclone has it.
  case remote
  /// Where their originals are on this machine, which are brought for that.
  case local

  static let help = ArgumentHelp(
    "How photos on servers are printed: remote, as nas:Photos/a.jpg, or local, by the paths of their originals, which are downloaded for that. Default: remote in list, else local.",
    valueName: "where")
}

/// How paths are printed.
struct PathStyle: Sendable {
  private enum Base {
    /// As the sources were given.
    case given
    /// From the root.
    case absolute
    /// From a folder, which is resolved.
    case relative(to: FilePath)
  }

  private let base: Base
  let remotes: RemotePaths

  /// - Throws: `Failure` if both options are given, or if there is no such folder.
  init(isAbsolute: Bool, relativeTo folder: String?, remotes: RemotePaths) throws(Failure) {
    self.remotes = remotes
    guard let folder else {
      base = isAbsolute ? .absolute : .given
      return
    }
    if isAbsolute { throw .usage("--absolute and --relative-to: one or the other") }
    let path = FilePath(bytes: ArgumentBytes.bytes(folder))
    guard MountProbes.shared.answers(path), let base = path.resolved, (try? base.stat())?.type == .directory
    else {
      let name = Wording.name(String(decoding: path.bytes, as: UTF8.self))
      throw .error("--relative-to: \(name): no such folder")
    }
    self.base = .relative(to: base)
  }

  /// The path of a file in this style.
  func bytes(of resource: AssetResource) -> [UInt8] {
    if let address = resource.remoteAddress, remotes == .remote { return Array(address.utf8) }
    let path = resource.path
    return switch base {
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
