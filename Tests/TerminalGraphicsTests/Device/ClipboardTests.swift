import Testing

@testable import TerminalGraphics

@Suite struct ClipboardTests {
  @Test(arguments: [
    ("", "\u{1B}]52;c;\u{1B}\\"), ("a", "\u{1B}]52;c;YQ==\u{1B}\\"),
    ("/photos/ä b.jpg", "\u{1B}]52;c;L3Bob3Rvcy/DpCBiLmpwZw==\u{1B}\\"),
  ])
  func `A text is sent to the clipboard with OSC 52`(text: String, sequence: String) {
    #expect(String(decoding: Clipboard.sequence(Array(text.utf8)), as: UTF8.self) == sequence)
  }

  @Test func `No byte of a name controls the terminal`() {
    let sequence = Clipboard.sequence([0x1B, 0x07, 0x9C, 0xFF, 0x0A])
    #expect(sequence.dropFirst(7).dropLast(2).allSatisfy { (0x2B...0x7A).contains($0) })
  }
}
