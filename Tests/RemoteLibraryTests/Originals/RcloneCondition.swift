import Fixtures
import RemoteServers

/// Whether there is an rclone for the tests to run.
enum RcloneCondition {
  static let isThere: Bool = {
    guard let home = try? TemporaryFolder() else { return false }
    return (try? ServerProcess.run(["rclone", "version"], home: home))?.status == 0
  }()
}
