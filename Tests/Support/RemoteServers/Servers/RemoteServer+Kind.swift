import Fixtures
import Foundation

extension RemoteServer {
  /// The protocol of a server.
  package enum Kind: String, CaseIterable, Sendable {
    /// None: rclone reads the folder itself, under a name.
    case alias
    /// `rclone serve webdav`.
    case webdav
    /// `rclone serve sftp`.
    case sftp
    /// moto's server, a stand-in for Amazon's S3 that keeps objects in memory.
    case s3

    /// The kinds that need nothing but rclone.
    package static let ofRclone: [Kind] = [.alias, .webdav, .sftp]

    /// Whether such a server can be started here.
    package var isAvailable: Bool { self != .s3 || Self.python != nil }

    /// The reason for skipping, for the conditions of tests: `.enabled(if: Kind.s3.isAvailable, Kind.requirement)`.
    package static let requirement = "moto is not installed: Tests/Tools/install --tests does that, from PyPI"

    /// The Python that has moto: the one installed by Tests/Tools/install --tests, or the system's.
    static let python: String? = {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
      let tools = ProcessInfo.processInfo.environment["TPICK_TEST_TOOLS"] ?? "\(root)/.build-tools"
      return ["\(tools)/python/bin/python3", "python3"].first { python in
        guard let home = try? TemporaryFolder() else { return false }
        return (try? ServerProcess.run([python, "-c", "import moto.server"], home: home))?.status == 0
      }
    }()
  }
}
