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
    // Those with a marker are answers, or a terminal's own.
    ("\u{1B}[?1A", []), ("\u{1B}[>5~", []), ("\u{1B}[=Z", []), ("\u{1B}[1 A", []),
  ])
  func `Keys are told from the bytes that they send`(bytes: String, keys: [Key]) {
    #expect(inputs(bytes) == keys.map { .key($0) })
  }

  @Test func `Where the cursor is, is an answer`() {
    #expect(inputs("\u{1B}[3;5Ra") == [.cursorPlace(CursorPlace(row: 2, column: 4)), .key(.character("a"))])
  }

  @Test func `Bytes that never become a letter are dropped`() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x80, 0x80, 0x80, 0x80]).isEmpty == true)
    #expect(decoder.feed(Array("é".utf8)) == [.key(.character("é"))])
    #expect(decoder.feed([0xC3]).isEmpty == true)
    #expect(decoder.feed(Array("aé".utf8)) == [.key(.character("a")), .key(.character("é"))])
  }

  @Test(arguments: [
    ("6;20;10", PixelSize(width: 10, height: 20) as PixelSize?), ("4;600;800", nil), ("6;20", nil),
  ])
  func `Of the sizes that a terminal tells only a cell's is taken for one`(report: String, size: PixelSize?) {
    let bytes = "\u{1B}[\(report)t"
    #expect(inputs(bytes) == [size.map { .cellSize($0) } ?? .answer(Array(bytes.utf8))])
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
  func `A paste ends with its bracket, whatever is in it`(text: String, pasted: String) {
    #expect(inputs("\(Self.begin)\(text)\(Self.end)q") == [.paste(pasted), .key(.character("q"))])
  }

  @Test(arguments: ["abc", "abc\u{1B}[201", "abc\u{1B}]x"])
  func `A paste without an end ends when nothing comes any more`(text: String) {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array("\(Self.begin)\(text)".utf8)).isEmpty == true)
    #expect(decoder.isPasting)
    #expect(decoder.timeOut() == [.paste("abc")])
    #expect(!decoder.isPasting && !decoder.isPending)
    #expect(decoder.feed(Array("q".utf8)) == [.key(.character("q"))])
  }

  @Test(arguments: ["abc", "abc\u{1B}[201", "abc\u{1B}]x"])
  func `Ctrl-C by itself leads out of a paste`(text: String) {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array("\(Self.begin)\(text)".utf8)).isEmpty == true)
    #expect(decoder.feed([3]) == [.key(.control("c"))])
    #expect(decoder.feed(Array("q".utf8)) == [.key(.character("q"))])
  }

  @Test(arguments: [0, 1, 500])
  func `Of a paste as long as a book the beginning counts`(more: Int) {
    let text = String(repeating: "x", count: 8192)
    let rest = String(repeating: "y", count: more)
    #expect(inputs("\(Self.begin)\(text)\(rest)\(Self.end)q") == [.paste(text), .key(.character("q"))])
  }

  @Test func `Answers come through while something is pasted`() {
    let size = PixelSize(width: 10, height: 20)
    #expect(
      inputs("\(Self.begin)a\u{1B}[0nb\u{1B}[6;20;10tc\(Self.end)") == [
        .allDrawn, .cellSize(size), .paste("abc"),
      ])
  }

  static let answers = [
    "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{1B}\\", "\u{1B}P>|XTerm(379)\u{1B}\\", "\u{1B}[?62;4;22c",
    "\u{1B}[?2026;2$y",
    "\u{1B}_Gi=31;OK\u{1B}\\",
  ]

  @Test(arguments: answers)
  func `An answer that comes in pieces is no key, whoever reads its beginning`(answer: String) {
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
