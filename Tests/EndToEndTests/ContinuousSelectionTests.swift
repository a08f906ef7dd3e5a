import Fixtures
import Glibc
import TestTerminal
import Testing

extension EndToEnd {
  /// `--selection continuous`: each change is printed as it happens.
  @Suite struct ContinuousSelectionTests {
    @Test func `A reader that has gone ends nothing before the screen is given back`() throws {
      let folder = try Photos.folder(3)
      defer { withExtendedLifetime(folder) {} }
      let session = try Program.pick(["--limit", "0", "--selection", "continuous"], in: folder)
      try session.waitForGrid(3)
      session.press(.space)
      try session.waitUntil("the first report") { _ in !session.standardOutputBytes.isEmpty }
      session.closeStandardOutput()
      session.press(.right)
      session.press(.space)
      session.press(.right)
      session.press(.space)
      try session.waitForText("3 selected")
      #expect(session.virtual.altScreenActive)
      session.press(.enter)
      // As a command without a screen ends whose reader has gone.
      #expect(try session.waitForExit() == .signalled(SIGPIPE))
      #expect(session.isGivenBack)
      #expect(session.virtual.pictures.isEmpty)
    }
  }
}
