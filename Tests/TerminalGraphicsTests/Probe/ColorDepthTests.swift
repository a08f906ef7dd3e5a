import TerminalGraphics
import Testing

@Suite struct ColorDepthTests {
  struct Case: Sendable {
    var described: Int?
    var name: String?
    var variables: [String: String] = [:]
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
    // Only a non-empty value counts (no-color.org).
    Case(described: 256, variables: ["NO_COLOR": ""], depth: .palette256),
  ]

  @Test(arguments: cases)
  func `The colors of text follow from terminfo, name and environment`(example: Case) {
    let environment = TerminalEnvironment(example.variables)
    #expect(
      ColorDepth(described: example.described, name: example.name, in: environment) == example.depth)
  }
}
