import Pixels
import TerminalGraphics
import Testing

@Suite struct BlockSymbolsTests {
  static let names: [(character: Unicode.Scalar, parts: [Int], rows: Int)] = [
    ("▘", [1], 2), ("▖", [3], 2), ("▞", [2, 3], 2), ("▟", [2, 3, 4], 2),
    ("\u{1FB00}", [1], 3), ("\u{1FB13}", [3, 5], 3), ("\u{1FB14}", [2, 3, 5], 3),
    ("\u{1FB27}", [1, 4, 6], 3),
    ("\u{1FB28}", [1, 2, 4, 6], 3), ("\u{1FB3B}", [2, 3, 4, 5, 6], 3),
    ("\u{1CD00}", [3], 4), ("\u{1CD03}", [4], 4), ("\u{1CD13}", [1, 2, 4, 5], 4), ("\u{1CD27}", [5, 6], 4),
    ("\u{1CD33}", [3, 4, 5, 6], 4), ("\u{1CDAE}", [1, 2, 7, 8], 4), ("\u{1CDDD}", [1, 2, 5, 6, 7, 8], 4),
    ("\u{1CDE5}", [2, 3, 4, 5, 6, 7, 8], 4),
  ]

  @Test(arguments: names)
  func `The test's terminal draws characters as Unicode names them`(
    name: (character: Unicode.Scalar, parts: [Int], rows: Int)
  ) {
    #expect(BlockShape(name.character) == BlockShape(parts: name.parts, rows: name.rows))
  }

  static let terminals: [(name: String?, term: String, symbols: BlockSymbols)] = [
    (nil, "xterm-256color", .quadrant), (nil, "linux", .half), ("XTerm(379)", "xterm", .quadrant),
    ("kitty(0.26.5)", "xterm-kitty", .sextant), ("kitty(0.40.0)", "xterm-kitty", .octant),
    ("kitty(0.9.1)", "xterm-kitty", .quadrant), ("foot(1.13.1)", "foot", .sextant),
    ("foot(1.20.2)", "foot", .octant), ("ghostty 1.1.3", "xterm-ghostty", .sextant),
    ("ghostty 1.2.0", "xterm-ghostty", .octant), ("WezTerm 20230712-072601-f4abf8fd", "wezterm", .sextant),
    ("VTE(7600)", "xterm-256color", .sextant), ("VTE(8002)", "xterm-256color", .octant),
    ("tmux 3.5a", "tmux-256color", .quadrant), ("mlterm(3.9.3)", "mlterm", .quadrant),
    ("kitty", "xterm-kitty", .quadrant), ("", "", .quadrant),
  ]

  @Test(arguments: terminals)
  func `A terminal gets the finest symbols that it is known to draw`(
    terminal: (name: String?, term: String, symbols: BlockSymbols)
  ) {
    #expect(
      BlockSymbols(terminal: terminal.name, term: terminal.term, isUTF8: true) == terminal.symbols)
    #expect(BlockSymbols(terminal: terminal.name, term: terminal.term, isUTF8: false) == .ascii)
  }

  @Test func `Finer symbols compare greater`() {
    #expect(BlockSymbols.allCases.sorted() == BlockSymbols.allCases)
  }
}
