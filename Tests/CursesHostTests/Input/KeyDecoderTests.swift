import PickerRuntime
import PickerUI
import Pixels
import TerminalGraphics
import Testing

@testable import CursesHost

@Suite struct KeyDecoderTests {
  private func inputs(_ text: String) -> [TerminalEvent] {
    var decoder = KeyDecoder()
    return decoder.feed(Array(text.utf8))
  }

  @Test(arguments: [
    ("a", [Key.character("a")]), ("é", [.character("é")]), (" ", [.space]), ("\r", [.enter]),
    ("\n", [.enter]),
    ("\t", [.tab]), ("\u{3}", [.control("c")]), ("\u{7F}", [.backspace]), ("\u{1B}[A", [.up]),
    ("\u{1B}OA", [.up]), ("\u{1B}[Z", [.backTab]), ("\u{1B}[5~", [.pageUp]), ("\u{1B}[3~", [.delete]),
    ("\u{1B}[1;5C", [.right]), ("\u{1B}x", [.alt("x")]), ("\u{1B}X", []), ("\u{1B}\r", []),
    ("\u{1B}\u{1B}[B", [.escape, .down]),
    ("ab", [.character("a"), .character("b")]), ("😀é", [.character("😀"), .character("é")]),
    ("\u{0}", [.control(" ")]), ("\u{1B}OP\u{1B}OS", [.function(1), .function(4)]),
    ("\u{1B}[11~\u{1B}[15~\u{1B}[24~", [.function(1), .function(5), .function(12)]), ("\u{1B}[16~", []),
    ("\u{1B}[1;2P", [.function(1)]), ("\u{1B}[[A\u{1B}[[Ea", [.function(1), .function(5), .character("a")]),
    ("\u{1B}[[F", []), ("\u{1B}[5R", []), ("\u{1B}[0;5R", []),
    // Sequences with a marker are answers, or private to a terminal.
    ("\u{1B}[?1A", []), ("\u{1B}[>5~", []), ("\u{1B}[=Z", []), ("\u{1B}[1 A", []),
  ])
  func `Keys are recognized from their bytes`(bytes: String, keys: [Key]) {
    #expect(inputs(bytes) == keys.map { .key($0) })
  }

  @Test func `A cursor position is an answer`() {
    #expect(inputs("\u{1B}[3;5Ra") == [.cursorPlace(CursorPlace(row: 2, column: 4)), .key(.character("a"))])
  }

  @Test func `The terminal reports its focus, not within a paste`() {
    #expect(inputs("\u{1B}[Oa\u{1B}[I") == [.focus(false), .key(.character("a")), .focus(true)])
    #expect(inputs("\u{1B}[1I\u{1B}[?O").isEmpty)
    #expect(inputs("\(Self.begin)a\u{1B}[O\(Self.end)") == [.paste("a")])
  }

  @Test func `Bytes that never complete a character are dropped`() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x80, 0x80, 0x80, 0x80]).isEmpty == true)
    #expect(decoder.feed(Array("é".utf8)) == [.key(.character("é"))])
    #expect(decoder.feed([0xC3]).isEmpty == true)
    #expect(decoder.feed(Array("aé".utf8)) == [.key(.character("a")), .key(.character("é"))])
  }

  @Test(arguments: [
    ("6;20;10", PixelSize(width: 10, height: 20) as PixelSize?), ("4;600;800", nil), ("6;20", nil),
  ])
  func `Of the reported sizes only a cell's is recognized as one`(report: String, size: PixelSize?) {
    let bytes = "\u{1B}[\(report)t"
    #expect(inputs(bytes) == [size.map { .cellSize($0) } ?? .answer(Array(bytes.utf8))])
  }

  @Test(arguments: [
    ("48;40;120;800;1200", .cellSize(PixelSize(width: 10, height: 20)) as TerminalEvent?),
    // No pixels known; none of the numbers may be 0 otherwise.
    ("48;40;120;0;0", .windowChanged), ("48;0;120;800;1200", nil), ("48;40;0;800;1200", nil),
    ("48;40;120;800", nil),
    // A margin of 45 pixels below the last row would make each row a pixel higher.
    ("48;40;120;845;1200", .windowChanged), ("48;40;120;800;1325", .windowChanged),
  ])
  func `A report of the window in band has the cell's size`(report: String, event: TerminalEvent?) {
    let bytes = "\u{1B}[\(report)t"
    #expect(inputs(bytes) == [event ?? .answer(Array(bytes.utf8))])
  }

  /// A key as terminals send it in the legacy form, and its key code.
  private static let numbered: [(plain: String, code: Int)] =
    "abcxyz0123456789,.;'[]=-/é東😀".unicodeScalars.map { (String($0), Int($0.value)) }
    + [("\r", 13), ("\t", 9), ("\u{7F}", 127), ("\u{8}", 8), (" ", 32)]

  @Test(arguments: numbered)
  func `A key sent by code equals its legacy form`(plain: String, code: Int) {
    let key = inputs(plain)
    #expect(key.count == 1)
    // kitty, with and without optional fields, Num Lock on; xterm's two forms.
    for report in [
      "\(code)u", "\(code);1u", "\(code);1:1u", "\(code);1:2u", "\(code);129u", "\(code)::\(code);1u",
      "27;1;\(code)~",
    ] {
      #expect(inputs("\u{1B}[\(report)") == key, "\(report)")
    }
    // Releases, and keys with Super, Hyper or Meta.
    for report in ["\(code);1:3u", "\(code);9u", "\(code);17u", "\(code);33u", "\(code);14:1u"] {
      #expect(inputs("\u{1B}[\(report)").isEmpty, "\(report)")
    }
  }

  @Test(arguments: Array("abcdefghijklmnopqrstuvwxyz[\\"))
  func `A Control or Alt key sent by code equals its legacy form`(letter: Character) {
    let code = Int(letter.unicodeScalars.first?.value ?? 0)
    var decoder = KeyDecoder()
    let control = decoder.feed([UInt8(code & 0x1F)]) + decoder.timeOut()
    for report in ["\(code);5u", "\(code);5:1u", "\(code);69u", "\(code);133u", "27;5;\(code)~"] {
      #expect(inputs("\u{1B}[\(report)") == control, "\(report)")
    }
    // After an escape character these begin other sequences.
    if !"[\\".contains(letter) {
      for report in ["\(code);3u", "\(code);3:2u", "27;3;\(code)~"] {
        #expect(inputs("\u{1B}[\(report)") == inputs("\u{1B}\(letter)"), "\(report)")
      }
    }
    #expect(inputs("\u{1B}[\(code);5:3u").isEmpty)
  }

  @Test(arguments: [
    ("97;2u", [Key.character("A")]), ("97:65;2u", [.character("A")]), ("49:33;2u", [.character("!")]),
    ("65;2u", [.character("A")]), ("27;2;65~", [.character("A")]), ("27;2;33~", [.character("!")]),
    ("97;65u", [.character("A")]), ("97;66u", [.character("A")]), ("233;2u", [.character("É")]),
    ("223;2u", [.character("ß")]), ("97;;65u", [.character("A")]), ("0;;229u", [.character("å")]),
    ("101;1;233u", [.character("é")]), ("97;2;65u", [.character("A")]), ("97:65;4u", [.alt("A")]),
    ("9;2u", [.backTab]), ("27;2;9~", [.backTab]), ("13;2u", [.enter]), ("27;5;13~", [.enter]),
    ("27u", [.escape]), ("27;2u", [.escape]), ("127;5u", [.backspace]), ("32;5u", [.control(" ")]),
    ("32;2u", [.space]), ("64;5u", [.control(" ")]), ("99;6u", [.control("c")]),
    ("27;6;67~", [.control("c")]),
    ("13;3u", []), ("27;3;13~", []), ("97;7u", []), ("49;5u", []), ("0u", []), ("u", []), ("1114111u", []),
    ("55296u", []), ("57399u", [.character("0")]), ("57414u", [.enter]), ("57419u", [.up]),
    ("57421;1:1u", [.pageUp]), ("57426u", [.delete]), ("57358u", []), ("57441u", []), ("57447;2u", []),
    ("1;1:1A", [.up]), ("1;1:2A", [.up]), ("1;1:3A", []), ("3;1:3~", []), ("3;1:1~", [.delete]),
    ("1;129B", [.down]), ("1;1:3H", []), ("1;1P", [.function(1)]), ("15;1:3~", []),
    ("15;1:2~", [.function(5)]),
    // The codes of these letters are those of the paste brackets.
    ("27;2;200~", [.character("È")]), ("27;2;201~", [.character("É")]),
    ("126u", [.character("~")]), ("128u", []), ("159u", []), ("160u", [.character("\u{A0}")]),
    ("27;1;2;3~", []), ("?5u", []), (">1u", []), ("=1u", []),
  ])
  func `The fields of a key report are respected`(report: String, keys: [Key]) {
    #expect(inputs("\u{1B}[\(report)") == keys.map { .key($0) })
  }

  @Test(arguments: ["\u{3}", "\u{1B}[99;5u", "\u{1B}[27;5;99~", "\u{1B}[99::99;133:1u"])
  func `Ctrl-C ends a paste in each form`(interrupt: String) {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array("\(Self.begin)abc".utf8)).isEmpty)
    #expect(decoder.feed(Array(interrupt.utf8)) == [.key(.control("c"))])
    #expect(KeyReport.interrupts("j\u{1B}[A\(interrupt)k".utf8))
    #expect(!KeyReport.interrupts("c\u{1B}[99u\u{1B}[99;5:3u\u{1B}[99;13u".utf8))
  }

  /// Numbers that no terminal sends.
  private static let numbers = [
    "-9223372036854775808", "-1", "9000000000000000000", "9223372036854775807", "9223372036854775808",
    String(repeating: "9", count: 400),
  ]

  @Test(arguments: numbers)
  func `An impossible number stays within the screen`(number: String) {
    for report in ["6;\(number);9t", "6;9;\(number)t", "\(number);9;9t"] {
      #expect(inputs("\u{1B}[\(report)") == [.answer(Array("\u{1B}[\(report)".utf8))])
    }
    for report in ["0;1;\(number)M", "32;\(number);1M", "0;\(number);\(number)m", "\(number);1;1M"] {
      for case .mouse(let event) in inputs("\u{1B}[<\(report)") {
        #expect((0...65_535).contains(event.row) && (0...65_535).contains(event.column))
      }
    }
    #expect(inputs("\u{1B}[\(number);\(number)R").isEmpty)
    #expect(inputs("\u{1B}[\(number)~\u{1B}[1;\(number)A").allSatisfy { $0 == .key(.up) })
  }

  @Test func `A lone escape is the Escape key once nothing follows`() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x1B]).isEmpty == true)
    #expect(decoder.timeOut() == [.key(.escape)])
  }

  private static let (begin, end) = ("\u{1B}[200~", "\u{1B}[201~")

  @Test(arguments: [
    ("Lisbon", "Lisbon"), ("a\nb", "a\nb"), ("a\u{1B}[31mb", "ab"), ("a\u{1B}[", "a"),
    ("a\u{1B}]0;title", "a"), ("", ""),
    ("a\u{1B}P", "a"), ("a\u{1B}[2", "a"),
  ])
  func `A paste ends with its bracket, whatever it contains`(text: String, pasted: String) {
    #expect(inputs("\(Self.begin)\(text)\(Self.end)q") == [.paste(pasted), .key(.character("q"))])
  }

  @Test(arguments: ["abc", "abc\u{1B}[201", "abc\u{1B}]x"])
  func `A paste without an end bracket ends when no more input arrives`(text: String) {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array("\(Self.begin)\(text)".utf8)).isEmpty == true)
    #expect(decoder.isPasting)
    #expect(decoder.timeOut() == [.paste("abc")])
    #expect(!decoder.isPasting && !decoder.isPending)
    #expect(decoder.feed(Array("q".utf8)) == [.key(.character("q"))])
  }

  @Test(arguments: ["abc", "abc\u{1B}[201", "abc\u{1B}]x"])
  func `A single Ctrl-C ends a paste`(text: String) {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array("\(Self.begin)\(text)".utf8)).isEmpty == true)
    #expect(decoder.feed([3]) == [.key(.control("c"))])
    #expect(decoder.feed(Array("q".utf8)) == [.key(.character("q"))])
  }

  @Test(arguments: [0, 1, 500])
  func `Only the beginning of a very long paste is used`(more: Int) {
    let text = String(repeating: "x", count: 8192)
    let rest = String(repeating: "y", count: more)
    #expect(inputs("\(Self.begin)\(text)\(rest)\(Self.end)q") == [.paste(text), .key(.character("q"))])
  }

  @Test func `Answers are recognized during a paste`() {
    let size = PixelSize(width: 10, height: 20)
    #expect(
      inputs("\(Self.begin)a\u{1B}[0nb\u{1B}[6;20;10tc\(Self.end)") == [
        .allDrawn, .cellSize(size), .paste("abc"),
      ])
  }

  @Test func `A change to dark or light colors is no key`() {
    var decoder = KeyDecoder()
    let events = decoder.feed(Array("\u{1B}[?997;1nj\u{1B}[?997;2n".utf8))
    #expect(events == [.colorSchemeChanged, .key(.character("j")), .colorSchemeChanged])
  }

  static let answers = [
    "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{1B}\\", "\u{1B}P>|XTerm(379)\u{1B}\\", "\u{1B}[?62;4;22c",
    "\u{1B}[?2026;2$y", "\u{1B}[>41;379;0c", "\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\",
    "\u{1B}_Gi=31;OK\u{1B}\\",
  ]

  @Test(arguments: answers)
  func `An answer in several pieces is no key, whichever reader gets its beginning`(answer: String) {
    let bytes = Array(answer.utf8)
    for cut in 0...bytes.count {
      var probe = TerminalProbe()
      let typed = probe.feed(Array("j".utf8) + bytes[..<cut])
      var decoder = KeyDecoder()
      #expect(decoder.feed(typed + probe.pending) == [.key(.character("j"))])
      let answers = cut < bytes.count ? [TerminalEvent.answer(bytes)] : []
      #expect(
        decoder.feed(bytes[cut...] + Array("k".utf8)) == answers + [.key(.character("k"))], "cut at \(cut)")
    }
  }
}
