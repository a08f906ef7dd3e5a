import Testing

@testable import Completion

@Suite struct ShellTextTests {
  @Test(arguments: [
    (Shell.bash, #"a\ b"#, "a b"), (.bash, #"'a b"#, "a b"), (.bash, #"a"b c"'d'"#, "ab cd"),
    (.bash, #""a\"b\n""#, #"a"b\n"#),
    (.bash, #"$'it\'s'"#, "it's"), (.bash, #"'it'\''s'"#, "it's"), (.zsh, #"a\(b"#, "a(b"),
    (.fish, #"'it\'s'"#, "it's"),
    (.fish, #"'a\n'"#, #"a\n"#), (.bash, #"a\"#, "a"), (.bash, "$HOME/x", "$HOME/x"),
    (.bash, "~/x", "~/x"),
  ])
  func `Quotes are removed`(shell: Shell, raw: String, text: String) {
    #expect(ShellText(shell: shell).unquoted(raw).text == text)
  }

  @Test(arguments: [
    (#"tpick a\ b 'c d"#, ["tpick", #"a\ b"#, "'c d"]), ("tpick ", ["tpick", ""]),
    (#"tpick a\ "#, ["tpick", #"a\ "#]),
    ("tpick  a", ["tpick", "a"]), ("", [""]), ("tpick 'a ", ["tpick", "'a "]),
  ])
  func `A line is split into words`(line: String, words: [String]) {
    #expect(ShellText(shell: .bash).rawWords(of: line) == words)
  }

  @Test func `Home folder and variables are expanded`() {
    let text = ShellText(shell: .bash) { ["HOME": "/home/me", "DIR": "a b"][$0] }
    #expect(text.unquoted("~/x").text == "/home/me/x")
    #expect(text.unquoted("\"$DIR/${DIR}\"$HOME").text == "a b/a b/home/me")
    #expect(text.unquoted("'$DIR' \\$DIR").text == "$DIR")
    #expect(text.unquoted("$NONE$").text == "$NONE$")
  }

  @Test func `Quoted text is read back unchanged, whichever quote is open`() {
    let name =
      String(String.UnicodeScalarView((1...0x2FF).compactMap(Unicode.Scalar.init))) + "'\"\\$`! \u{10FEFF}"
    for (opening, quote) in [("", nil), ("'", .single), ("\"", .double), ("$'", .escaped)]
      as [(String, ShellText.Quote?)]
    {
      let raw = opening + ShellText.quoted(name, in: quote)
      let read = ShellText(shell: .bash).unquoted(raw)
      #expect(read.text == name)
      #expect(read.open == quote)
      #expect(ShellText(shell: .bash).rawWords(of: "tpick \(raw)").count == 2)
    }
  }
}
