import CConfinement

#if canImport(Glibc)
  import Glibc
#endif

/// Turns this process into a program that may look at one file and write another, and nothing else.
enum ProgramLauncher {
  /// Where programs and their libraries lie.
  private static let folders = ["/usr", "/bin", "/lib", "/lib64", "/etc", "/opt", "/nix/store", "/gnu/store"]

  /// The file to read is descriptor 3, the one to write 4; either may be missing.
  /// - Parameter arguments: the program's path first.
  static func become(_ arguments: [String]) -> Never {
    var allowed = folders
    if let slash = arguments[0].lastIndex(of: "/") { allowed.append(String(arguments[0][..<slash])) }
    let paths = allowed.map { UnsafePointer(strdup($0)) }
    let isOpen = { (descriptor: Int32) in fcntl(descriptor, F_GETFD) >= 0 ? descriptor : -1 }
    _ = confine_program(paths, paths.count, isOpen(3), isOpen(4))
    // What it is told by the environment is how to find its libraries; the rest is nobody's business.
    for name in ["HOME", "FFREPORT", "AV_LOG_FORCE_COLOR"] { unsetenv(name) }
    var words = arguments.map { strdup($0) }
    words.append(nil)
    execv(arguments[0], words)
    let message = "\(arguments[0]): \(String(cString: strerror(errno)))\n"
    _ = write(STDERR_FILENO, message, message.utf8.count)
    exit(127)
  }
}
