import Testing

@testable import TerminalGraphics

@Suite struct ColorDepthTests {
  struct Case: Sendable {
    var described: Int?
    var name: String?
    var variables: [String: String] = [:]
    var conformance: Int?
    var answersTrueColor = false
    var depth: ColorDepth
  }

  static let cases = [
    Case(described: 256, depth: .palette256), Case(described: 8, depth: .eight),
    Case(described: 8, name: "XTerm(379)", depth: .palette256), Case(described: 0, depth: .monochrome),
    Case(described: 0, name: "VT(1)", variables: ["COLORTERM": "truecolor"], depth: .monochrome),
    Case(described: 256, variables: ["COLORTERM": "24bit"], depth: .trueColor),
    Case(described: 256, variables: ["COLORTERM": "yes"], depth: .palette256),
    Case(described: 1 << 24, depth: .trueColor), Case(described: nil, depth: .trueColor),
    Case(described: nil, variables: ["NO_COLOR": "1"], depth: .monochrome),
    Case(described: 256, name: "foot(1.13)", variables: ["NO_COLOR": "1"], depth: .monochrome),
    // tmux supports 24 bits since 3.2, the first version that reports its name, and does not pass COLORTERM on.
    Case(described: 256, name: "tmux 3.2", depth: .trueColor),
    Case(described: 256, name: "tmux 3.3a", depth: .trueColor),
    Case(described: 256, name: "tmux 3.4", variables: ["TMUX": "x"], depth: .trueColor),
    Case(described: 256, name: "tmux next-3.8", depth: .trueColor),
    Case(described: 256, name: "tmux 3.1c", depth: .palette256),
    Case(described: 0, name: "tmux 3.4", depth: .monochrome),
    Case(described: 256, name: "tmux 3.4", variables: ["NO_COLOR": "1"], depth: .monochrome),
    // mosh reports no name, but claims to be a VT220; st and the Linux console claim to be VT102s.
    Case(described: 8, conformance: 62, depth: .palette256),
    Case(described: 8, conformance: 6, depth: .eight),
    // The terminal's own answer (DECRQSS) counts like COLORTERM.
    Case(described: 256, name: "foot(1.13.1)", answersTrueColor: true, depth: .trueColor),
    Case(described: 8, answersTrueColor: true, depth: .trueColor),
    Case(described: 0, answersTrueColor: true, depth: .monochrome),
    // The terminals of Vim and Neovim have the editor's colors; COLORTERM may be inherited.
    Case(described: 8, name: "libvterm(0.3)", variables: ["COLORTERM": "truecolor"], depth: .eight),
    Case(described: 256, name: "libvterm(0.3)", variables: ["COLORTERM": "truecolor"], depth: .palette256),
    Case(described: 1 << 24, name: "libvterm(0.3)", depth: .trueColor),
    // screen has 24-bit colors from version 5.
    Case(described: 256, name: "screen(4.9.0)", variables: ["COLORTERM": "truecolor"], depth: .palette256),
    Case(
      described: 8, variables: ["COLORTERM": "truecolor", "TERM": "screen", "STY": "1.pts"], depth: .eight),
    Case(described: 256, name: "screen(5.0.0)", variables: ["COLORTERM": "truecolor"], depth: .trueColor),
    // Only a non-empty value counts (no-color.org).
    Case(described: 256, variables: ["NO_COLOR": ""], depth: .palette256),
  ]

  @Test(arguments: cases)
  func `The colors of text follow from terminfo, name and environment`(example: Case) {
    let environment = TerminalEnvironment(example.variables)
    var capabilities = TerminalCapabilities()
    capabilities.name = example.name
    capabilities.conformance = example.conformance
    capabilities.hasTrueColor = example.answersTrueColor
    capabilities.quirks = TerminalQuirks(of: example.name.map { TerminalName($0) }, in: environment)
    #expect(ColorDepth(described: example.described, capabilities, in: environment) == example.depth)
  }
}
