#if canImport(Glibc)
  import Glibc
#endif

/// Where the helper is.
package enum HelperProgram {
  static let name = "tpick-codecs"
  /// The first argument with which the helper confines itself and becomes another program, whose path and arguments
  /// follow.
  package static let launching = "--confine"

  /// The path that `TPICK_CODECS` names; without one the helper beside the running program, else the one that
  /// an installation puts at `../libexec/tpick` seen from there.
  /// - Returns: nil where no program is.
  package static func find() -> String? {
    if let named = getenv("TPICK_CODECS") {
      let path = String(cString: named)
      return isProgram(path) ? path : nil
    }
    guard let folder = folderOfThisProgram() else { return nil }
    return ["\(folder)/\(name)", "\(folder)/../libexec/tpick/\(name)"].first(where: isProgram)
  }

  private static func folderOfThisProgram() -> String? {
    guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(resolved) }
    let path = String(cString: resolved)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  private static func isProgram(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
