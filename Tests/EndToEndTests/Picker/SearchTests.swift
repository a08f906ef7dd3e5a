import Fixtures
import TestTerminal
import Testing

extension EndToEnd {
  /// The search prompt of the real program: words for dates and kinds, suggestions, errors.
  @Suite(.timeLimit(.minutes(120))) struct SearchTests {
    /// Photos of May in Lisbon/Sintra, of June in Porto.
    private static func folder() throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      for day in 1...3 {
        let may = TestPhoto(width: 64, height: 48, date: .day(day))
        try folder.write(try may.bytes(), to: "Lisbon/Sintra/\(day).jpg")
      }
      for day in 1...2 {
        let june = TestPhoto(width: 64, height: 48, date: .day(day, month: 6))
        try folder.write(try june.bytes(), to: "Porto/june \(day).jpg")
      }
      return folder
    }

    @Test func `Dates, kinds and parent folders match while typing`() throws {
      let session = try Program.pick(["-n", "0"], in: try Self.folder())
      try session.waitForGrid(5)
      session.send("/")
      try session.waitForText("Search")
      for (text, count) in [
        ("may", 3), ("2 may 2024", 1), ("lisbon", 3), ("lisbon june", 0), ("photos porto", 2),
      ] {
        session.send("\u{15}\(text)")
        try session.waitForText("\(count) found")
      }
      session.send("\u{15}2024-06\r")
      try session.waitForText("“2024-06” ✕")
      try session.waitForGrid(2)
      session.send("a")
      try session.waitForText("2 picked")
      session.send("\r")
      try session.expectExit(.exited(0))
      #expect(
        session.outputLines.allSatisfy { $0.contains("/Porto/june ") } && session.outputLines.count == 2)
    }

    @Test func `Suggestions are shown below the prompt with their counts, and Tab accepts one`() throws {
      let session = try Program.pick([], in: try Self.folder())
      try session.waitForGrid(5)
      session.send("/sin")
      try session.waitUntil("the suggestion") { Self.line(of: "Sintra", "album  3", $0) }
      session.send("\t")
      try session.waitForText("Search  album:Sintra")
      try session.waitForText("3 found")
      session.send("porto")
      try session.waitForText("0 found")
      // No completion matches in Sintra.
      try session.waitUntil("no suggestion") { !Self.line(of: "Porto", "album", $0) }
      session.send("\u{15}20")
      try session.waitUntil("the year") { Self.line(of: "2024", "5", $0) }
      session.send("\u{1B}[B\r")
      try session.waitForText("Search  2024 ")
      try session.waitForText("5 found")
      session.send("\r")
      try session.waitForText("“2024” ✕")
      try session.waitForIdle()
      #expect(session.virtual.pictureAreas.count >= 5)
      session.send("q")
      try session.expectExit(.exited(130))
    }

    @Test func `An error is explained in a sentence until it is corrected`() throws {
      let session = try Program.pick([], in: try Self.folder(), columns: 80, rows: 24)
      try session.waitForGrid(5)
      session.send("/after:foo")
      try session.waitForText("Search  after:foo")
      try session.waitForIdle()
      // Not while it is being typed.
      #expect(!session.virtual.text.contains("is not a date"))
      session.send("\r")
      try session.waitForText("“after:foo” is not a date: write after:2024-05 or after:7d")
      session.send("\r")
      try session.waitForIdle()
      #expect(session.virtual.text.contains("“after:foo” is not a date"))
      session.send("\u{17}after:2024-06")
      try session.waitForText("2 found")
      #expect(!session.virtual.text.contains("is not a date"))
      session.send("\r")
      try session.waitForText("“after:2024-06” ✕")
      session.send("q")
      try session.expectExit(.exited(130))
    }

    /// Whether a line of the screen shows a suggestion with its count.
    private static func line(of title: String, _ count: String, _ screen: VirtualTerminal) -> Bool {
      screen.text.split(separator: "\n").prefix(8).contains { line in
        line.hasPrefix("   \(title) ") && line.prefix(40).contains(" \(count)")
      }
    }
  }
}
