import SystemPackage
import System

/// Has one process at a time open, make or replace a database file.
///
/// SQLite's own locks don't cover this: the switch to WAL gives up at once where another connection is open
/// (sqlite3PagerOpenWal), and two processes that find the same damage would both put the file aside, the second one
/// the new file of the first.
enum DatabaseLock {
  /// How long another process is waited for: one that was stopped in between must not stop all others.
  private static let patience: Duration = .seconds(5)

  /// Calls `body` while no other process does so for the same file.
  ///
  /// Where the lock can't be had, as on file systems that know none, it is called all the same.
  static func hold<Result>(_ path: FilePath, _ body: () throws -> Result) rethrows -> Result {
    let file = FilePath(path.string + ".lock").withPlatformString {
      open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
    guard file >= 0 else { return try body() }
    fchmod(file, 0o600)
    let lock = FileLock(owning: file)
    _ = lock.lock(within: patience)
    defer { extendLifetime(lock) }
    return try body()
  }
}
