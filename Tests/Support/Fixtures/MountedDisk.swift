import Glibc

/// A small file system in memory, mounted in a temporary folder until the last reference is gone.
package final class MountedDisk: Sendable {
  /// The path at which it is mounted.
  package let place: String

  /// Whether this process may mount file systems.
  package static let isAllowed: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return MountedDisk(in: folder, "size=64k") != nil
  }()

  /// Mounts it as the subfolder `disk`; nil if this process may not mount.
  /// - Parameter options: the options of mount(8), such as the size.
  package init?(in folder: TemporaryFolder, _ options: String) {
    place = "\(folder.path)/disk"
    guard (try? folder.makeFolder("disk")) != nil,
      (try? folder.run("mount", "-t", "tmpfs", "-o", options, "tmpfs", place)) != nil
    else { return nil }
  }

  deinit { _ = umount2(place, 2) }

  /// Changes its mount options, such as `ro`.
  package func remount(_ folder: TemporaryFolder, _ options: String) throws {
    try folder.run("mount", "-o", "remount,\(options)", place)
  }

  /// Writes a file until there is no room left.
  package func fill(_ folder: TemporaryFolder) throws {
    try folder.run("sh", "-c", "cat /dev/zero > disk/filler 2>/dev/null; true")
  }
}
