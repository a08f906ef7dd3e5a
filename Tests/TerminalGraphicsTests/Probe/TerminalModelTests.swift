import Pixels
import Testing

@testable import TerminalGraphics

/// What real terminals answered when each query was sent to them alone (Debian 12, November 2026), and what follows.
@Suite struct TerminalModelTests {
  struct Model: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var variables: [String: String]
    /// Colors by its terminfo entry.
    var described: Int
    /// Answers to the queries that every terminal gets.
    var first: String
    /// The other queries that it gets.
    var others: Set<TerminalQuery> = []
    /// Answers to them.
    var second = ""
    var graphics = GraphicsProtocol.blocks
    var depth: ColorDepth
    var hasMouse = true
    var hasCursorOfEachScreen = true
  }

  static let models = [
    Model(
      testDescription: "xterm 379", variables: ["TERM": "xterm"], described: 8,
      first: "\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[>41;379;0c\u{1B}[0n\u{1B}[?64;1;2;6;9;15;16;17;18;21;22;28c",
      others: [.synchronizedOutput, .colorSchemeReports, .pixelMouse, .trueColor],
      second: "\u{1B}[?2026;0$y\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\\u{1B}[?64;1;2;6;9;15;16;17;18;21;22;28c",
      depth: .trueColor),
    Model(
      testDescription: "foot 1.13.1", variables: ["TERM": "foot", "COLORTERM": "truecolor"], described: 256,
      first: "\u{1B}P>|foot(1.13.1)\u{1B}\\\u{1B}[>1;011301;0c\u{1B}[6;14;7t\u{1B}[?2;0;994;686S"
        + "\u{1B}[?1;0;1024S\u{1B}[?2026;2$y\u{1B}[0n\u{1B}[?62;4;22c",
      graphics: .sixel, depth: .trueColor),
    Model(
      testDescription: "mlterm 3.9.2", variables: ["TERM": "mlterm"], described: 8,
      first: "\u{1B}[>24;279;0c\u{1B}[6;19;10t\u{1B}[?1;3;0S\u{1B}[?1;0;1024S\u{1B}[?2026;0$y"
        + "\u{1B}P1$r0;48;5;16m\u{1B}\\\u{1B}[0n\u{1B}[?63;1;2;3;4;6;7;15;18;22;29c",
      graphics: .sixel, depth: .palette256),
    Model(
      testDescription: "st 0.9", variables: ["TERM": "st-256color"], described: 256, first: "\u{1B}[?6c",
      others: [.kitty, .cursorPlace], second: "\u{1B}[9;1R\u{1B}[9;1R\u{1B}[?6c", depth: .palette256),
    Model(
      testDescription: "urxvt 9.30 in kitty's environment",
      variables: ["TERM": "rxvt-unicode-256color", "COLORTERM": "rxvt-xpm", "KITTY_WINDOW_ID": "1"],
      described: 256, first: "\u{1B}[>85;95;0c\u{1B}]4;1;rgb:cdcd/0000/0000\u{7}\u{1B}[0n\u{1B}[?1;2c",
      others: [.synchronizedOutput, .colorSchemeReports, .pixelMouse, .trueColor],
      second: "\u{1B}[?2026;0$y\u{1B}[?1;2c",
      depth: .palette256),
    Model(
      testDescription: "QTerminal 1.2", variables: ["TERM": "xterm-256color", "COLORTERM": "truecolor"],
      described: 256, first: "\u{1B}[>0;115;0c\u{1B}[0n\u{1B}[?1;2c", depth: .trueColor),
    Model(
      testDescription: "the terminal of Neovim 0.7", variables: ["TERM": "xterm-256color", "NVIM": "/tmp/0"],
      described: 256, first: "\u{1B}[>0;100;0c\u{1B}[0n\u{1B}[?1;2c", depth: .palette256,
      hasCursorOfEachScreen: false),
    Model(
      testDescription: "the terminal of Vim 9", variables: ["TERM": "xterm", "COLORTERM": "truecolor"],
      described: 8, first: "\u{1B}P>|libvterm(0.3)\u{1B}\\\u{1B}[>0;100;0c\u{1B}[0n\u{1B}[?1;2c",
      depth: .eight,
      hasCursorOfEachScreen: false),
    Model(
      testDescription: "screen 4.9", variables: ["TERM": "screen", "STY": "1.pts", "COLORTERM": "truecolor"],
      described: 8, first: "\u{1B}[>83;40900;0c\u{1B}]11;rgb:ffff/ffff/ffff\u{7}\u{1B}[0n\u{1B}[?1;2c",
      depth: .eight, hasMouse: false),
    Model(
      testDescription: "mosh 1.4", variables: ["TERM": "xterm"], described: 8,
      first: "\u{1B}[>1;10;0c\u{1B}[?62c",
      others: [.synchronizedOutput, .colorSchemeReports, .pixelMouse, .trueColor], second: "\u{1B}[?62c",
      depth: .palette256),
    Model(
      testDescription: "kitty 0.26.5", variables: ["TERM": "xterm-kitty", "COLORTERM": "truecolor"],
      described: 256,
      first:
        "\u{1B}P>|kitty(0.26.5)\u{1B}\\\u{1B}[>1;4000;26c\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?62;c",
      graphics: .kitty, depth: .trueColor),
    Model(
      testDescription: "kitty under another TERM", variables: ["TERM": "xterm-256color"], described: 256,
      first: "\u{1B}P>|kitty(0.26.5)\u{1B}\\\u{1B}[>1;4000;26c\u{1B}[?62;c",
      others: [
        .kitty, .kittySharedMemory, .kittyTemporaryFile, .synchronizedOutput, .colorSchemeReports,
        .pixelMouse, .trueColor,
      ],
      second: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?2026;2$y\u{1B}P1$r48:2:1:2:3m\u{1B}\\\u{1B}[?62;c",
      graphics: .kitty, depth: .trueColor),
    // Without its server's word on the terminal around it.
    Model(
      testDescription: "tmux 3.5a",
      variables: ["TERM": "tmux-256color", "TMUX": "/tmp/0,1,0", "TMUX_PANE": "%0"], described: 256,
      first: "\u{1B}P>|tmux 3.5a\u{1B}\\\u{1B}[>84;0;0c\u{1B}[0n\u{1B}[?1;2;4c", graphics: .blocks,
      depth: .trueColor),
    // By grid.rs of Zellij 0.44.3 and 0.45.0, which answers for the terminal that is attached.
    Model(
      testDescription: "Zellij 0.44", variables: ["TERM": "xterm-256color"], described: 256,
      first: "\u{1B}P>|Zellij(4403)\u{1B}\\\u{1B}[>0;4403;1c\u{1B}[0n\u{1B}[?62;4;52c",
      others: [
        .kitty, .kittySharedMemory, .kittyTemporaryFile, .largestSixel, .colorRegisters, .synchronizedOutput,
        .colorSchemeReports, .pixelMouse, .trueColor,
      ],
      second: "\u{1B}[?1;0;65536S\u{1B}[?62;4;52c", depth: .palette256),
    Model(
      testDescription: "Zellij 0.45 in a terminal without sixels", variables: ["TERM": "xterm-256color"],
      described: 256, first: "\u{1B}P>|Zellij(4500)\u{1B}\\\u{1B}[>0;4500;1c\u{1B}[0n\u{1B}[?62;52c",
      others: [
        .kitty, .kittySharedMemory, .kittyTemporaryFile, .synchronizedOutput, .colorSchemeReports,
        .pixelMouse,
        .trueColor,
      ],
      second: "\u{1B}[?62;52c", depth: .palette256),
    // Not available here. Windows Terminal: cells of 10x20 pixels for every font, and no XTSMGRAPHICS, by its issue 448
    // and pull request 17421. WezTerm, Ghostty, iTerm2 3.6 and VS Code: as measured by jquast/ucs-detect (data/*.yaml,
    // May 2026 and November 2025). xterm.js draws at most 256 colors a picture (the README of @xterm/addon-image).
    Model(
      testDescription: "Windows Terminal 1.22", variables: ["TERM": "xterm-256color"], described: 256,
      first: "\u{1B}[>0;10;1c\u{1B}[6;20;10t\u{1B}[0n\u{1B}[?61;4;6;7;14;21;22;23;24;28;32;42c",
      others: [
        .largestSixel, .colorRegisters, .synchronizedOutput, .colorSchemeReports, .pixelMouse, .trueColor,
      ],
      second: "\u{1B}[?2026;2$y\u{1B}P1$r0;48;2;1;2;3m\u{1B}\\"
        + "\u{1B}[?61;4;6;7;14;21;22;23;24;28;32;42c",
      graphics: .sixel, depth: .trueColor),
    Model(
      testDescription: "WezTerm", variables: ["TERM": "xterm-256color", "COLORTERM": "truecolor"],
      described: 256,
      first:
        "\u{1B}P>|WezTerm 20240203-110809-5046fc22\u{1B}\\\u{1B}[>1;277;0c\u{1B}[0n\u{1B}[?65;4;6;18;22;52c",
      others: [
        .kitty, .kittySharedMemory, .kittyTemporaryFile, .largestSixel, .colorRegisters, .synchronizedOutput,
        .colorSchemeReports, .pixelMouse,
      ],
      second: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?2031;0$y\u{1B}[?65;4;6;18;22;52c",
      graphics: .iterm,
      depth: .trueColor),
    Model(
      testDescription: "Ghostty over SSH, without its terminfo",
      variables: ["TERM": "xterm-256color", "SSH_TTY": "/dev/pts/1"], described: 256,
      first: "\u{1B}P>|ghostty 1.3.1\u{1B}\\\u{1B}[>1;10;0c\u{1B}[0n\u{1B}[?62;22;52c",
      others: [.kitty, .synchronizedOutput, .colorSchemeReports, .pixelMouse, .trueColor],
      second: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?2026;2$y\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\\u{1B}[?62;22;52c",
      graphics: .kitty, depth: .trueColor),
    Model(
      testDescription: "iTerm2 over SSH",
      variables: ["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2", "SSH_TTY": "/dev/pts/1"], described: 256,
      first: "\u{1B}P>|iTerm2 3.5.0\u{1B}\\\u{1B}[>64;2500;0c\u{1B}[0n\u{1B}[?64;1;2;4;6;17;18;21;22c",
      others: [
        .kitty, .largestSixel, .colorRegisters, .synchronizedOutput, .colorSchemeReports, .pixelMouse,
        .trueColor,
      ],
      second: "\u{1B}[?2026;2$y\u{1B}P1$r48;2;1;2;3m\u{1B}\\\u{1B}[?64;1;2;4;6;17;18;21;22c",
      graphics: .iterm, depth: .trueColor),
    Model(
      testDescription: "iTerm2 3.6 over SSH",
      variables: ["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2", "SSH_TTY": "/dev/pts/1"], described: 256,
      first: "\u{1B}P>|iTerm2 3.6.10\u{1B}\\\u{1B}[>64;2500;0c\u{1B}[0n\u{1B}[?64;1;2;4;6;17;18;21;22;52c",
      others: [
        .kitty, .largestSixel, .colorRegisters, .synchronizedOutput, .colorSchemeReports, .pixelMouse,
        .trueColor,
      ],
      second: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?2031;2$y\u{1B}P1$r0;48:2:1:1:2:3m\u{1B}\\"
        + "\u{1B}[?64;1;2;4;6;17;18;21;22;52c",
      graphics: .iterm, depth: .trueColor),
    Model(
      testDescription: "Alacritty over SSH", variables: ["TERM": "xterm-256color"], described: 256,
      first: "\u{1B}[>0;2400;1c\u{1B}[0n\u{1B}[?6c",
      others: [.synchronizedOutput, .colorSchemeReports, .pixelMouse, .trueColor],
      second: "\u{1B}[?2026;2$y\u{1B}[?6c", depth: .palette256),
    Model(
      testDescription: "xterm.js of VS Code",
      variables: ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode"],
      described: 256, first: "\u{1B}P>|xterm.js(5.5.0)\u{1B}\\\u{1B}[>0;276;0c\u{1B}[0n\u{1B}[?1;2c",
      others: [.synchronizedOutput, .colorSchemeReports, .pixelMouse, .trueColor],
      second: "\u{1B}[?2026;2$y\u{1B}[?1;2c",
      depth: .palette256),
  ]

  @Test(arguments: models)
  func `Each terminal gets the queries that it understands, and what its answers allow`(model: Model) {
    let environment = TerminalEnvironment(model.variables)
    var probe = TerminalProbe(environment: environment, sharedMemory: "/name", temporaryFile: "/tmp/name")
    let first = Set(probe.queries)
    #expect(!probe.takeQuestions().isEmpty)
    #expect(probe.feed(model.first.utf8).isEmpty)
    #expect(Set(probe.queries).subtracting(first) == model.others)
    #expect(probe.isComplete == model.others.isEmpty)
    let questions = probe.takeQuestions()
    #expect(questions.suffix(3) == Array((model.others.isEmpty ? "" : "\u{1B}[c").utf8)[...])
    #expect(probe.feed(model.second.utf8).isEmpty)
    #expect(probe.isComplete && probe.batches == (model.others.isEmpty ? 1 : 2))
    #expect(probe.takeErasing(columns: 80).isEmpty)
    let capabilities = probe.capabilities
    #expect(GraphicsChoice(capabilities, in: environment).graphics == model.graphics)
    #expect(ColorDepth(described: model.described, capabilities, in: environment) == model.depth)
    #expect(capabilities.quirks.hasUsableMouse == model.hasMouse)
    #expect(capabilities.quirks.hasCursorOfEachScreen == model.hasCursorOfEachScreen)
  }

  @Test(arguments: [
    // In the same row; at the bottom, where the terminal scrolled a row; at the end of a row.
    ((9, 0), (9, 31), (9, 0)), ((23, 60), (23, 11), (22, 60)), ((9, 60), (10, 11), (9, 60)),
    ((23, 49), (23, 0), (22, 49)),
  ])
  func `A query that the terminal prints is erased`(
    before: (row: Int, column: Int), after: (row: Int, column: Int), start: (row: Int, column: Int)
  ) {
    var probe = TerminalProbe(
      environment: TerminalEnvironment(["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"]),
      asksCursorPlace: true)
    _ = probe.takeQuestions()
    _ = probe.feed("\u{1B}[1;1R\u{1B}[?1;2c".utf8)
    let questions = String(decoding: probe.takeQuestions(), as: UTF8.self)
    #expect(questions.hasPrefix("\u{1B}[6n\u{1B}_G") && questions.hasSuffix("\u{1B}[6n\u{1B}[c"))
    _ = probe.feed("\u{1B}[\(before.row + 1);\(before.column + 1)R".utf8)
    _ = probe.feed("\u{1B}[\(after.row + 1);\(after.column + 1)R\u{1B}[?1;2c".utf8)
    #expect(probe.isComplete)
    let move = "\u{1B}[\(start.row + 1);\(start.column + 1)H"
    let expected = move + String(repeating: " ", count: 31) + move
    #expect(String(decoding: probe.takeErasing(columns: 80), as: UTF8.self) == expected)
    #expect(probe.cursorPlace == CursorPlace(row: start.row, column: start.column))
  }

  @Test func `Contradictory cursor positions erase nothing`() {
    var probe = TerminalProbe(
      environment: TerminalEnvironment(["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"]),
      asksCursorPlace: true)
    _ = probe.feed("\u{1B}[9;1R\u{1B}[?1;2c".utf8)
    // Without an answer to the second batch, the position from the first one stays.
    #expect(probe.cursorPlace == CursorPlace(row: 8, column: 0) && probe.takeErasing(columns: 80).isEmpty)
    _ = probe.feed("\u{1B}[9;1R\u{1B}[8;70R\u{1B}[?1;2c".utf8)
    #expect(probe.isComplete && probe.takeErasing(columns: 80).isEmpty)
  }

  @Test func `An answer that comes after the screen was set up sets no colors and watches no cursor`() {
    var probe = TerminalProbe(
      environment: TerminalEnvironment(["TERM": "st-256color", "KITTY_WINDOW_ID": "1"]))
    _ = probe.takeQuestions()
    probe.leaveMainScreen()
    _ = probe.feed("\u{1B}[?62c".utf8)
    let questions = String(decoding: probe.takeQuestions(), as: UTF8.self)
    #expect(questions.contains("\u{1B}_G") && questions.hasSuffix("\u{1B}[c"))
    #expect(!questions.contains("\u{1B}[6n") && !questions.contains("\u{1B}[48"))
  }

  @Test func `Queries repeated while a program draws the screen neither set colors nor ask for the cursor`() {
    var probe = TerminalProbe(environment: TerminalEnvironment(["TERM": "xterm"]))
    _ = probe.feed("\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[?64c\u{1B}P1$r48:2:1:2:3m\u{1B}\\\u{1B}[?64c".utf8)
    var again = probe.again()
    _ = again.takeQuestions()
    _ = again.feed("\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[?64c".utf8)
    #expect(again.takeQuestions() == Array("\u{1B}[?2026$p\u{1B}[?2031$p\u{1B}[?1016$p\u{1B}[c".utf8))
    _ = again.feed("\u{1B}[?2026;2$y\u{1B}[?64c".utf8)
    #expect(again.isComplete && again.capabilities.hasTrueColor && again.capabilities.hasSynchronizedOutput)
  }
}
