import CPlatform

/// The environment of this process (environ(7)), read at each call.
package enum ProcessEnvironment {
  /// All variables as `NAME=value`, in bytes.
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

  /// Returns the value of a variable; nil if it is unset or empty.
  ///
  /// Replaces invalid UTF-8.
  package static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// Looks up a program in PATH as execvp(3) does.
  /// - Returns: the program's path; nil if it is not found.
  package static func program(_ name: String) -> String? {
    (value("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").lazy
      .map { "\($0)/\(name)" }.first(where: isProgram)
  }

  /// Whether a path is a regular file that this user may execute.
  package static func isProgram(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
