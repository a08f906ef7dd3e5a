import Fixtures
import Foundation

/// Programs that read what tpick prints, as scripts call them.
enum Consumer {
  /// Runs a program.
  /// - Parameters:
  ///   - input: what it reads on standard input.
  ///   - readsErrors: whether what it prints as errors is wanted as well.
  /// - Returns: what it printed.
  /// - Throws: `FixtureError` when it is not there or, unless that is accepted, fails.
  static func run(
    _ command: [String], input: [UInt8] = [], acceptsFailure: Bool = false, readsErrors: Bool = false
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write(input, to: "input")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: "\(folder.path)/input"))
    let output = Pipe()
    process.standardOutput = output
    if readsErrors { process.standardError = output }
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard acceptsFailure || process.terminationStatus == 0 else {
      throw FixtureError("failed: \(command.prefix(3).joined(separator: " "))")
    }
    return Array(bytes)
  }

  /// What a program prints, as text without blanks at its ends.
  static func text(
    _ command: [String], acceptsFailure: Bool = false, readsErrors: Bool = false
  ) throws -> String {
    let bytes = try run(command, acceptsFailure: acceptsFailure, readsErrors: readsErrors)
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
