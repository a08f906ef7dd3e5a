import AssetLibrary
import SystemPackage
import System

/// The mounts that may stop responding: network file systems and FUSE.
///
/// Taken from the kernel's mount table; never accesses such a mount.
struct MountTable: Sendable {
  /// A mount, identified by the bytes of its mount point.
  typealias Mount = [UInt8]

  /// The system's limit of symbolic links in a path (path_resolution(7)).
  private static let mostLinks = 40

  private var mounts: Set<Mount> = []
  /// Returns the target of a symbolic link as written; nil if the path is not a link.
  private let target: @Sendable ([UInt8]) -> [UInt8]?

  /// Parses the mount table of a process in the format of proc_pid_mountinfo(5).
  /// - Parameter target: returns the target of a symbolic link; tests count the calls.
  init(mountInfo: [UInt8], target: @escaping @Sendable ([UInt8]) -> [UInt8]? = { MountTable.target(of: $0) })
  {
    self.target = target
    for point in MountPoint.points(mountInfo: mountInfo) {
      // The last mount at a path is the visible one. If "/" does not respond, nothing runs anyway.
      if point.place == [UInt8(ascii: "/")] || point.isLocal {
        mounts.remove(point.place)
      } else {
        mounts.insert(point.place)
      }
    }
  }

  /// The current mounts.
  static func current() -> MountTable { MountTable(mountInfo: MountPoint.information()) }

  /// Where a path leads, as far as it can be resolved without accessing such a mount.
  enum Resolution: Hashable, Sendable {
    /// The first such mount on the path.
    case mount(Mount)
    /// Not on such a mount: the path without links, or nil if it can't be resolved.
    case path([UInt8]?)

    var mount: Mount? { if case .mount(let mount) = self { mount } else { nil } }
  }

  /// Whether there are no such mounts.
  var isEmpty: Bool { mounts.isEmpty }

  /// Returns the first such mount on a path, following links; nil if there is none.
  func mount(of path: FilePath) -> Mount? { isEmpty ? nil : resolution(of: path).mount }

  /// Resolves a name in a folder; nil if it is a link.
  /// - Parameter folder: a path without links.
  func resolution(of name: ArraySlice<UInt8>, in folder: [UInt8]) -> Resolution? {
    let next = folder + [UInt8(ascii: "/")] + name
    if mounts.contains(next) { return .mount(next) }
    return target(next) == nil ? .path(next) : nil
  }

  /// Resolves a path, following links.
  func resolution(of path: FilePath) -> Resolution {
    var pending = Self.parts(path.bytes)
    if !path.isAbsolute {
      guard let folder = Self.workingFolder else { return .path(nil) }
      pending += Self.parts(folder)
    }
    var resolved: [UInt8] = []
    var links = 0
    while let part = pending.popLast() {
      if part == [UInt8(ascii: ".")] { continue }
      if part == Array("..".utf8) {
        resolved = Array(resolved[..<(resolved.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
        continue
      }
      let next = resolved + [UInt8(ascii: "/")] + part
      if mounts.contains(next) { return .mount(next) }
      guard let target = target(next) else {
        resolved = next
        continue
      }
      links += 1
      if links > Self.mostLinks { return .path(nil) }
      if target.first == UInt8(ascii: "/") { resolved = [] }
      pending += Self.parts(target)
    }
    return .path(resolved)
  }

  /// The components of a path, the last one first.
  private static func parts(_ path: [UInt8]) -> [[UInt8]] {
    path.split(separator: UInt8(ascii: "/")).reversed().map { Array($0) }
  }

  private static var workingFolder: [UInt8]? {
    guard let folder = getcwd(nil, 0) else { return nil }
    defer { free(folder) }
    return FilePath(platformString: folder).bytes
  }

  /// Returns the target of a symbolic link as written; nil if the path is not a link.
  private static func target(of path: [UInt8]) -> [UInt8]? {
    let room = Int(PATH_MAX)
    let target = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      let place = buffer.baseAddress
      // Uses bytes: creating a `FilePath` for each component of thousands of paths is slow.
      count = (path + [0]).withUnsafeBytes { name in
        guard let name = name.baseAddress?.assumingMemoryBound(to: CChar.self), let place else { return 0 }
        return place.withMemoryRebound(to: CChar.self, capacity: room) { max(0, readlink(name, $0, room)) }
      }
    }
    return target.isEmpty ? nil : target
  }
}
