import TerminalGraphics
import Testing

@Suite struct TerminalNameTests {
  static let names: [(String, String, [Int])] = [
    ("kitty(0.26.5)", "kitty", [0, 26, 5]), ("tmux 3.3a", "tmux", [3, 3, 1]), ("XTerm(379)", "xterm", [379]),
    ("iTerm2 3.4.23", "iterm2", [3, 4, 23]), ("WezTerm 20230712-072601-f4abf8fd", "wezterm", [20_230_712]),
    ("ghostty 1.1.0-main+abc", "ghostty", [1, 1]), ("foot(1.13.1)", "foot", [1, 13, 1]),
    ("xterm.js(5.3.0)", "xterm.js", [5, 3]), ("tmux next-3.8", "tmux", [3, 8]),
    ("tmux openbsd-7.7", "tmux", [7, 7]), ("", "", []),
    ("kitty", "kitty", []),
    ("a(99999999999999999999.1)", "a", []),
  ]

  @Test(arguments: names)
  func `A name and its version are parsed`(answer: String, name: String, version: [Int]) {
    let found = TerminalName(answer)
    #expect(found.name == name)
    #expect(found.version.numbers == version)
  }

  @Test(arguments: [("3.3", "3.3a"), ("3.3a", "3.4"), ("0.9", "0.26"), ("22.04", "22.04.1"), ("", "1")])
  func `Versions are compared number by number`(older: String, newer: String) {
    #expect(TerminalName.Version(older) < TerminalName.Version(newer))
    #expect(!(TerminalName.Version(newer) < TerminalName.Version(older)))
  }

  @Test func `Trailing zeros do not change a version`() {
    #expect(TerminalName.Version("0.28.0") == TerminalName.Version("0.28"))
  }
}
