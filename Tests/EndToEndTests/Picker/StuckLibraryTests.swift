import Glibc
import TestTerminal
import Testing

extension EndToEnd {
  /// A key never waits for a disk or a decoder.
  @Suite struct StuckLibraryTests {
    private func open(_ what: String, profile: TerminalProfile = .sixel) throws -> TerminalSession {
      try TerminalSession(
        Program.sibling("stuck-picker"), [what], environment: Program.environment(), profile: profile)
    }

    @Test(arguments: [TerminalProfile.sixel, .kitty, .trueColor])
    func `Photos whose pictures never arrive can be picked`(profile: TerminalProfile) throws {
      let session = try open("pictures", profile: profile)
      try session.waitForCursor(on: "1.jpg")
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      session.press(.space)
      try session.waitForText("1 of 3 picked")
      session.press(.pageDown, times: 3)
      session.press(.end)
      try session.waitForCursor(on: "100.jpg")
      session.send("o")
      try session.waitForNoText("Library")
      session.send("o")
      try session.waitForCursor(on: "100.jpg")
      session.send("i")
      try session.waitForText("Name")
      session.send("i")
      try session.waitForNoText("Name")
      session.resize(columns: 80, rows: 24)
      try session.waitForText("100.jpg")
      // From here on the library does not answer either.
      session.send("/lisbon")
      try session.waitForText("lisbon")
      session.press(.escape)
      try session.waitForNoText("lisbon")
      session.press(.space)
      try session.waitForText("2 of 3 picked")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["photo 2", "photo 100"])
      #expect(session.isGivenBack)
    }

    @Test func `Long work is shown and can be stopped`() throws {
      let session = try open("work")
      try session.waitForText("exporting ━━━───────── 12 of 48 · 1:00 left")
      try session.waitForCursor(on: "1.jpg")
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      session.press(.escape)
      try session.waitForText("12 photos exported")
      try session.waitForNoText("exporting")
      session.send("q")
      try session.expectExit(.exited(0))
    }

    @Test func `A result is delivered in the chosen representation, and the delivery can be canceled`() throws
    {
      let session = try open("delivery")
      try session.waitForCursor(on: "1.jpg")
      session.press(.space)
      session.press(.right)
      session.press(.space)
      try session.waitForText("2 of 3 picked")
      session.send("O")
      try session.waitForText("at most 2048 pixels")
      session.send("2048 ")
      try session.waitForText("· 2048 px ·")
      session.press(.escape)
      try session.waitForText("converted if needed")
      session.press(.escape)
      try session.waitForNoText("converted if needed")
      session.press(.enter)
      try session.waitForText("converting ━━━━━━────── 2 of 2 · 1.0 MB")
      session.resize(columns: 80, rows: 24)
      try session.waitUntil("the smaller window") { $0.rows == 24 && $0.text.contains("Esc stop") }
      session.send("q")
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["photo 1", "photo 2", "at most 2048 pixels"])
      #expect(session.isGivenBack)
    }

    @Test func `A signal cancels the delivery and restores the terminal`() throws {
      let session = try open("delivery")
      try session.waitForCursor(on: "1.jpg")
      session.press(.enter)
      try session.waitForText("copying ━━━━━━────── 1 of 1")
      session.signal(SIGTERM)
      try session.expectExit(.signalled(SIGTERM))
      #expect(session.outputLines.isEmpty && session.isGivenBack)
    }

    @Test func `A library that never opens can be left`() throws {
      let session = try open("library")
      try session.waitForText("Reading the library…")
      session.press(.down)
      session.send("?")
      try session.waitForText("Esc closes")
      session.press(.escape)
      try session.waitForNoText("Esc closes")
      session.send("/lisbon")
      try session.waitForText("lisbon")
      session.press(.enter)
      session.send("f")
      try session.waitForText("Space include, exclude")
      session.press(.escape)
      try session.waitForNoText("Space include, exclude")
      session.resize(columns: 60, rows: 20)
      try session.waitForText("lisbon")
      session.send("q")
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["cancelled"])
      #expect(session.isGivenBack)
    }
  }
}
