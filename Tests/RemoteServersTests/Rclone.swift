import Fixtures
import RemoteServers

/// rclone(1) as the client of servers.
struct Rclone {
  let home: TemporaryFolder
  private let file: ConfigurationFile

  /// - Parameter sections: The sections of its rclone.conf.
  init(_ sections: String) throws {
    home = try TemporaryFolder()
    file = try ConfigurationFile(sections)
  }

  /// Runs a command without retries.
  func run(_ words: String...) throws -> (status: Int32, output: String) { try run(words) }

  /// Runs a command without retries.
  func run(_ words: [String]) throws -> (status: Int32, output: String) {
    try ServerProcess.run(
      ["rclone", "--config", file.path, "--retries", "1", "--low-level-retries", "1"] + words, home: home)
  }

  /// Runs a command that must not fail.
  func output(_ words: String...) throws -> String {
    try ServerProcess.output(
      of: ["rclone", "--config", file.path, "--retries", "1", "--low-level-retries", "1"] + words, home: home)
  }
}
