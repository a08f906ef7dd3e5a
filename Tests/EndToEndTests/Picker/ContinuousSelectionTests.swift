import Fixtures
import Glibc
import TestTerminal
import Testing

extension EndToEnd {
  /// `--selection continuous`: each change is printed as it happens.
  @Suite struct ContinuousSelectionTests {
    @Test func `A closed pipe ends the picker only after the screen is restored`() throws {
      let folder = try Photos.folder(3)
      let session = try Program.pick(["--limit", "0", "--selection", "continuous"], in: folder)
      try session.waitForGrid(3)
      session.press(.space)
      try session.waitUntil("the first report") { _ in !session.standardOutputBytes.isEmpty }
      session.closeStandardOutput()
      session.press(.right)
      session.press(.space)
      session.press(.right)
      session.press(.space)
      try session.waitForText("3 picked")
      #expect(session.virtual.altScreenActive)
      session.press(.enter)
      // Like a command without a screen whose reader has closed the pipe.
      try session.expectExit(.signalled(SIGPIPE))
      #expect(session.isGivenBack)
      #expect(session.virtual.pictures.isEmpty)
    }

    /// Changes the selection until the unread pipe is full.
    private static func fill(_ session: TerminalSession) throws {
      try session.waitForText("28 photos")
      session.takesStandardOutput = false
      var isFull = false
      // Once more when it is full, so that a selection is pending.
      repeat {
        isFull = session.isStandardOutputFull
        session.send("a")
        try session.waitForText("28 picked")
        session.send("u")
        try session.waitForText("0 picked ·")
      } while !isFull
    }

    @Test func `A slow reader gets the last selection, and the picker does not wait for it`() throws {
      let folder = try Photos.folder(28)
      let session = try Program.pick(
        ["--limit", "0", "--selection", "continuous", "--format", "json"], in: folder)
      try Self.fill(session)
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      session.press(.space)
      try session.waitForText("1 picked")
      session.press(.enter)
      try session.waitUntil("the shell's screen") { !$0.altScreenActive }
      session.takesStandardOutput = true
      try session.expectExit(.exited(0))
      let reports = session.outputLines
      #expect(reports.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
      // A document needs no separator: there is no empty line between two.
      #expect(session.standardOutputBytes.count { $0 == 0x0A } == reports.count)
      // The last change, and once more at the end.
      #expect(reports.suffix(2).allSatisfy { $0.contains("/2.jpg") && !$0.contains("/1.jpg") })
      #expect(session.isGivenBack)
    }

    @Test func `While the last selection is pending Ctrl-C ends the program`() throws {
      let folder = try Photos.folder(28)
      let session = try Program.pick(
        ["--limit", "0", "--selection", "continuous", "--format", "json"], in: folder)
      try Self.fill(session)
      session.send("q")
      try session.waitUntil("the shell's screen") { !$0.altScreenActive && session.isCanonical }
      try session.waitForIdle()  // it waits for the reader
      session.pressControl("c")
      try session.expectExit(.signalled(SIGINT))
      #expect(session.isGivenBack)
    }
  }
}
