import Foundation

@testable import Completion

/// The commands and options of the built program, as its parser reports them.
enum ProgramTable {
  static let table = Result { try read() }

  /// A completer whose library has the given albums.
  static func completer(albums: [String] = []) throws -> Completer {
    Completer(try table.get(), standard: "pick") { _ in albums.map { Candidate($0) } }
  }

  private struct NoTable: Error {}

  private static func read() throws -> CommandTable {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let process = Process()
    process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("tpick")
    process.arguments = ["--experimental-dump-help"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard let table = CommandTable(json: String(decoding: bytes, as: UTF8.self)) else { throw NoTable() }
    return table
  }
}
