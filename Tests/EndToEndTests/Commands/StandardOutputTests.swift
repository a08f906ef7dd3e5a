import Fixtures
import TestTerminal
import Testing

extension Commands {
  /// Results reach their reader through every kind of descriptor.
  @Suite struct StandardOutputTests {
    @Test func `A non-blocking pipe with a slow reader gets every result`() throws {
      let folder = try TemporaryFolder()
      let photo = try TestPhoto(width: 16, height: 12).bytes()
      for number in 0..<200 { try folder.write(photo, to: "\(number).jpg") }
      try folder.write(Array("no picture".utf8), to: "last.jpg")
      // More than a pipe holds.
      let session = try TerminalSession(
        Program.path, ["list", "--format", "jsonl", "--sort", "name", folder.path],
        environment: Program.environment(), standardOutput: .nonBlockingPipe)
      session.takesStandardOutput = false
      try session.waitForIdle()
      // The last one is not processed before there is room for those before it.
      #expect(session.standardErrorBytes.isEmpty)
      session.takesStandardOutput = true
      try session.expectExit(.exited(0))
      #expect(String(decoding: session.standardErrorBytes, as: UTF8.self).contains("last.jpg: "))
      #expect(session.standardOutputBytes.count > 1 << 16)
      #expect(session.outputLines.count == 200 && session.outputLines.allSatisfy { $0.hasSuffix("}") })
    }
  }
}
