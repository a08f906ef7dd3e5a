import Testing

@testable import Completion

@Suite struct CompletionLineTests {
  private func line(_ text: String, _ shell: Shell = .bash) -> CompletionLine {
    CompletionLine(text, shell: shell) { $0 == "HOME" ? "/home/me" : nil }
  }

  @Test func `Text that the shell removes is not part of a word`() {
    let line = line("LANG=C X=1 tpick list 2> errors >out ~/a --sort ne")
    #expect(line.words == ["tpick", "list", "/home/me/a", "--sort"])
    #expect(line.current == "ne")
  }

  @Test func `The word at the cursor is read as it was typed`() {
    let line = line("tpick --filter 'all(vid")
    #expect(line.current == "all(vid")
    #expect(line.rawCurrent == "'all(vid")
    #expect(self.line("tpick ").current.isEmpty)
  }
}
