import Foundation

/// One option of one command.
struct CommandOption: Hashable, CustomStringConvertible {
  /// The command as in the manual: `pick`, `list`, `cache warm`.
  var command: String
  /// The long name, with its dashes.
  var option: String

  var description: String { "\(command) \(option)" }
}

/// The table of options in the manual.
enum ManualOptions {
  /// Every option of every command in the table; `all` for a command means all of them.
  static func table() throws -> Set<CommandOption> {
    let manual = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../../Docs/Manual.md").standardizedFileURL
    let lines = try String(contentsOf: manual, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let section = lines.drop { $0 != "## Options" }.dropFirst().prefix { !$0.hasPrefix("## ") }
    var found: Set<CommandOption> = []
    for line in section where line.hasPrefix("| `-") {
      // A bar within a cell is escaped.
      let cells = line.replacing("\\|", with: "/").split(separator: "|")
      for command in cells[1].split(separator: ",") {
        for option in cells[0].matches(of: /--[a-z][a-z0-9-]*/) {
          found.insert(
            CommandOption(
              command: command.trimmingCharacters(in: .whitespaces), option: String(option.output)))
        }
      }
    }
    return found
  }
}

/// The output of `--experimental-dump-help`, as far as it is used here.
struct HelpDump: Decodable {
  struct Name: Decodable {
    var kind: String
    var name: String
  }

  struct Argument: Decodable {
    var shouldDisplay: Bool
    var names: [Name]?
  }

  struct Command: Decodable {
    var arguments: [Argument]?
  }

  var command: Command

  /// The long names of the options in the help.
  var options: [String] {
    (command.arguments ?? []).filter(\.shouldDisplay).flatMap { $0.names ?? [] }
      .filter { $0.kind == "long" }.map { "--\($0.name)" }
  }
}
