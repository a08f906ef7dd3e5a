import System

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

  private static func isProgram(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
