package import AssetLibrary
package import SystemPackage

#if canImport(Glibc)
  package import Glibc
#endif

/// The folder that copies go into, held open: whoever removes or replaces it meanwhile gets no copies elsewhere.
///
/// Safe from several threads.
package final class TargetFolder: Sendable {
  package let path: FilePath
  let descriptor: Int32

  /// Opens a folder, which is made with those above it where it is not there.
  /// - Parameter mode: the rights of folders that are made, less those of the process's mask.
  /// - Throws: `AssetError` where that is not possible, or something else is called so.
  package init(_ path: FilePath, mode: mode_t = 0o777) throws(AssetError) {
    self.path = path
    try Self.make(path, mode)
    descriptor = path.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw Self.error(path) }
    guard access(path) else {
      close(descriptor)
      throw Self.error(path)
    }
    func access(_ path: FilePath) -> Bool {
      path.withPlatformString { faccessat(AT_FDCWD, $0, W_OK | X_OK, AT_EACCESS) } == 0
    }
  }

  deinit { close(descriptor) }

  private static func make(_ path: FilePath, _ mode: mode_t) throws(AssetError) {
    if path.isEmpty { return }
    if path.withPlatformString({ mkdir($0, mode) }) == 0 || errno == EEXIST { return }
    let above = path.removingLastComponent()
    guard errno == ENOENT, above != path, !above.isEmpty else { throw error(path) }
    try make(above, mode)
    guard path.withPlatformString({ mkdir($0, mode) }) == 0 || errno == EEXIST else { throw error(path) }
  }

  private static func error(_ path: FilePath) -> AssetError {
    AssetError(String(decoding: path.bytes, as: UTF8.self), "\(Errno(rawValue: errno))")
  }

  /// How many bytes are free for this user; nil where the file system does not say.
  var freeBytes: Int64? {
    var facts = statvfs()
    guard fstatvfs(descriptor, &facts) == 0, facts.f_blocks > 0 else { return nil }
    let bytes = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
    return bytes.overflow ? .max : Int64(clamping: bytes.partialValue)
  }

  /// Whether somebody has removed it.
  var isGone: Bool {
    var facts = stat()
    return fstat(descriptor, &facts) == 0 && facts.st_nlink == 0
  }

  /// Has the names in it last, also after a crash of the system.
  func synchronize() { fsync(descriptor) }
}
