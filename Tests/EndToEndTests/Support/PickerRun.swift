import Fixtures
import Foundation
import Metadata
import Pixels
import TestTerminal
import Testing

/// The built program, found beside the tests.
enum Program {
  static let path = sibling("tpick")

  /// A program of that name beside the tests.
  static func sibling(_ name: String) -> String {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent(name).path
  }

  /// Where the program keeps its index in the tests, unless one says otherwise: never at the user's.
  private static let home = Result { try SharedFolders.make().path }

  static func environment(_ own: [String: String] = [:]) throws -> [String: String] {
    let home = try home.get()
    let folders = [
      "XDG_CACHE_HOME": "\(home)/cache", "XDG_DATA_HOME": "\(home)/data", "XDG_CONFIG_HOME": "\(home)/config",
    ]
    return folders.merging(own) { $1 }
  }

  /// Runs the picker in a virtual terminal.
  ///
  /// Its cells are small, so that the unoptimised program of a test run has few pixels to work on.
  static func pick(
    _ arguments: [String], in folder: TemporaryFolder? = nil, columns: Int = 120, rows: Int = 40,
    profile: TerminalProfile = .sixel, environment: [String: String] = [:],
    standardInput: StandardInput = .terminal,
    standardOutput: StandardOutput = .pipe
  ) throws -> TerminalSession {
    try TerminalSession(
      path, arguments + (folder.map { [$0.path] } ?? []), environment: Self.environment(environment),
      columns: columns, rows: rows, profile: profile, cell: (5, 10), standardInput: standardInput,
      standardOutput: standardOutput)
  }

  /// What a run without a screen printed and how it ended.
  struct Output {
    var status: TestTerminal.ExitStatus
    var output: [UInt8]
    var errors: String

    var lines: [String] {
      String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  static func run(
    _ arguments: [String], environment: [String: String] = [:], timeout: Double = 40
  ) throws -> Output {
    try run(
      rawArguments: arguments.map { Array($0.utf8) }, environment: environment, timeout: timeout)
  }

  static func run(
    rawArguments: [[UInt8]], environment: [String: String] = [:],
    input: StandardInput = .null, timeout: Double = 40
  ) throws -> Output {
    let session = try TerminalSession(
      path, rawArguments: rawArguments, environment: Self.environment(environment), standardInput: input)
    let status = try session.waitForExit(timeout: timeout)
    return Output(
      status: status, output: session.standardOutputBytes,
      errors: String(decoding: session.standardErrorBytes, as: UTF8.self))
  }
}

extension TerminalSession {
  /// Waits until the grid shows `count` photos and every picture on the screen is there.
  func waitForGrid(_ count: Int) throws {
    try waitForText(count == 1 ? "1 photo " : "\(count) photos")
    try waitUntil("the pictures") { $0.pictureAreas.count >= min(count, 2) && !$0.text.contains("···") }
  }

  /// The lines that came through standard output.
  var outputLines: [String] {
    String(decoding: standardOutputBytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The name of the photo under the cursor, by the bar in front of its caption.
  func waitForCursor(on name: String) throws {
    try waitUntil("the cursor on \(name)") { screen in
      screen.text.split(separator: "\n").contains { line in
        guard let bar = line.firstIndex(of: "▌") else { return false }
        return line[line.index(after: bar)...].prefix(20).contains(name)
      }
    }
  }
}

/// Folders of photographs for the tests.
enum Photos {
  /// Photos `1.jpg`, `2.jpg`…, the first the newest, so that the grid shows them in this order.
  static func folder(_ count: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for number in 1...count {
      let photo = TestPhoto(width: 400, height: 300, date: .day(28 - number % 28, month: 12 - number / 28))
      try folder.write(try photo.bytes(), to: "\(number).jpg")
    }
    return folder
  }
}
