import Fixtures
import Foundation

/// Programs that read tpick's output, as scripts call them.
enum Consumer {
  /// Whether strace may trace programs here.
  static let canTrace =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")
    && (try? run(["strace", "-f", "-o", "/dev/null", "true"])) != nil

  /// Runs a program.
  /// - Parameters:
  ///   - input: Its standard input.
  ///   - readsErrors: Whether standard error is wanted as well.
  /// - Returns: Its output.
  /// - Throws: `FixtureError` if it is missing or, unless accepted, fails.
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

  /// The output of a program as text, without surrounding blanks.
  static func text(
    _ command: [String], acceptsFailure: Bool = false, readsErrors: Bool = false
  ) throws -> String {
    let bytes = try run(command, acceptsFailure: acceptsFailure, readsErrors: readsErrors)
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
