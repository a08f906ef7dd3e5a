import Pixels
import Testing

@testable import TerminalGraphics

@Suite struct GraphicsChoiceTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var name: String?
    var kitty = false
    var sixel = false
    var environment: [String: String] = ["TERM": "xterm-256color"]
    var client: TmuxClient?
    var graphics: GraphicsProtocol
  }

  @Test func `A terminal without usable graphics is not chosen automatically`() {
    var capabilities = TerminalCapabilities()
    capabilities.hasSixel = true
    capabilities.quirks.preference = [.kitty]
    let environment = TerminalEnvironment()
    #expect(GraphicsChoice(capabilities, in: environment).graphics == .blocks)
    #expect(GraphicsChoice(capabilities, in: environment, requested: .sixel).graphics == .sixel)
  }

  private static let inPopup = ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-1000/default,1,0"]
  private static let inTmux = inPopup.merging(["TMUX_PANE": "%3"]) { $1 }

  private static func client(_ name: String, _ passes: Bool) -> TmuxClient {
    TmuxClient(name: name, allowsPassthrough: passes)
  }

  static let examples = [
    Example(testDescription: "kitty", name: "kitty(0.26.5)", kitty: true, graphics: .kitty),
    Example(testDescription: "kitty, too old", name: "kitty(0.19.3)", kitty: true, graphics: .blocks),
    Example(testDescription: "kitty that answered nothing", name: "kitty(0.26.5)", graphics: .blocks),
    Example(testDescription: "Ghostty", name: "ghostty 1.1.0", kitty: true, graphics: .kitty),
    Example(testDescription: "iTerm2", name: "iTerm2 3.4.23", sixel: true, graphics: .iterm),
    Example(testDescription: "WezTerm", name: "WezTerm 20230712", kitty: true, sixel: true, graphics: .iterm),
    Example(testDescription: "Konsole", name: "Konsole 22.12.3", kitty: true, sixel: true, graphics: .kitty),
    Example(testDescription: "mintty", name: "mintty 3.6.1", sixel: true, graphics: .iterm),
    Example(testDescription: "xterm", name: "XTerm(379)", sixel: true, graphics: .sixel),
    Example(testDescription: "xterm as a VT102", name: "XTerm(379)", graphics: .blocks),
    Example(testDescription: "foot", name: "foot(1.13.1)", sixel: true, graphics: .sixel),
    Example(testDescription: "an unknown terminal", name: "new 1.0", kitty: true, graphics: .kitty),
    Example(testDescription: "a nameless one with sixels", sixel: true, graphics: .sixel),
    Example(
      testDescription: "a hint is no proof",
      environment: ["TERM": "xterm-kitty", "TERM_PROGRAM": "iTerm.app"],
      graphics: .blocks),
    Example(
      testDescription: "tmux 3.3 claims sixels", name: "tmux 3.3a", sixel: true, environment: inTmux,
      graphics: .blocks),
    Example(
      testDescription: "tmux 3.4", name: "tmux 3.4", sixel: true, environment: inTmux,
      client: TmuxClient(answer: "foot(1.13.1)\noff\n3.4\nbpaste,sixel\n8x16"), graphics: .sixel),
    Example(
      testDescription: "tmux before its release", name: "tmux next-3.8", sixel: true, environment: inTmux,
      client: TmuxClient(answer: "foot(1.13.1)\noff\nnext-3.8\nsixel\n8x16"), graphics: .sixel),
    Example(
      testDescription: "tmux at the other end of SSH", name: "tmux 3.5a", sixel: true,
      environment: ["TERM": "tmux-256color", "SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"], graphics: .blocks),
    Example(
      testDescription: "tmux in a new kitty", name: "tmux 3.3a", environment: inTmux,
      client: client("kitty(0.35.2)", true), graphics: .kitty),
    Example(
      testDescription: "tmux that passes nothing on", name: "tmux 3.3a", environment: inTmux,
      client: client("kitty(0.35.2)", false), graphics: .blocks),
    Example(
      testDescription: "tmux in a kitty without placeholders", name: "tmux 3.3a", environment: inTmux,
      client: client("kitty(0.26.5)", true), graphics: .blocks),
    Example(
      testDescription: "tmux with sixels in a terminal with sixels", name: "tmux 3.5a", sixel: true,
      environment: inTmux, client: TmuxClient(answer: "XTerm(379)\noff\n3.5a\nbpaste,sixel,title\n6x13"),
      graphics: .sixel),
    Example(
      testDescription: "tmux with sixels in a terminal without", name: "tmux 3.5a", sixel: true,
      environment: inTmux, client: TmuxClient(answer: "kitty(0.26.5)\non\n3.5a\nbpaste,RGB,title\n8x16"),
      graphics: .blocks),
    Example(
      testDescription: "tmux with sixels in a terminal that does not report pixels", name: "tmux 3.5a",
      sixel: true,
      environment: inTmux, client: TmuxClient(answer: "foot(1.13.1)\noff\n3.5a\nsixel\n0x0"),
      graphics: .blocks),
    Example(
      testDescription: "tmux with sixels that does not say the size of cells", name: "tmux 3.5a", sixel: true,
      environment: inTmux, client: TmuxClient(answer: "foot(1.13.1)\noff\n3.5a\nsixel"), graphics: .blocks),
    Example(
      testDescription: "tmux without sixels in a terminal with them", name: "tmux 3.5a", environment: inTmux,
      client: TmuxClient(answer: "foot(1.13.1)\noff\n3.5a\nsixel\n8x16"), graphics: .blocks),
    Example(
      testDescription: "tmux in tmux, which does not read its answer to DA1", name: "tmux 3.7c", sixel: true,
      environment: inTmux, client: TmuxClient(answer: "tmux 3.7c\non\n3.7c\n256,RGB,title\n8x16"),
      graphics: .blocks),
    Example(
      testDescription: "tmux of another machine with another TERM", name: "tmux 3.5a", sixel: true,
      environment: ["TERM": "xterm-256color", "SSH_TTY": "/dev/pts/1"], graphics: .blocks),
    Example(
      testDescription: "tmux by TERM=screen alone, without a name", sixel: true,
      environment: ["TERM": "screen-256color", "SSH_TTY": "/dev/pts/1"], graphics: .blocks),
    Example(testDescription: "Zellij 0.44.3", name: "Zellij(4403)", sixel: true, graphics: .blocks),
    Example(testDescription: "Zellij 0.45 in foot", name: "Zellij(4500)", sixel: true, graphics: .sixel),
    Example(testDescription: "Zellij 0.45 in xterm without sixels", name: "Zellij(4500)", graphics: .blocks),
    Example(testDescription: "Zellij 1.0", name: "Zellij(10000)", sixel: true, graphics: .sixel),
    Example(
      testDescription: "tmux with sixels that does not say what it is in", name: "tmux 3.5a", sixel: true,
      environment: inTmux, client: TmuxClient(answer: "\non\n3.5a\n"), graphics: .blocks),
    Example(
      testDescription: "a popup of tmux 3.4", name: "tmux 3.4", sixel: true, environment: inPopup,
      graphics: .blocks),
    Example(
      testDescription: "a popup of tmux in a new kitty", name: "tmux 3.3a", environment: inPopup,
      client: client("kitty(0.35.2)", true), graphics: .blocks),
    Example(
      testDescription: "screen", sixel: true, environment: ["TERM": "screen-256color", "STY": "1.pts"],
      graphics: .blocks),
  ]

  @Test(arguments: examples)
  func `The best confirmed protocol is chosen`(example: Example) {
    let environment = TerminalEnvironment(example.environment)
    var capabilities = TerminalCapabilities()
    capabilities.name = example.name
    capabilities.quirks = TerminalQuirks(of: example.name.map { TerminalName($0) }, in: environment)
    capabilities.hasKitty = example.kitty
    capabilities.hasSixel = example.sixel
    capabilities.tmuxClient = example.client
    let choice = GraphicsChoice(capabilities, in: environment)
    #expect(choice.graphics == example.graphics)
    #expect(!choice.reason.isEmpty)
    let wrapped = example.graphics == .kitty && environment.multiplexer == .tmux
    #expect(choice.needsPassthrough == wrapped)
    for requested in GraphicsProtocol.allCases {
      #expect(GraphicsChoice(capabilities, in: environment, requested: requested).graphics == requested)
    }
  }

  @Test func `Blocks in tmux come with the line that would give pictures`() {
    var capabilities = TerminalCapabilities()
    capabilities.quirks = TerminalQuirks(of: TerminalName("tmux 3.5a"), in: TerminalEnvironment())
    for (passes, isSaid) in [(false, true), (true, false)] {
      capabilities.tmuxClient = TmuxClient(name: "kitty(0.35.2)", allowsPassthrough: passes)
      let choice = GraphicsChoice(capabilities, in: TerminalEnvironment())
      #expect(choice.reason.contains("'set -g allow-passthrough on' in ~/.tmux.conf") == isSaid)
    }
  }

  @Test(arguments: [
    ("kitty(0.35.2)\non", "kitty(0.35.2)", true), ("XTerm(379)\noff\n", "XTerm(379)", false),
    ("kitty(0.35.2)\nall", "kitty(0.35.2)", true), ("", "", false), ("\n", "", false), ("x", "x", false),
  ])
  func `tmux's answer is parsed`(answer: String, name: String, passes: Bool) {
    let client = TmuxClient(answer: answer)
    #expect(client.name == name && client.tmuxName == nil)
    #expect(client.allowsPassthrough == passes)
    #expect(client.hasSixel == nil && !client.hasCellSize)
  }

  @Test(
    arguments: [
      ([:], nil, false), (["TMUX": "x"], .tmux, false), (["TERM": "tmux"], .tmux, false),
      (["TERM": "screen"], .screen, false), (["STY": "1.x"], .screen, false),
      (["TERM": "screen", "TMUX": "x"], .tmux, false), (["SSH_TTY": "/dev/pts/1"], nil, true),
      (["SSH_CONNECTION": "a b"], nil, true), (["SSH_TTY": ""], nil, false),
    ] as [([String: String], TerminalEnvironment.Multiplexer?, Bool)])
  func `The environment gives hints`(
    variables: [String: String], multiplexer: TerminalEnvironment.Multiplexer?, isRemote: Bool
  ) {
    let environment = TerminalEnvironment(variables)
    #expect(environment.multiplexer == multiplexer)
    #expect(environment.isRemote == isRemote)
    #expect((environment.patience > .seconds(1)) == isRemote)
  }

  @Test(
    arguments: [
      ([:], false, false), (["TMUX": "x"], false, true), (["TMUX": "x", "TMUX_PANE": "%0"], true, false),
      (["TMUX_PANE": "%0"], false, false), (["TMUX": "", "TMUX_PANE": "%0"], false, false),
      (["TERM": "tmux-256color"], false, false),
    ] as [([String: String], Bool, Bool)])
  func `A tmux popup is distinguished from a pane`(variables: [String: String], isPane: Bool, isPopup: Bool) {
    let environment = TerminalEnvironment(variables)
    #expect(environment.isInTmuxPane == isPane)
    #expect(environment.isTmuxPopup == isPopup)
  }
}
