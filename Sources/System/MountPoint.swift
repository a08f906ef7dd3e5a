import SystemPackage

/// A mounted file system as listed by the kernel.
///
/// Nothing here accesses the file system itself, which may hang.
package struct MountPoint: Hashable, Sendable {
  /// The path of the mount point, as bytes.
  package var place: [UInt8]
  /// The file system type: "ext4".
  package var type: String
  /// Whether this mount is read-only.
  package var isReadOnly: Bool

  /// File systems on local disks or in memory.
  ///
  /// All others depend on a server or another program to respond.
  private static let local: Set<String> = [
    "apfs", "bcachefs", "btrfs", "devtmpfs", "erofs", "exfat", "ext2", "ext3", "ext4", "f2fs", "hfs",
    "hfsplus",
    "iso9660", "jfs", "minix", "msdos", "nilfs2", "ntfs", "ntfs3", "overlay", "proc", "ramfs", "reiserfs",
    "squashfs", "sysfs", "tmpfs", "udf", "vfat", "xfs", "zfs",
  ]

  /// Whether the file system always responds.
  ///
  /// Network file systems and FUSE may hang.
  package var isLocal: Bool { Self.local.contains(type) }

  /// Parses a process's mounts in mount order.
  ///
  /// If two are mounted at the same path, the later one is visible.
  /// - Parameter mountInfo: the contents of /proc/PID/mountinfo, see proc_pid_mountinfo(5).
  package static func points(mountInfo: [UInt8]) -> [MountPoint] {
    mountInfo.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " "))
      guard fields.count > 6, let end = fields[6...].firstIndex(of: [UInt8(ascii: "-")]),
        end + 1 < fields.count
      else { return nil }
      return MountPoint(
        place: unescaped(fields[4]), type: String(decoding: fields[end + 1], as: UTF8.self),
        isReadOnly: fields[5].split(separator: UInt8(ascii: ",")).contains(Array("ro".utf8)[...]))
    }
  }

  /// Reads the current mount table of this process; empty if the kernel does not provide it.
  package static func information() -> [UInt8] {
    guard
      let file = try? FileDescriptor.open("/proc/self/mountinfo", .readOnly, options: .closeOnExec)
    else { return [] }
    defer { try? file.close() }
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16384)
    while let count = try? buffer.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
      all += buffer[..<count]
    }
    return all
  }

  /// Decodes the octal escapes (`\040`) of a field.
  private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = field
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
