import Testing

@testable import Completion

/// Every option of the program can be completed: a new option must declare how.
@Suite struct OptionCoverageTests {
  private func options() throws -> [CommandArgument] {
    try ProgramTable.table.get().command.all.flatMap(\.options).filter { $0.kind == .option }
  }

  @Test func `The program lists all its commands`() throws {
    let names = try ProgramTable.table.get().command.all.map(\.name)
    #expect(
      names == [
        "tpick", "pick", "list", "run", "albums", "add", "remove", "create", "rename", "move", "delete",
        "export", "import", "mark", "changes", "info", "show", "add", "trash", "put", "list", "restore",
        "empty", "access", "status", "grant", "revoke",
        "reset",
        "select", "remote", "list", "trust", "forget", "check", "cache", "status", "clear", "warm", "config",
        "completions",
      ])
    #expect(try options().count > 60)
  }

  @Test func `The kind of value is known for every option`() throws {
    for option in try options() {
      if case .unknown = ValueSyntax(of: option) {
        Issue.record("--\(option.longName): declare its completion, or name its grammar in ValueSyntax")
      }
    }
  }

  @Test func `Every enumeration lists its values, in any case`() throws {
    let completer = try ProgramTable.completer()
    for (path, command) in Self.paths(try ProgramTable.table.get().command) {
      // Sources are the default.
      let words = path.filter { !["tpick", "pick"].contains($0) }
      for option in command.options where !option.words.isEmpty {
        let listed = completer.answer(words: words + ["--\(option.longName)"], current: "").candidates.map(
          \.text)
        #expect(Set(option.words).isSubset(of: listed), "\(command.name) --\(option.longName)")
        let joined = completer.answer(
          words: words, current: "--\(option.longName)=\(option.words[0].uppercased())")
        #expect(joined.candidates.first?.text == option.words[0], "\(command.name) --\(option.longName)")
        #expect(joined.prefix == "--\(option.longName)=")
      }
    }
  }

  @Test(arguments: [
    "", "a", "-", ",", ")", "!", "=", "\"", "a=", "a,b", "{{", "all((", "\u{10FEFF}",
  ])
  func `Each option handles any typed text`(typed: String) throws {
    let completer = try ProgramTable.completer(albums: ["Recents"])
    for command in try ProgramTable.table.get().command.all {
      for option in command.options {
        for spelling in option.spellings {
          _ = completer.answer(words: [command.name, spelling], current: typed)
          _ = completer.answer(words: [command.name], current: "\(spelling)=\(typed)")
          _ = completer.answer(words: [command.name], current: "\(spelling)\(typed)")
        }
      }
    }
  }

  /// Each command with the words that lead to it.
  private static func paths(
    _ command: CommandTable.Command, below words: [String] = []
  ) -> [([String], CommandTable.Command)] {
    let path = words + [command.name]
    return [(path, command)] + command.children.flatMap { paths($0, below: path) }
  }
}
