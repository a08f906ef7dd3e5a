import Fixtures
import RemoteServers

/// Whether rclone is available to the tests.
enum RcloneCondition {
  static let isThere: Bool = {
    guard let home = try? TemporaryFolder() else { return false }
    return (try? ServerProcess.run(["rclone", "version"], home: home))?.status == 0
  }()
}
