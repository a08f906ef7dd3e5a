import CConfinement
import CodecProtocol
import System

/// Replaces this process with a program that may only read one file and write another.
enum ProgramLauncher {
  /// Folders of programs and their libraries.
  private static let folders = ["/usr", "/bin", "/lib", "/lib64", "/etc", "/opt", "/nix/store", "/gnu/store"]

  /// Executes a program with descriptor 3 as the file to read and 4 as the file to write; either may be missing.
  /// - Parameters:
  ///   - arguments: the program's path and its arguments.
  ///   - isConfinable: whether to confine the process.
  ///   - mustBeConfined: whether to exit if the confinement is not in force.
  static func become(_ arguments: [String], isConfinable: Bool, mustBeConfined: Bool) -> Never {
    let state = isConfinable ? confined(for: arguments[0]) : confinement()
    // The filter for programs must allow paths, so Landlock has to deny them.
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
