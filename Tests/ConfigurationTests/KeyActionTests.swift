import PickerUI
import Results
import Testing

@testable import Configuration

/// Key actions as text.
@Suite struct KeyActionTests {
  @Test func `Commands are known by their names`() throws {
    for command in Command.allCases { #expect(try KeyAction(command.name) == .command(command)) }
    #expect(try KeyAction("ignore") == .ignore)
  }

  @Test(arguments: [
    ("execute(gimp {})", ProgramKey.Kind.execute, "gimp {}"),
    ("execute-silent(sh -c 'echo \"$1\" (x)' sh {})", .executeSilently, "sh -c 'echo \"$1\" (x)' sh {}"),
    ("become(vim -p {+})", .become, "vim -p {+}"),
  ])
  func `Programs are in parentheses, up to the last one`(
    text: String, kind: ProgramKey.Kind, line: String
  ) throws {
    #expect(
      try KeyAction(text) == .program(kind, CommandTemplate(line: Array(line.utf8)), line: line))
  }

  @Test(arguments: [
    ("", "unknown action ''; actions are ignore, execute(COMMAND)"), ("Toggle", "unknown action 'Toggle'"),
    ("execute", "unknown action 'execute'"), ("execute(ls", "unknown action 'execute(ls'"),
    ("run(ls)", "unknown action 'run(ls)'"), ("execute()", "no command is named"),
    ("execute(a 'b)", "a quote is not closed"), ("become(sh -c 'rm {}')", "{} has to be a word of its own"),
  ])
  func `Other text is rejected`(text: String, message: String) {
    let error = #expect(throws: FormatError.self) { try KeyAction(text) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test func `The configuration has key actions in a table, and prints them again`() {
    let text = """
      [actions]
      alt-e = "execute(gimp {+})"
      "/" = 'ignore'
      f2 = "toggle"
      """
    let reader = SettingsReader(Array(text.utf8))
    #expect(reader.problems.isEmpty)
    #expect(reader.settings.actions.map(\.key) == [.character("/"), .alt("e"), .function(2)])
    #expect(reader.settings.actions.first?.action == .ignore)
    #expect(reader.settings.actions.last?.action == .command(.toggle))
    let again = SettingsReader(Array(reader.settings.toml.utf8))
    #expect(again.problems.isEmpty)
    #expect(again.settings == reader.settings)
  }

  @Test func `An invalid key action is reported by its path, and the others apply`() {
    let reader = SettingsReader(
      Array("[actions]\nctrl-i = 'toggle'\nf1 = 'nope'\nf2 = 3\nf3 = 'help'".utf8))
    #expect(reader.settings.actions == [BoundAction(.function(3), .command(.help))])
    let problems = reader.problems.map(\.description)
    #expect(problems.count == 3)
    #expect(problems.contains { $0.hasPrefix("actions.ctrl-i: 'ctrl-i' is not a key") })
    #expect(problems.contains { $0.hasPrefix("actions.f1: unknown action 'nope'") })
    #expect(problems.contains { $0.hasPrefix("actions.f2: expected an action") })
  }
}
