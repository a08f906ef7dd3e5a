import Fixtures
import Glibc
import Synchronization

/// Folders shared by several tests and removed when the run ends.
enum SharedFolders {
  private static let folders = Mutex<[TemporaryFolder]>([])
  /// Registered once: a folder lives as long as it is referenced, and static values are never released.
  private static let isRegistered: Bool = {
    atexit { SharedFolders.folders.withLock { $0 = [] } }
    return true
  }()

  /// Makes a folder; keep only its path, otherwise it is not removed.
  static func make() throws -> TemporaryFolder {
    _ = isRegistered
    let folder = try TemporaryFolder()
    folders.withLock { $0.append(folder) }
    return folder
  }
}
