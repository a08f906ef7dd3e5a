import TerminalGraphics
import Testing

@Suite struct KeyReportTests {
  @Test(arguments: [
    ("\u{3}", true), ("\u{1B}[99;5u", true), ("\u{1B}[67;6u", true), ("\u{1B}[27;5;99~", true),
    // With Caps Lock and Num Lock it is the same key.
    ("\u{1B}[99;69u", true), ("\u{1B}[99;133u", true),
    ("c", false), ("\u{1B}[99u", false), ("\u{1B}[97;5u", false), ("\u{1B}[27;5;97~", false),
    // With Alt, Super, Hyper or Meta it is another key, and on release none.
    ("\u{1B}[99;7u", false), ("\u{1B}[99;13u", false), ("\u{1B}[99;21u", false), ("\u{1B}[99;37u", false),
    ("\u{1B}[99;5:3u", false),
  ])
  func `Only Control and c interrupt, in whichever form a terminal reports them`(
    keys: String, interrupts: Bool
  ) {
    #expect(KeyReport.interrupts(keys.utf8) == interrupts)
    #expect(KeyReport.interrupts("x\(keys)y".utf8) == interrupts)
  }
}
