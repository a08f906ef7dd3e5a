import SystemPackage

/// A place where a file system is to be seen, as the kernel's list has it: nothing here asks the file system anything.
package struct MountPoint: Hashable, Sendable {
  /// Where it is, as bytes.
  package var place: [UInt8]
  /// The kind of the file system: "ext4".
  package var type: String
  /// Whether it can't be written to here.
  package var isReadOnly: Bool

  /// File systems on this machine's own disks or in its memory; of all others something else has to answer.
  private static let local: Set<String> = [
    "apfs", "bcachefs", "btrfs", "devtmpfs", "erofs", "exfat", "ext2", "ext3", "ext4", "f2fs", "hfs",
    "hfsplus",
    "iso9660", "jfs", "minix", "msdos", "nilfs2", "ntfs", "ntfs3", "overlay", "proc", "ramfs", "reiserfs",
    "squashfs", "sysfs", "tmpfs", "udf", "vfat", "xfs", "zfs",
  ]

  /// Whether it always answers: network disks, and file systems that are programs (FUSE), may stop to.
  package var isLocal: Bool { Self.local.contains(type) }

  /// The mounts of a process in the order in which they were made: of two at one place the later one is seen.
  /// - Parameter mountInfo: the table as proc_pid_mountinfo(5) describes it.
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

  /// The table of the mounts that there are now; empty where the kernel does not tell.
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

  /// A field with its escapes (`\040`) as bytes.
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
