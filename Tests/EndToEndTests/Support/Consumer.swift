import Fixtures
import Foundation

/// Programs that read what tpick prints, as scripts call them.
enum Consumer {
  /// Runs a program.
  /// - Parameter input: what it reads on standard input.
  /// - Returns: what it printed.
  /// - Throws: `FixtureError` when it is not there or fails.
  static func run(_ command: [String], input: [UInt8] = []) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write(input, to: "input")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: "\(folder.path)/input"))
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw FixtureError("failed: \(command.prefix(3).joined(separator: " "))")
    }
    return Array(bytes)
  }
}
