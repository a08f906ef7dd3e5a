import Testing

@testable import TerminalGraphics

@Suite struct TerminalEnvironmentTests {
  @Test(arguments: [
    ("xterm", true, ["xterm-256color", "xterm"]), ("xterm", false, ["xterm"]),
    ("screen", true, ["screen-256color", "screen"]), ("xterm-256color", true, ["xterm-256color"]),
    ("xterm-16color", true, ["xterm-16color"]), ("xterm-direct", true, ["xterm-direct"]), ("", true, [""]),
  ])
  func `A name that claims few colors is looked up with 256`(term: String, isModern: Bool, names: [String]) {
    #expect(TerminalEnvironment(["TERM": term]).terminfoNames(isModern: isModern) == names)
  }
}
