import Testing

@testable import TerminalGraphics

@Suite struct EscapeTokenizerTests {
  private typealias Token = EscapeTokenizer.Token

  private func tokens(_ text: String) -> [Token] {
    var tokenizer = EscapeTokenizer()
    return text.utf8.compactMap { tokenizer.feed($0) }
  }

  private func csi(
    _ final: Character, _ parameters: [Int] = [], marker: Character? = nil, intermediate: Character? = nil
  ) -> EscapeTokenizer.Kind {
    .csi(.init(marker: marker, parameters: parameters, intermediate: intermediate, final: final))
  }

  @Test func `Control sequences are parsed`() {
    let kinds = tokens("\u{1B}[A\u{1B}[1;5C\u{1B}[?2026;2$y\u{1B}[;3H\u{1B}[>1c\u{1B}[38:2:1mx").map(\.kind)
    #expect(
      kinds == [
        csi("A"), csi("C", [1, 5]), csi("y", [2026, 2], marker: "?", intermediate: "$"), csi("H", [0, 3]),
        csi("c", [1], marker: ">"), csi("m", [38]), .other,
      ])
  }

  @Test func `The first and the last letter end a control sequence too`() {
    #expect(tokens("\u{1B}[2@\u{1B}[3~").map(\.kind) == [csi("@", [2]), csi("~", [3])])
  }

  @Test(arguments: [("P", "\u{1B}\\"), ("]", "\u{7}"), ("_", "\u{1B}\\"), ("^", "\u{1B}\\"), ("X", "\u{7}")])
  func `Strings end with ST or BEL`(introducer: Character, terminator: String) {
    let text = "\u{1B}\(introducer)payload\(terminator)"
    let kind = EscapeTokenizer.Kind.string(introducer: introducer, payload: "payload")
    #expect(tokens(text) == [Token(kind: kind, bytes: Array(text.utf8))])
  }

  @Test(arguments: ["\u{1B}[1;2", "\u{1B}[", "\u{1B}[[", "\u{1B}]11;rgb", "\u{1B}_", "\u{1B}P>|a"])
  func `Another sequence ends a pending one`(begun: String) {
    #expect(tokens("\(begun)\u{1B}[201~a").map(\.kind) == [csi("~", [201]), .other])
    #expect(tokens("\(begun)\u{1B}]a\u{7}").map(\.kind) == [.string(introducer: "]", payload: "a")])
  }

  @Test func `Consecutive escapes in a string count as one`() {
    #expect(tokens("\u{1B}]a\u{1B}\u{1B}\\").map(\.kind) == [.string(introducer: "]", payload: "a\u{1B}")])
  }

  @Test func `Everything else passes unchanged`() {
    let text = "aé\u{1B}x\u{1B}OA\u{1B}\u{1B}[B"
    #expect(tokens(text).flatMap(\.bytes) == Array(text.utf8))
    #expect(tokens("\u{1B}\u{1B}[B").map(\.kind) == [.other, csi("B")])
  }

  @Test func `CAN aborts a sequence`() {
    #expect(tokens("\u{1B}[1;2\u{18}a").map(\.bytes) == [[UInt8(ascii: "a")]])
    #expect(tokens("\u{1B}Pabc\u{1A}a").map(\.bytes) == [[UInt8(ascii: "a")]])
  }

  @Test func `A lone escape is recognized`() {
    var tokenizer = EscapeTokenizer()
    #expect(!tokenizer.isPending)
    _ = tokenizer.feed(0x1B)
    #expect(tokenizer.isPending)
    #expect(tokenizer.isLoneEscape)
    let token = tokenizer.flush()
    #expect(token == Token(kind: .other, bytes: [0x1B]))
    #expect(!tokenizer.isPending)
    let nothing = tokenizer.flush()
    #expect(nothing == nil)
  }

  @Test func `An endless string uses limited memory and can still end`() {
    var tokenizer = EscapeTokenizer()
    for byte in "\u{1B}P".utf8 { _ = tokenizer.feed(byte) }
    for _ in 0..<200_000 { _ = tokenizer.feed(0x41) }
    let token = tokenizer.feed(0x07)
    #expect((token?.bytes.count ?? 0) < 100_000)
    #expect(!tokenizer.isPending)
  }

  @Test(arguments: [
    ("\u{1B}", false), ("\u{1B}P", false), ("\u{1B}_", false), ("\u{1B}_G", true),
    ("\u{1B}]11;rgb\u{1B}", true),
    ("\u{1B}[1", false), ("\u{1B}_Gi=31;OK\u{1B}\\", false), ("a", false),
  ])
  func `The beginning of an answer is distinguished from a key`(bytes: String, isInside: Bool) {
    var tokenizer = EscapeTokenizer()
    for byte in bytes.utf8 { _ = tokenizer.feed(byte) }
    #expect(tokenizer.isInsideString == isInside)
  }
}
