#if canImport(Glibc)
  import Glibc
#endif

/// The program rclone.
package enum RcloneProgram {
  /// The environment variable that names its path.
  static let variable = "TPICK_RCLONE"
  /// The oldest version that has all that is asked of it (operations/stat, hashes by name).
  static let oldest = "1.58"

  /// The path that the environment names; without one the first rclone on the search path.
  /// - Returns: nil where there is none.
  package static func find() -> String? {
    if let named = getenv(variable) {
      let path = String(cString: named)
      return isProgram(path) ? path : nil
    }
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/rclone" }.first(where: isProgram)
  }

  /// Whether a version is new enough; one that can't be read is.
  /// - Parameter version: as rclone tells it: "v1.60.1-DEV".
  static func isSufficient(_ version: String) -> Bool {
    guard let found = numbers(of: version), let wanted = numbers(of: oldest) else { return true }
    return !found.lexicographicallyPrecedes(wanted)
  }

  private static func numbers(of version: String) -> [Int]? {
    let parts = version.drop { $0 == "v" }.split(separator: ".").prefix(2)
      .map { Int($0.prefix { $0.isASCII && $0.isNumber }) }
    let known = parts.compactMap(\.self)
    return known.count == 2 ? known : nil
  }

  private static func isProgram(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
