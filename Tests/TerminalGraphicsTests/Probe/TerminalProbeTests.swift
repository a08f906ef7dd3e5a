import Pixels
import Testing

@testable import TerminalGraphics

@Suite struct TerminalProbeTests {
  struct Terminal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var answers: String
    var capabilities: TerminalCapabilities
    var textArea: PixelSize?
  }

  static let terminals = [
    Terminal(
      testDescription: "xterm",
      answers: "\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[>41;379;0c\u{1B}[6;20;10t\u{1B}[4;480;800t"
        + "\u{1B}]11;rgb:0000/0000/0000\u{7}\u{1B}[?63;1;2;4;6;9;15;16;22;28c"
        + "\u{1B}[?2;0;1000;1000S\u{1B}[?1;0;256S\u{1B}[?2026;0$y\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\"
        + "\u{1B}[?63;1;2;4;6;9;15;16;22;28c",
      capabilities: .of {
        $0.name = "XTerm(379)"
        $0.secondaryAttributes = [41, 379, 0]
        $0.conformance = 63
        $0.hasTrueColor = true
        $0.hasSixel = true
        $0.cellSize = PixelSize(width: 10, height: 20)
        $0.largestSixel = PixelSize(width: 1000, height: 1000)
        $0.colorRegisters = 256
        $0.background = .black
      }, textArea: PixelSize(width: 800, height: 480)),
    Terminal(
      testDescription: "mlterm",
      answers: "\u{1B}P>|mlterm(3.9.2)\u{1B}\\\u{1B}[6;17;8t\u{1B}[4;408;640t"
        + "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}\u{1B}[?63;1;2;3;4;7;29c\u{1B}[?2;0;640;408S"
        + "\u{1B}[?1;0;256S\u{1B}P1$r0;48;5;16m\u{1B}\\\u{1B}[?63;1;2;3;4;7;29c",
      capabilities: .of {
        $0.name = "mlterm(3.9.2)"
        $0.conformance = 63
        $0.hasSixel = true
        $0.cellSize = PixelSize(width: 8, height: 17)
        $0.largestSixel = PixelSize(width: 640, height: 408)
        $0.colorRegisters = 256
        $0.background = .white
      }, textArea: PixelSize(width: 640, height: 408)),
    Terminal(
      testDescription: "kitty",
      answers:
        "\u{1B}P>|kitty(0.26.5)\u{1B}\\\u{1B}[6;18;9t\u{1B}[4;432;720t\u{1B}]11;rgb:1e1e/1e1e/2828\u{1B}\\"
        + "\u{1B}[?62;c\u{1B}_Gi=31;OK\u{1B}\\\u{1B}_Gi=32;OK\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?62;c",
      capabilities: .of {
        $0.name = "kitty(0.26.5)"
        $0.conformance = 62
        $0.hasKitty = true
        $0.hasKittySharedMemory = true
        $0.cellSize = PixelSize(width: 9, height: 18)
        $0.hasSynchronizedOutput = true
        $0.background = Color(red: 30, green: 30, blue: 40)
      }, textArea: PixelSize(width: 720, height: 432)),
    Terminal(testDescription: "a console", answers: "\u{1B}[?6c", capabilities: .of { $0.conformance = 6 }),
  ]

  @Test(arguments: terminals)
  func `Answers are understood wherever they are split`(terminal: Terminal) {
    let bytes = Array(terminal.answers.utf8)
    for cut in 0...bytes.count {
      var probe = TerminalProbe()
      #expect(probe.feed(bytes[..<cut]).isEmpty == true)
      if cut < bytes.count { #expect(!probe.isComplete) }
      #expect(probe.feed(bytes[cut...]).isEmpty == true)
      #expect(probe.isComplete)
      #expect(probe.capabilities == terminal.capabilities, "cut at \(cut)")
      #expect(probe.textArea == terminal.textArea)
    }
  }

  @Test(arguments: [
    "0", "-1", "-9223372036854775808", "65537", "9000000000000000000", "9223372036854775807",
    "9223372036854775808", "+20", "1e3",
  ])
  func `An impossible size is no answer`(number: String) {
    var probe = TerminalProbe()
    for answer in [
      "6;\(number);10t", "6;20;\(number)t", "4;\(number);800t", "4;600;\(number)t", "?2;0;\(number);1000S",
      "?2;0;1000;\(number)S", "?1;0;\(number)S",
    ] {
      _ = probe.feed("\u{1B}[\(answer)".utf8)
    }
    _ = probe.feed("\u{1B}]11;rgb:-fff/+fff/ffff\u{1B}\\\u{1B}]11;rgb:\(number)/0/0\u{1B}\\".utf8)
    #expect(probe.textArea == nil)
    var capabilities = probe.capabilities
    capabilities.background = nil
    #expect(capabilities == .init())
    #expect(probe.cellSize(in: (CellSize(columns: 80, rows: 24), .zero)) == .defaultCell)
  }

  @Test(arguments: [(1, 1), (80, 24), (4096, 1), (65_535, 65_535), (1, 65_535)])
  func `A window with too many cells is used in part`(columns: Int, rows: Int) {
    let usable = TerminalDevice.usable(CellSize(columns: columns, rows: rows))
    #expect(usable.columns >= 1 && usable.rows >= 1)
    #expect(usable.columns <= columns && usable.rows <= rows)
    #expect(usable.columns * usable.rows <= 1 << 20)
    if columns * rows < 1 << 16 { #expect(usable == CellSize(columns: columns, rows: rows)) }
  }

  @Test(arguments: terminals)
  func `Keys between the answers are returned`(terminal: Terminal) {
    var probe = TerminalProbe()
    var keys: [UInt8] = []
    // Typed wherever an answer begins, as by an impatient user.
    for answer in terminal.answers.split(separator: "\u{1B}", omittingEmptySubsequences: true) {
      if answer != "\\" { keys += probe.feed("q\u{1B}[A\u{1B}OBé".utf8) }
      keys += probe.feed("\u{1B}\(answer)".utf8)
    }
    let typed = String(decoding: keys, as: UTF8.self)
    #expect(typed.replacing("q\u{1B}[A\u{1B}OBé", with: "").isEmpty)
    #expect(probe.capabilities == terminal.capabilities)
  }

  @Test(arguments: [
    "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{1B}\\", "\u{1B}[?62;4c", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}",
  ])
  func `The received part of an answer is recognized, wherever it is cut off`(answer: String) {
    let bytes = Array(answer.utf8)
    for cut in 0..<bytes.count {
      var probe = TerminalProbe()
      #expect(probe.feed(Array("q".utf8) + bytes[..<cut]) == Array("q".utf8))
      #expect(probe.pending == Array(bytes[..<cut]))
    }
  }

  @Test func `Silence is no answer`() {
    var probe = TerminalProbe()
    #expect(probe.feed([]).isEmpty == true)
    #expect(!probe.isComplete)
    #expect(probe.capabilities == TerminalCapabilities())
  }

  @Test(arguments: [("0n", true), ("3n", false), ("n", false), ("?0n", false), ("0;0n", false)])
  func `The first answer shows whether a terminal reports when everything is drawn`(
    answer: String, tells: Bool
  ) {
    var probe = TerminalProbe()
    #expect(!probe.confirmsDrawing)
    _ = probe.feed("\u{1B}[\(answer)\u{1B}[?6c".utf8)
    #expect(probe.confirmsDrawing == tells)
    #expect(probe.isComplete)
  }

  @Test(arguments: [
    ("62;4;22", true), ("4", true), ("62;4", true), ("62;14;24;40;44", false), ("62", false), ("", false),
    ("62;04", true),
  ])
  func `Sixels require a parameter of exactly 4`(parameters: String, hasSixel: Bool) {
    var probe = TerminalProbe()
    _ = probe.feed("\u{1B}[?\(parameters)c".utf8)
    #expect(probe.capabilities.hasSixel == hasSixel)
    // Sixels and VT220s are worth more queries.
    let isDone = probe.isComplete
    #expect(isDone == (parameters.isEmpty))
    _ = probe.feed("\u{1B}[?\(parameters)c".utf8)
    #expect(probe.isComplete)
  }

  @Test(arguments: ["6;0;0t", "6;1;1t", "6;3;2t", "6;20t", "6;20;10;1t", "8;24;80t"])
  func `A zero or impossible cell size is ignored`(answer: String) {
    var probe = TerminalProbe()
    _ = probe.feed("\u{1B}[\(answer)".utf8)
    #expect(probe.capabilities.cellSize == nil)
  }

  @Test(arguments: ["?2;3;0S", "?1;3;0S", "?2;1S", "?2026;0$y", "?2026;4$y", "?2004;1$y"])
  func `A refusal is no capability`(answer: String) {
    var probe = TerminalProbe()
    #expect(probe.feed("\u{1B}[\(answer)".utf8).isEmpty == true)
    #expect(probe.capabilities == TerminalCapabilities())
  }

  static let kittyAnswers: [(String, Set<TerminalQuery>)] = [
    ("i=31;OK", [.kitty]), ("i=32;OK", [.kittySharedMemory]), ("i=33;OK", [.kittyTemporaryFile]),
    ("i=31,p=1;OK", [.kitty]), ("i=31;ENOENT:no", []), ("i=33;EPERM:no", []), ("i=3;OK", []), ("i=31", []),
    ("", []), ("i=310;OK", []),
  ]

  @Test(arguments: kittyAnswers)
  func `kitty's protocol requires an OK to our own query`(answer: String, confirmed: Set<TerminalQuery>) {
    var probe = TerminalProbe()
    #expect(probe.feed("\u{1B}_G\(answer)\u{1B}\\".utf8).isEmpty == true)
    #expect(probe.capabilities.hasKitty == confirmed.contains(.kitty))
    #expect(probe.capabilities.hasKittySharedMemory == confirmed.contains(.kittySharedMemory))
    #expect(probe.capabilities.hasKittyTemporaryFiles == confirmed.contains(.kittyTemporaryFile))
  }

  private static let kitty: Set<TerminalQuery> = [.kitty, .kittySharedMemory, .kittyTemporaryFile]
  private static let sixel: Set<TerminalQuery> = [.largestSixel, .colorRegisters]
  private static let requests: Set<TerminalQuery> = [
    .synchronizedOutput, .colorSchemeReports, .pixelMouse, .trueColor,
  ]
  private static let harmless = Set(TerminalQuery.allCases).subtracting(kitty).subtracting(sixel)
    .subtracting(requests)

  static let environments: [([String: String], Set<TerminalQuery>)] = [
    (["TERM": "xterm-256color"], harmless), ([:], harmless), (["TERM": "st-256color"], harmless),
    (["TERM": "rxvt-unicode-256color", "COLORTERM": "rxvt-xpm", "KITTY_WINDOW_ID": "1"], harmless),
    (["TERM": "xterm", "TMUX": "x"], harmless), (["TERM": "screen"], harmless),
    (["TERM": "linux"], harmless.subtracting([.palette])), (["TERM": "dumb"], []),
    // Terminals with a TERM of their own get everything at once.
    (["TERM": "xterm-kitty"], harmless.union(kitty).union(requests)),
    (
      ["TERM": "xterm-kitty", "COLORTERM": "truecolor", "SSH_TTY": "/dev/pts/3"],
      harmless.union([.kitty, .synchronizedOutput, .colorSchemeReports, .pixelMouse])
    ),
    (["TERM": "foot-extra"], harmless.union(sixel).union(requests)),
    (
      ["TERM": "mlterm", "COLORTERM": "truecolor"],
      harmless.union(sixel).union([.synchronizedOutput, .colorSchemeReports, .pixelMouse])
    ),
    (["TERM": "alacritty"], harmless.union(requests)),
    // tmux takes kitty's query for a title.
    (
      ["TERM": "xterm-kitty", "TMUX": "x"],
      harmless.union([.synchronizedOutput, .colorSchemeReports, .pixelMouse])
    ),
    (
      ["TERM": "tmux-256color", "TMUX": "x"],
      harmless.union(sixel).union([.synchronizedOutput, .colorSchemeReports, .pixelMouse])
    ),
    (
      ["TERM": "screen-256color", "TMUX": "x"],
      harmless.union(sixel).union([.synchronizedOutput, .colorSchemeReports, .pixelMouse])
    ),
  ]

  @Test(arguments: environments)
  func `An unknown terminal gets only harmless queries first, and the attributes last`(
    variables: [String: String], first: Set<TerminalQuery>
  ) {
    var probe = TerminalProbe(
      environment: TerminalEnvironment(variables), sharedMemory: "/name", temporaryFile: "/tmp/name",
      asksCursorPlace: true)
    #expect(Set(probe.queries) == first)
    #expect(probe.isComplete == probe.queries.isEmpty)
    let questions = probe.takeQuestions()
    #expect(questions.suffix(3) == Array((first.isEmpty ? "" : "\u{1B}[c").utf8)[...])
    // Nothing is sent twice.
    #expect(probe.takeQuestions().isEmpty)
  }

  @Test func `The cursor position is queried only if needed`() {
    let answer = Array("\u{1B}[12;34R".utf8)
    var probe = TerminalProbe(asksCursorPlace: true)
    #expect(probe.takeQuestions().suffix(7) == Array("\u{1B}[6n\u{1B}[c".utf8)[...])
    #expect(probe.feed(answer).isEmpty)
    #expect(probe.cursorPlace == CursorPlace(row: 11, column: 33))
    var other = TerminalProbe()
    #expect(!other.queries.contains(.cursorPlace))
    #expect(other.feed(answer) == answer && other.cursorPlace == nil)
    #expect(!probe.again().queries.contains(.cursorPlace))
  }

  @Test(arguments: [[], [3], [0, 1], [1, 0], [1, 2, 3], [-1, 4], [1 << 20, 4]])
  func `No other numbers are a cursor position`(numbers: [Int]) {
    #expect(CursorPlace(answer: numbers) == nil)
  }

  @Test func `The terminal is asked for a black pixel in memory and in a file`() {
    var probe = TerminalProbe(
      environment: TerminalEnvironment(["TERM": "xterm-kitty"]), sharedMemory: "/name", temporaryFile: "/name"
    )
    let questions = String(decoding: probe.takeQuestions(), as: UTF8.self)
    #expect(questions.contains("\u{1B}_Gi=32,s=1,v=1,a=q,t=s,S=3,f=24;L25hbWU=\u{1B}\\"))
    #expect(questions.contains("\u{1B}_Gi=33,s=1,v=1,a=q,t=t,S=3,f=24;L25hbWU=\u{1B}\\"))
  }

  @Test func `The report lists every query, its answer and the conclusion`() {
    var probe = TerminalProbe(
      environment: TerminalEnvironment(["TERM": "xterm-kitty"]), sharedMemory: "/name",
      temporaryFile: "/tmp/name")
    _ = probe.feed("\u{1B}P>|kit\u{1B}[2Jty(0.26.5)\u{1B}\\\u{1B}P>|kitty(0.26.5)\u{1B}\\".utf8)
    _ = probe.feed("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;18;9t\u{1B}[?62;c".utf8)
    let environment = TerminalEnvironment(["TERM": "xterm-kitty"])
    let report = ProbeReport(
      probe, in: environment, choice: GraphicsChoice(probe.capabilities, in: environment),
      window: (CellSize(columns: 80, rows: 24), .zero), cell: PixelSize(width: 9, height: 18))
    let text = report.lines.joined(separator: "\n")
    #expect(!text.contains("\u{1B}"))
    for query in TerminalQuery.allCases { #expect(text.contains("  \(query.rawValue) ")) }
    #expect(text.contains("ESC P>|kitty(0.26.5)ESC \\ → kitty(0.26.5)"))
    #expect(text.contains("kitty, memory   none → not confirmed"))
    #expect(text.contains("none → pictures are sent inline"))
    #expect(text.contains("pictures: kitty, because the terminal answered kitty's query with OK"))
    #expect(text.contains("sixel: no, DA1 has no parameter 4"))
  }

  static let backgrounds: [(String, Color?)] = [
    ("rgb:ff/80/00", Color(red: 255, green: 128, blue: 0)),
    ("rgb:f/0/8", Color(red: 255, green: 0, blue: 136)),
    ("rgba:ffff/ffff/ffff/8000", .white), ("#ffffff", nil), ("rgb:zz/00/00", nil), ("rgb:00000/0/0", nil),
    ("", nil), ("rgb:1/2", nil),
  ]

  @Test func `The palette is reported color by color, in answers split anywhere`() {
    let answers =
      "\u{1B}]4;4;rgb:0d0d/7373/cccc\u{1B}\\\u{1B}]4;6;rgb:0d/cd/cd\u{7}"
      // Several in one, as some terminals answer.
      + "\u{1B}]4;0;rgb:0/0/0;15;rgb:ffff/ffff/ffff\u{1B}\\"
      // No colors, and numbers beyond the requested ones.
      + "\u{1B}]4;5;?\u{1B}\\\u{1B}]4;16;rgb:1/2/3\u{7}\u{1B}]4;-1;rgb:1/2/3\u{7}"
      + "\u{1B}]4;99999999999999999999;rgb:1/2/3\u{7}\u{1B}]4;\u{7}\u{1B}]4;4\u{7}"
    let expected: [Int: Color] = [
      0: .black, 4: Color(red: 13, green: 115, blue: 204), 6: Color(red: 13, green: 205, blue: 205),
      15: .white,
    ]
    let bytes = Array(answers.utf8)
    for cut in 0...bytes.count {
      var probe = TerminalProbe()
      #expect(probe.feed(bytes[..<cut]) + probe.feed(bytes[cut...]) == [])
      #expect(probe.capabilities.palette == expected)
    }
    // Queried one by one: not every terminal answers several queries in one string.
    var asking = TerminalProbe()
    let questions = String(decoding: asking.takeQuestions(), as: UTF8.self)
    // Ended by BEL: urxvt answers ST with its first byte only.
    for number in 0..<16 { #expect(questions.contains("\u{1B}]4;\(number);?\u{7}")) }
    var console = TerminalProbe(environment: TerminalEnvironment(["TERM": "linux"]))
    #expect(!String(decoding: console.takeQuestions(), as: UTF8.self).contains("]4;"))
  }

  @Test(arguments: backgrounds)
  func `The background is parsed in X11 color notation`(answer: String, color: Color?) {
    var probe = TerminalProbe()
    _ = probe.feed("\u{1B}]11;\(answer)\u{7}".utf8)
    #expect(probe.capabilities.background == color)
  }
}

extension TerminalCapabilities {
  fileprivate static func of(_ change: (inout Self) -> Void) -> Self {
    var capabilities = Self()
    change(&capabilities)
    capabilities.quirks = TerminalQuirks(
      of: capabilities.name.map { TerminalName($0) }, in: TerminalEnvironment())
    return capabilities
  }
}
