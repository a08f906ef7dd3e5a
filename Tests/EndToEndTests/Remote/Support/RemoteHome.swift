import Fixtures
import Foundation
import RemoteServers
import Synchronization
import TestTerminal

/// A user of remote folders: the remotes that rclone knows, and what tpick stores, both separate from other tests.
final class RemoteHome: Sendable {
  let folder: TemporaryFolder
  private let configuration: ConfigurationFile
  /// A file that replaces the first one.
  private let changed = Mutex<ConfigurationFile?>(nil)

  /// - Parameter sections: The contents of rclone.conf.
  init(_ sections: String) throws {
    folder = try TemporaryFolder()
    configuration = try ConfigurationFile(sections)
  }

  /// Changes rclone.conf.
  func configure(_ sections: String) throws {
    let file = try ConfigurationFile(sections)
    changed.withLock { $0 = file }
  }

  /// The environment variables of every run.
  var environment: [String: String] {
    [
      "XDG_CACHE_HOME": "\(folder.path)/cache", "XDG_DATA_HOME": "\(folder.path)/data",
      "XDG_CONFIG_HOME": "\(folder.path)/config",
      "RCLONE_CONFIG": (changed.withLock { $0 } ?? configuration).path,
    ]
  }

  /// Runs the program without a screen until it ends: within a minute, whatever a server does.
  func run(_ arguments: [String], environment own: [String: String] = [:]) throws -> Program.Output {
    try Program.run(arguments, environment: environment.merging(own) { $1 }, timeout: 120)
  }

  func run(_ arguments: String...) throws -> Program.Output { try run(arguments) }

  /// The picker in a virtual terminal.
  /// - Parameter columns: With 80 there is no preview, for which originals would be downloaded.
  func pick(_ arguments: String..., columns: Int = 120) throws -> TerminalSession {
    try Program.pick(arguments, columns: columns, environment: environment)
  }

  /// Starts the program without a screen.
  func start(_ arguments: String...) throws -> TerminalSession {
    try TerminalSession(
      Program.path, arguments, environment: Program.environment(environment), standardInput: .null)
  }

  /// The folder of originals of all servers.
  var originals: String { "\(folder.path)/cache/tpick/originals" }

  /// The stored originals: names of files below their folder, including partial ones.
  var keptFiles: [String] {
    let all = FileManager.default.enumerator(atPath: originals)
    var names: [String] = []
    while let name = all?.nextObject() as? String {
      if (all?.fileAttributes?[.type] as? FileAttributeType) == .typeRegular, name != ".leases" {
        names.append(name)
      }
    }
    return names.sorted()
  }

  /// Those under their final names.
  var wholeFiles: [String] { keptFiles.filter { !$0.hasPrefix(".parts/") } }
}
