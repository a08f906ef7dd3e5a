#if canImport(Glibc)
  import Glibc
#endif

/// What the daemon is told in its environment, which only processes of the same user can read.
enum DaemonEnvironment {
  /// Beginnings of the names that are kept from it: what is tpick's own, what changes how programs are loaded, and settings of
  /// rclone that would open the daemon to others, hide where it listens, or have it believe any server.
  private static let withheld = [
    "TPICK_", "LD_", "RCLONE_RC_", "RCLONE_CONFIG_TPICK", "RCLONE_LOG_", "RCLONE_USE_JSON_LOG",
    "RCLONE_SYSLOG",
    "RCLONE_VERBOSE", "RCLONE_QUIET", "RCLONE_DUMP", "RCLONE_STATS", "RCLONE_PROGRESS",
    "RCLONE_NO_CHECK_CERTIFICATE",
  ]

  /// Variables as `NAME=value`.
  /// - Parameters:
  ///   - inherited: those of this process, in the same form.
  ///   - added: what is told in addition.
  static func variables(from inherited: [[UInt8]], adding added: [(name: String, value: String)]) -> [[UInt8]]
  {
    inherited.filter { variable in !withheld.contains { variable.starts(with: $0.utf8) } }
      + added.map { Array("\($0.name)=\($0.value)".utf8) }
  }

  /// Those of this process.
  static var ofProcess: [[UInt8]] {
    var variables: [[UInt8]] = []
    var next = environ
    while let variable = next.pointee {
      variables.append(
        UnsafeBufferPointer(start: variable, count: strlen(variable)).map(UInt8.init(bitPattern:)))
      next += 1
    }
    return variables
  }
}
