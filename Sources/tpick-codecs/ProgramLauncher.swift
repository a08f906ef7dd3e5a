import CConfinement
import CodecProtocol
import System

/// Turns this process into a program that may look at one file and write another, and nothing else.
enum ProgramLauncher {
  /// Where programs and their libraries lie.
  private static let folders = ["/usr", "/bin", "/lib", "/lib64", "/etc", "/opt", "/nix/store", "/gnu/store"]

  /// The file to read is descriptor 3, the one to write 4; either may be missing.
  /// - Parameters:
  ///   - arguments: the program's path first.
  ///   - isConfinable: whether anything is given up.
  ///   - mustBeConfined: whether the process ends where that is not in force.
  static func become(_ arguments: [String], isConfinable: Bool, mustBeConfined: Bool) -> Never {
    let state = isConfinable ? confined(for: arguments[0]) : confinement()
    // A filter that lets programs work leaves them the paths, which Landlock closes.
    if mustBeConfined, !(state.has_filter && state.landlock > 0) { exit(HelperProgram.unconfinedStatus) }
    _ = CStrings.withPointers(arguments) { execv(arguments[0], $0) }
    let message = "\(arguments[0]): \(String(cString: strerror(errno)))\n"
    _ = write(STDERR_FILENO, message, message.utf8.count)
    exit(127)
  }

  private static func confined(for program: String) -> confinement {
    var allowed = folders
    if let slash = program.lastIndex(of: "/") { allowed.append(String(program[..<slash])) }
    let isOpen = { (descriptor: Int32) in fcntl(descriptor, F_GETFD) >= 0 ? descriptor : -1 }
    return CStrings.withPointers(allowed) { paths in
      confine_program(paths.map { UnsafePointer($0) }, allowed.count, isOpen(3), isOpen(4))
    }
  }
}
