package import SystemPackage
import System

/// Folders that only their owner can look into: what is kept of a library tells places, people and paths.
package enum PrivateFolder {
  /// Makes a folder and those on its way with mode 0700; one that is there and open to others is closed to them.
  ///
  /// Whoever needs the folder first calls this: index, ledger and sample library share it.
  /// - Throws: `Errno` when it can't be made.
  package static func make(_ path: FilePath) throws(Errno) {
    if path.withPlatformString({ mkdir($0, 0o700) }) == 0 { return }
    if errno == ENOENT, path.lastComponent != nil {
      let parent = path.removingLastComponent()
      guard !parent.isEmpty else { throw .noSuchFileOrDirectory }
      try makeParent(parent)
      if path.withPlatformString({ mkdir($0, 0o700) }) == 0 { return }
    }
    guard errno == EEXIST else { throw Errno(rawValue: errno) }
    guard path.isFolder else { throw .notDirectory }
    close(path, to: 0o700)
  }

  /// Folders on the way are others' too: those that are there stay as they are.
  private static func makeParent(_ path: FilePath) throws(Errno) {
    if path.withPlatformString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, path.lastComponent != nil else { throw Errno(rawValue: errno) }
    try makeParent(path.removingLastComponent())
    guard path.withPlatformString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST else {
      throw Errno(rawValue: errno)
    }
  }

  /// Makes a file with mode 0600 where there is none; one that is open to others is closed to them.
  ///
  /// A file that is there is not opened: closing it again would end the locks that this process has on it
  /// (fcntl(2)).
  static func makeFile(_ path: FilePath) {
    let file = path.withPlatformString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
    if file >= 0 { Glibc.close(file) } else { close(path, to: 0o600) }
  }

  /// Takes from others what they may do with a file or folder of this user; where that fails it stays as it is.
  static func close(_ path: FilePath, to mode: mode_t) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o077 != 0
    else { return }
    _ = path.withPlatformString { chmod($0, status.st_mode & mode) }
  }
}
