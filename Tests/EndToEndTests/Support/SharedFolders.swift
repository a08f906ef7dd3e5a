import Fixtures
import Glibc
import Synchronization

/// Folders that serve several tests and go when the run ends.
enum SharedFolders {
  private static let folders = Mutex<[TemporaryFolder]>([])
  /// Registered once: a folder lives as long as something refers to it, and static values are never let go.
  private static let isRegistered: Bool = {
    atexit { SharedFolders.folders.withLock { $0 = [] } }
    return true
  }()

  /// Makes a folder; only its path may be kept, or it stays.
  static func make() throws -> TemporaryFolder {
    _ = isRegistered
    let folder = try TemporaryFolder()
    folders.withLock { $0.append(folder) }
    return folder
  }
}
