import Fixtures

/// An rclone.conf in a temporary folder, removed with the last reference.
package final class ConfigurationFile: Sendable {
  private let folder: TemporaryFolder

  /// Its path, for rclone's `--config` or `RCLONE_CONFIG`.
  package var path: String { "\(folder.path)/rclone.conf" }

  /// Writes a file.
  /// - Parameter sections: Its text, from one or several ``RemoteServer/configuration(name:port:)``.
  package init(_ sections: String...) throws {
    folder = try TemporaryFolder()
    try folder.write(Array(sections.joined().utf8), to: "rclone.conf")
    try folder.setPermissions(0o600, of: "rclone.conf")
  }
}
