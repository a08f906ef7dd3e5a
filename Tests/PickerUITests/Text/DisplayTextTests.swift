import Fixtures
import Testing

@testable import PickerUI

@Suite struct DisplayTextTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var text: String
    var shown: String
    var width: Int

    init(_ name: String, _ text: String, _ shown: String, _ width: Int) {
      testDescription = name
      (self.text, self.shown, self.width) = (text, shown, width)
    }
  }

  static let examples = [
    Example("nothing", "", "", 0),
    Example("letters", "IMG_1.JPG", "IMG_1.JPG", 9),
    Example("accents", "Café ÄÖ", "Café ÄÖ", 7),
    Example("escape", "\u{1B}[2J", "␛[2J", 4),
    Example("line break", "a\nb\rc\td", "a␊b␍c␉d", 7),
    Example("null and delete", "\0\u{7F}", "␀␡", 2),
    Example("8-bit controls", "\u{80}\u{9B}31m", "\u{FFFD}\u{FFFD}31m", 5),
    Example("overrides of the direction", "a\u{202E}gpj.\u{2066}b", "a\u{FFFD}gpj.\u{FFFD}b", 8),
    Example("marks of the direction", "\u{200E}\u{200F}\u{061C}", "\u{FFFD}\u{FFFD}\u{FFFD}", 3),
    Example("line separators", "a\u{2028}b\u{2029}", "a\u{FFFD}b\u{FFFD}", 4),
    Example("invisible tags", "\u{E0041}", "\u{FFFD}", 1),
    Example("wide", "東京", "東京", 4),
    Example("emoji", "📷", "📷", 2),
    Example("combining", "e\u{301}", "e\u{301}", 1),
    Example("combining without a base", "\u{301}a", "◌\u{301}a", 2),
    Example("joined emoji", "👩\u{200D}👧", "👩\u{200D}👧", 4),
    Example("a heart as an emoji", "\u{2764}\u{FE0F}x", "\u{2764}x", 2),
    Example("a camera as text", "📷\u{FE0E}x", "📷x", 3),
    Example("a key's cap", "1\u{FE0F}\u{20E3}x", "1\u{20E3}x", 2),
    Example("a selector without a base", "\u{FE0F}x", "x", 1),
    Example("another variation", "\u{2268}\u{FE00}x", "\u{2268}\u{FE00}x", 2),
    Example("Hangul by parts", "\u{1112}\u{1161}\u{11AB}", "\u{1112}\u{1161}\u{11AB}", 2),
    Example(
      "too many marks", "e" + String(repeating: "\u{301}", count: 99), "e\u{301}\u{301}\u{301}\u{301}", 1),
  ]

  @Test(arguments: examples)
  func `Displayed text has no terminal control characters`(example: Example) {
    let text = DisplayText(example.text)
    #expect(Array(text.string.unicodeScalars) == Array(example.shown.unicodeScalars))
    #expect(text.width == example.width)
  }

  @Test func `Invalid UTF-8 is replaced`() {
    #expect(DisplayText(bytes: [0x61, 0xFF, 0x62]).string == "a\u{FFFD}b")
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef", "abcdef"), ("abcdef", 5, "abcd…", "ab…ef"), ("abcdef", 1, "…", "…"),
    ("abcdef", 0, "", ""), ("abcdef", -3, "", ""), ("東京都", 5, "東京…", "東…都"), ("東京都", 4, "東…", "東…"),
    ("IMG_0001.JPG", 9, "IMG_0001…", "IMG_….JPG"), ("e\u{301}bcdef", 3, "e\u{301}b…", "e\u{301}b…"),
  ])
  func `Long text is shortened at its end or in its middle`(
    text: String, limit: Int, end: String, middle: String
  ) {
    #expect(DisplayText(text).truncated(to: limit).string == end)
    #expect(DisplayText(text).middleTruncated(to: limit).string == middle)
  }

  @Test func `Lines break at blanks, and within words if necessary`() {
    let lines = DisplayText("the file ends in the middle of thepictureofit").wrapped(to: 10)
    #expect(lines.map(\.string) == ["the file", "ends in", "the middle", "of", "thepicture", "ofit"])
    #expect(DisplayText("").wrapped(to: 10).isEmpty)
    let path = "/home/me/Photos of 2024/Lisbon"
    #expect(
      DisplayText(path).wrapped(to: 16, isPath: true).map(\.string)
        == ["/home/me/", "Photos of 2024/", "Lisbon"])
    #expect(
      DisplayText("a folder /home/me/Photos").wrapped(to: 16).map(\.string) == [
        "a folder", "/home/me/Photos",
      ])
    #expect(
      DisplayText("/home/me/Photographs").wrapped(to: 16).map(\.string) == ["/home/me/", "Photographs"])
    #expect(
      DisplayText("/withoutanyother").wrapped(to: 8, isPath: true).map(\.string) == ["/without", "anyother"])
    #expect(DisplayText("東").wrapped(to: 1).map(\.string) == ["東"])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `No text controls the terminal or exceeds a limit`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let original = DisplayText(Self.randomText(&random))
      let limit = Int.random(in: 0...30, using: &random)
      let cuts = [original.truncated(to: limit), original.middleTruncated(to: limit)]
      for text in [original] + cuts + original.wrapped(to: max(2, limit)) {
        #expect(text.width == text.pieces.reduce(0) { $0 + $1.width })
        #expect(!text.string.unicodeScalars.contains(where: Self.acts), "\(text.string.debugDescription)")
      }
      for cut in cuts { #expect(cut.width <= limit) }
      for line in original.wrapped(to: max(2, limit)) { #expect(line.width <= max(2, limit)) }
    }
  }

  private static func acts(_ scalar: Unicode.Scalar) -> Bool {
    let isBidirectional = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    return scalar.properties.generalCategory == .control || isBidirectional
  }

  private static func randomText(_ random: inout SeededGenerator) -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0...0x7F, 0x80...0x24F, 0x300...0x36F, 0x590...0x6FF, 0x1100...0x11FF, 0x2000...0x206F, 0x3000...0x4FFF,
      0xFE00...0xFE0F, 0x1F300...0x1FAFF, 0xE0000...0xE007F,
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...25, using: &random) {
      let range = ranges.randomElement(using: &random) ?? 0...0x7F
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
