import CodecProtocol
import Fixtures
import Glibc

/// A helper started by a script, which counts its starts and runs commands first.
final class HelperScript {
  private let folder: TemporaryFolder
  let path: String

  /// - Parameters:
  ///   - program: The program that replaces the script.
  ///   - arguments: Arguments for it.
  ///   - before: Shell commands; `$n` is the number of the start, from 1.
  init(_ program: String = Program.standIn, arguments: String = "", before: String = "") throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/helper"
    let script = """
      #!/bin/sh
      cd '\(folder.path)'
      echo >> starts
      n=$(wc -l < starts)
      \(before)
      exec '\(program)' \(arguments)
      """
    try folder.write(Array(script.utf8), to: "helper")
    try folder.setPermissions(0o700, of: "helper")
  }

  /// How often it was started.
  var startCount: Int { (try? folder.bytes(of: "starts").count) ?? 0 }

  /// Creates an empty file beside the script.
  func touch(_ name: String) throws { try folder.write([], to: name) }
}
