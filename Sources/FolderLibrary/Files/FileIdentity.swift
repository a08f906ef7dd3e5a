import AssetLibrary
import CPlatform
import SystemPackage
import System

/// Which folder it is, whatever its name: device and inode.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64

  init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  /// What a path leads to; nil when there is nothing.
  init?(of path: FilePath) {
    var status = file_status()
    guard path.withPlatformString({ file_status_at(AT_FDCWD, $0, 1, &status) }) == 0 else { return nil }
    self.init(device: status.device, inode: status.inode)
  }

  /// The identifier of the album that a folder is.
  var folderIdentifier: LocalIdentifier {
    LocalIdentifier("folder.\(String(device, radix: 16))-\(String(inode, radix: 16))")
  }
}
