import Fixtures
import Foundation
import TestTerminal
import Testing

extension Commands {
  /// The manual's table of options, compared with the commands' own.
  @Suite struct ManualOptionTests {
    private static let commands = [
      "pick", "list", "run", "albums", "albums add", "albums remove", "albums create", "albums rename",
      "albums move", "albums delete", "albums export", "albums import", "mark", "changes", "info", "show",
      "add", "trash put", "trash list", "trash restore", "trash empty",
      "access status", "access grant",
      "access revoke", "access reset", "access select", "remote list", "remote trust", "remote forget",
      "remote check", "cache status", "cache clear", "cache warm", "config",
      "completions",
    ]
    /// Options that every command has, for which the table says "all".
    private static let common: Set<String> = ["--help", "--version"]

    @Test func `The manual lists exactly the options of every command`() throws {
      var there: Set<CommandOption> = []
      for command in Self.commands {
        let words = command.split(separator: " ").map(String.init)
        let result = try Program.run(words + ["--experimental-dump-help"])
        #expect(result.status == .exited(0))
        let options = Set(
          try JSONDecoder().decode(HelpDump.self, from: Data(result.output)).options)
        #expect(options.isSuperset(of: Self.common))
        for option in options.subtracting(Self.common) {
          there.insert(CommandOption(command: command, option: option))
        }
      }
      let common = Set(Self.common.map { CommandOption(command: "all", option: $0) })
      let table = try ManualOptions.table()
      #expect(there.union(common).subtracting(table).map(\.description).sorted() == [])
      #expect(table.subtracting(there.union(common)).map(\.description).sorted() == [])
    }
  }
}
