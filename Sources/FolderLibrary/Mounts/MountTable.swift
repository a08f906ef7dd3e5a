import AssetLibrary
import SystemPackage
import System

/// The mounts that may stop answering: network disks, and file systems that are programs (FUSE).
///
/// Known from the kernel's list: nothing here asks such a mount anything.
struct MountTable: Sendable {
  /// A mount, as the bytes of where it is.
  typealias Mount = [UInt8]

  /// As many links are followed as the system follows (path_resolution(7)).
  private static let mostLinks = 40

  private var mounts: Set<Mount> = []
  /// Where a symbolic link leads as it is written; nil where there is none.
  private let target: @Sendable ([UInt8]) -> [UInt8]?

  /// The table of a process's mounts as proc_pid_mountinfo(5) describes it.
  /// - Parameter target: where a symbolic link leads; tests count how often that is asked.
  init(mountInfo: [UInt8], target: @escaping @Sendable ([UInt8]) -> [UInt8]? = { MountTable.target(of: $0) })
  {
    self.target = target
    for point in MountPoint.points(mountInfo: mountInfo) {
      // The last one at a place is the one that is seen. Where "/" does not answer nothing runs.
      if point.place == [UInt8(ascii: "/")] || point.isLocal {
        mounts.remove(point.place)
      } else {
        mounts.insert(point.place)
      }
    }
  }

  /// The mounts that there are now.
  static func current() -> MountTable { MountTable(mountInfo: MountPoint.information()) }

  /// Where a path leads, as far as can be told without asking such a mount.
  enum Resolution: Hashable, Sendable {
    /// The first such mount on its way.
    case mount(Mount)
    /// Nowhere near one; the path without links, or nil where it leads nowhere.
    case path([UInt8]?)

    var mount: Mount? { if case .mount(let mount) = self { mount } else { nil } }
  }

  /// Whether there is any such mount.
  var isEmpty: Bool { mounts.isEmpty }

  /// The first such mount on the way of a path, links followed; nil where there is none.
  func mount(of path: FilePath) -> Mount? { isEmpty ? nil : resolution(of: path).mount }

  /// Where a name in a folder leads; nil where it is a link.
  /// - Parameter folder: without links.
  func resolution(of name: ArraySlice<UInt8>, in folder: [UInt8]) -> Resolution? {
    let next = folder + [UInt8(ascii: "/")] + name
    if mounts.contains(next) { return .mount(next) }
    return target(next) == nil ? .path(next) : nil
  }

  /// Where a path leads, links followed.
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

  /// The names on a path, the last one first.
  private static func parts(_ path: [UInt8]) -> [[UInt8]] {
    path.split(separator: UInt8(ascii: "/")).reversed().map { Array($0) }
  }

  private static var workingFolder: [UInt8]? {
    guard let folder = getcwd(nil, 0) else { return nil }
    defer { free(folder) }
    return FilePath(platformString: folder).bytes
  }

  /// Where a symbolic link leads as it is written; nil where there is none.
  private static func target(of path: [UInt8]) -> [UInt8]? {
    let room = Int(PATH_MAX)
    let target = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      let place = buffer.baseAddress
      // The bytes as they are: a `FilePath` for each part of thousands of paths takes its time.
      count = (path + [0]).withUnsafeBytes { name in
        guard let name = name.baseAddress?.assumingMemoryBound(to: CChar.self), let place else { return 0 }
        return place.withMemoryRebound(to: CChar.self, capacity: room) { max(0, readlink(name, $0, room)) }
      }
    }
    return target.isEmpty ? nil : target
  }
}
