import CPlatform

/// The environment of this process (environ(7)), as it is when it is asked for.
package enum ProcessEnvironment {
  /// The variables, each as `NAME=value`, in bytes.
  package static var variables: [[UInt8]] {
    var variables: [[UInt8]] = []
    var next = environ
    while let variable = next.pointee {
      variables.append(
        UnsafeBufferPointer(start: variable, count: strlen(variable)).map(UInt8.init(bitPattern:)))
      next += 1
    }
    return variables
  }

  /// The value of a variable; nil where there is none, or it is empty.
  ///
  /// Bytes that are not UTF-8 are replaced.
  package static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// A program by its name, looked up in PATH as execvp(3) does.
  /// - Returns: its path; nil where no folder has such a program.
  package static func program(_ name: String) -> String? {
    (value("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").lazy
      .map { "\($0)/\(name)" }.first(where: isProgram)
  }

  /// Whether a path leads to a file that this user may run.
  package static func isProgram(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
