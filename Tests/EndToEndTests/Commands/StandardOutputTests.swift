import Fixtures
import TestTerminal
import Testing

extension EndToEnd {
  /// Results reach whoever reads them, whatever kind of descriptor they are written to.
  @Suite struct StandardOutputTests {
    @Test func `A non-blocking pipe whose reader is slow gets every result`() throws {
      let folder = try TemporaryFolder()
      let photo = try TestPhoto(width: 16, height: 12).bytes()
      for number in 0..<200 { try folder.write(photo, to: "\(number).jpg") }
      // More than a pipe holds.
      let session = try TerminalSession(
        Program.path, ["list", "--format", "jsonl", folder.path], environment: Program.environment(),
        standardOutput: .nonBlockingPipe)
      session.takesStandardOutput = false
      try session.waitForIdle()
      session.takesStandardOutput = true
      #expect(try session.waitForExit() == .exited(0))
      #expect(session.standardErrorBytes.isEmpty)
      #expect(session.standardOutputBytes.count > 1 << 16)
      #expect(session.outputLines.count == 200 && session.outputLines.allSatisfy { $0.hasSuffix("}") })
    }
  }
}
