import Sandbox
import System

/// The environment of this process.
enum EnvironmentBytes {
  /// The variables, each as `NAME=value`.
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

  /// The variables by their names.
  static var variables: [SandboxEnvironment.Variable] {
    ofProcess.compactMap { variable in
      guard let equals = variable.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      return SandboxEnvironment.Variable(
        String(decoding: variable[..<equals], as: UTF8.self), Array(variable[(equals + 1)...]))
    }
  }
}
