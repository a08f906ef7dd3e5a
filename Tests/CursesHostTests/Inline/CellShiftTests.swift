import Testing

@testable import CursesHost

/// Output for a screen of its own, shifted to some rows of a larger one.
@Suite struct CellShiftTests {
  private func shifted(_ text: String, by top: Int = 10) -> String {
    String(decoding: CellShift(top: top)(Array(text.utf8)), as: UTF8.self)
  }

  @Test(arguments: [
    ("\u{1B}[H", "\u{1B}[11;1H"), ("\u{1B}[3H", "\u{1B}[13;1H"), ("\u{1B}[3;7H", "\u{1B}[13;7H"),
    ("\u{1B}[;7H", "\u{1B}[11;7H"), ("\u{1B}[3;7f", "\u{1B}[13;7H"), ("\u{1B}[4d", "\u{1B}[14d"),
    ("\u{1B}[d", "\u{1B}[11d"),
  ])
  func `Row numbers are shifted`(sequence: String, expected: String) {
    #expect(shifted("a\(sequence)b") == "a\(expected)b")
  }

  @Test func `Clearing the screen clears only the region's rows`() {
    #expect(shifted("\u{1B}[H\u{1B}[2J") == "\u{1B}[11;1H\u{1B}[11;1H\u{1B}[J")
  }

  @Test(arguments: [
    "\u{1B}[?1049h", "\u{1B}[?1049l", "\u{1B}[?47h", "\u{1B}[?1047l", "\u{1B}[1;24r", "\u{1B}[r",
  ])
  func `Sequences for the whole terminal are removed`(sequence: String) {
    #expect(shifted("a\(sequence)b") == "ab")
  }

  @Test(arguments: [
    "text", "\u{1B}[J", "\u{1B}[K", "\u{1B}[5A", "\u{1B}[12G", "\u{1B}[1;38;5;7m", "\u{1B}(B", "\u{1B}7",
    "\u{1B}8",
    "\u{1B}[?25l", "\u{1B}[?2026h", "\u{1B}[?1002h", "\u{1B}[22;0;0t", "\u{1B}[5n", "\u{1B}[>4;1d",
    "\u{1B}P0;1q\"1;1;10;10#0;2;0;0;0#0!10~-[3H\u{1B}\\", "\u{1B}]2;[3H\u{7}", "\u{1B}]2;[3H\u{1B}\\",
    "\u{1B}_Ga=T,f=100;[3H\u{1B}\\", "é╭─╮",
  ])
  func `All other output passes unchanged`(sequence: String) {
    #expect(shifted("a\(sequence)b") == "a\(sequence)b")
    #expect(shifted("\(sequence)\u{1B}[2;2H") == "\(sequence)\u{1B}[12;2H")
  }

  @Test(arguments: [
    "\u{1B}", "\u{1B}[", "\u{1B}[3;", "\u{1B}Pq~~", "\u{1B}]2;a", "\u{1B}(", "\u{1B}_G\u{1B}",
  ])
  func `Unterminated sequences pass unchanged`(sequence: String) {
    #expect(shifted("a\(sequence)") == "a\(sequence)")
  }

  @Test(arguments: ["\u{1B}[99999999999999999999;3H", "\u{1B}[99999999999999999999d"])
  func `An invalid number counts as the first row`(sequence: String) {
    #expect(shifted(sequence).hasPrefix("\u{1B}[11"))
  }
}
