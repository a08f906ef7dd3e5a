import TestTerminal
import Testing

/// The splitter of the virtual terminal must split a stream the same way wherever the chunks end.
@Suite struct StreamSplitterTests {
  /// A stream and its expected pieces.
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let stream: [UInt8]
    let pieces: [StreamPiece]

    init(_ name: String, _ stream: String, _ pieces: [StreamPiece]) {
      self.init(name, bytes: Array(stream.utf8), pieces)
    }

    init(_ name: String, bytes: [UInt8], _ pieces: [StreamPiece]) {
      testDescription = name
      stream = bytes
      self.pieces = pieces
    }
  }

  static func text(_ text: String) -> StreamPiece { .text(Array(text.utf8)) }

  static func csi(_ rest: String) -> StreamPiece {
    .csi(ControlSequence(bytes: Array("\u{1B}[\(rest)".utf8)))
  }

  static let examples: [Example] = [
    Example("nothing", "", []),
    Example("plain text with controls", "one\r\ntwo\u{7}", [text("one\r\ntwo\u{7}")]),
    Example(
      "control sequences", "a\u{1B}[1;31mb\u{1B}[?2026$p\u{1B}[>qc\u{1B}[m",
      [text("a"), csi("1;31m"), text("b"), csi("?2026$p"), csi(">q"), text("c"), csi("m")]),
    Example(
      "escape sequences", "\u{1B}7\u{1B}(Bx\u{1B}8\u{1B}=",
      [
        .escape(Array("\u{1B}7".utf8)), .escape(Array("\u{1B}(B".utf8)), text("x"),
        .escape(Array("\u{1B}8".utf8)), .escape(Array("\u{1B}=".utf8)),
      ]),
    Example(
      "a sixel picture between texts", "x\u{1B}P0;1;0q\"1;1;2;6#0;2;0;0;0#0!2~\u{1B}\\y",
      [text("x"), .dcs(Array("0;1;0q\"1;1;2;6#0;2;0;0;0#0!2~".utf8)), text("y")]),
    Example(
      "kitty's command and a title", "\u{1B}_Gi=31,a=q;AAAA\u{1B}\\\u{1B}]0;title\u{7}\u{1B}]11;?\u{1B}\\",
      [
        .apc(Array("Gi=31,a=q;AAAA".utf8)), .osc(Array("0;title".utf8), endedByBell: true),
        .osc(Array("11;?".utf8), endedByBell: false),
      ]),
    Example(
      "BEL ends nothing but an operating system command", "\u{1B}Pq~\u{7}~\u{1B}\\\u{1B}_G\u{7}\u{1B}\\",
      [.dcs(Array("q~\u{7}~".utf8)), .apc(Array("G\u{7}".utf8))]),
    Example(
      "continuation bytes are no C1 controls", "\u{1B}]0;ěÐŐß\u{1B}\\ě\u{90}日本\u{9B}31m\u{9F}",
      [.osc(Array("0;ěÐŐß".utf8), endedByBell: false), text("ě\u{90}日本\u{9B}31m\u{9F}")]),
    Example(
      "bytes that are no UTF-8", bytes: [0x9B, 0x33, 0x6D, 0x90, 0x71, 0x9C, 0xFF],
      [.text([0x9B, 0x33, 0x6D, 0x90, 0x71, 0x9C, 0xFF])]),
    Example(
      "CAN and SUB abort", "\u{1B}Pq~~\u{18}a\u{1B}[1\u{1A}b\u{1B}\u{18}c",
      [
        .aborted(Array("\u{1B}Pq~~".utf8)), text("a"), .aborted(Array("\u{1B}[1".utf8)), text("b"),
        .aborted([0x1B]), text("c"),
      ]),
    Example(
      "CAN and ST after half a picture", "\u{1B}Pq~~\u{18}\u{1B}\\z",
      [.aborted(Array("\u{1B}Pq~~".utf8)), .escape(Array("\u{1B}\\".utf8)), text("z")]),
    Example(
      "an escape sequence aborts a string", "\u{1B}]0;abc\u{1B}[2Jd",
      [.aborted(Array("\u{1B}]0;abc".utf8)), csi("2J"), text("d")]),
    Example(
      "an escape sequence aborts another", "\u{1B}[12\u{1B}[H\u{1B}\u{1B}7",
      [.aborted(Array("\u{1B}[12".utf8)), csi("H"), .aborted([0x1B]), .escape(Array("\u{1B}7".utf8))]),
    Example(
      "controls act inside a control sequence", "\u{1B}[1\n2mx",
      [text("\n"), csi("12m"), text("x")]),
    Example(
      "a character aborts a control sequence", "\u{1B}[1é",
      [.aborted(Array("\u{1B}[1".utf8)), text("é")]),
    Example(
      "what is passed through tmux", "\u{1B}Ptmux;\u{1B}\u{1B}_Gi=1;AA\u{1B}\u{1B}\\\u{1B}\\.",
      [.dcs(Array("tmux;\u{1B}\u{1B}_Gi=1;AA\u{1B}\u{1B}\\".utf8)), text(".")]),
    Example(
      "strings that no terminal shows", "\u{1B}^private\u{1B}\\\u{1B}Xstart\u{1B}\\",
      [.ignored(Array("private".utf8)), .ignored(Array("start".utf8))]),
  ]

  /// Splits a stream that arrives in these chunks; consecutive texts are joined.
  static func pieces(of chunks: [ArraySlice<UInt8>]) -> [StreamPiece] {
    var splitter = StreamSplitter()
    var pieces: [StreamPiece] = []
    for piece in chunks.flatMap({ splitter.split(Array($0)) }) {
      if case .text(let new) = piece, case .text(let old) = pieces.last {
        pieces[pieces.count - 1] = .text(old + new)
      } else {
        pieces.append(piece)
      }
    }
    return pieces
  }

  @Test(arguments: examples) func `A stream in one piece is split into its parts`(_ example: Example) {
    #expect(Self.pieces(of: [example.stream[...]]) == example.pieces)
  }

  @Test(arguments: examples) func `A stream cut at any two points is split the same way`(_ example: Example) {
    let stream = example.stream
    for first in 0...stream.count {
      for second in first...stream.count {
        let chunks = [stream[..<first], stream[first..<second], stream[second...]]
        #expect(Self.pieces(of: chunks) == example.pieces, "cut at \(first) and \(second)")
      }
    }
  }

  @Test(arguments: examples) func `A stream is split the same way byte by byte`(_ example: Example) {
    let chunks = example.stream.indices.map { example.stream[$0...$0] }
    #expect(Self.pieces(of: chunks) == example.pieces)
  }

  @Test func `No byte of random streams is lost`() {
    var generator = SplitMix(state: 20)
    let alphabet = Array("\u{1B}\u{1B}\u{1B}[]P_\\;q?1~m\u{7}\u{18}é\n".utf8)
    for _ in 0..<300 {
      let stream = (0..<60).map { _ in alphabet[Int(generator.next() % UInt64(alphabet.count))] }
      let whole = Self.pieces(of: [stream[...]])
      let cuts = (0..<4).map { _ in Int(generator.next() % 61) }.sorted()
      let chunks = zip([0] + cuts, cuts + [60]).map { stream[$0..<$1] }
      #expect(Self.pieces(of: chunks) == whole, "\(stream) cut at \(cuts)")
      #expect(Self.pieces(of: stream.indices.map { stream[$0...$0] }) == whole, "\(stream)")
    }
  }

  @Test func `An unfinished sequence is aborted at the end`() {
    var splitter = StreamSplitter()
    #expect(splitter.split(Array("a\u{1B}Pq~".utf8)) == [Self.text("a")])
    #expect(splitter.isInsideSequence)
    #expect(splitter.finish() == .aborted(Array("\u{1B}Pq~".utf8)))
    #expect(splitter.finish() == nil)
  }

  @Test func `A control sequence has its parts`() {
    let sequence = ControlSequence(bytes: Array("\u{1B}[?1;;38:2:5$p".utf8))
    #expect(sequence.marker == UInt8(ascii: "?"))
    #expect(sequence.parameters == [1, 0, 38])
    #expect(sequence.parameterCount == 5)
    #expect(sequence.matches("?$p"))
    #expect(!sequence.matches("?p"))
    #expect(ControlSequence(bytes: Array("\u{1B}[c".utf8)).parameters.isEmpty)
  }
}

/// A small generator, so that a failure can be reproduced.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
