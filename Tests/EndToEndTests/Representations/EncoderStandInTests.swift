import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// Programs called ffmpeg that behave differently.
  @Suite struct EncoderStandInTests {
    private let folder: TemporaryFolder
    private let environment: [String: String]

    init() throws {
      folder = try TemporaryFolder()
      try folder.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-c:v", "mpeg4", "a.avi")
      try folder.makeFolder("in")
      try FileManager.default.moveItem(atPath: "\(folder.path)/a.avi", toPath: "\(folder.path)/in/a.avi")
      environment = ["PATH": "\(folder.path)/bin:/usr/bin:/bin"]
    }

    /// Puts a script in place of both programs.
    private func stand(in script: String) throws {
      for name in ["ffmpeg", "ffprobe"] {
        try folder.write(Array("#!/bin/sh\n\(script)\n".utf8), to: "bin/\(name)")
        try folder.setPermissions(0o755, of: "bin/\(name)")
      }
    }

    private func export(_ options: [String]) throws -> Program.Output {
      try Program.run(
        ["list", "--export", "\(folder.path)/out"] + options + ["\(folder.path)/in"],
        environment: environment)
    }

    @Test func `A program that succeeds without output has made no video`() throws {
      try stand(in: "exit 0")
      let output = try export(["--representation", "compatible"])
      #expect(output.status == .exited(0) && output.lines == ["\(folder.path)/out/a.avi"])
      #expect(output.errors.contains("is not converted: ffmpeg can't convert it: it wrote nothing"))
      let stripped = try export(["--strip", "location"])
      #expect(stripped.status == .exited(2) && stripped.lines.isEmpty)
    }

    @Test func `Endless lines or too much output are handled while the program runs`()
      throws
    {
      try stand(in: "head -c 20000000 /dev/zero; yes format.tags.title=a | head -c 5000000; exit 1")
      let output = try export(["--strip", "all"])
      #expect(output.status == .exited(2) && output.lines.isEmpty)
    }

    @Test func `A program that closes its output and keeps running can be stopped`() throws {
      try stand(in: "exec >&- 2>&-; read word < \"${0%/*}/wait\"")
      let fifo = "\(folder.path)/bin/wait"
      try #require(mkfifo(fifo, 0o600) == 0)
      let session = try Program.pick(
        ["--representation", "compatible", "--export", "\(folder.path)/out", "\(folder.path)/in"],
        environment: environment)
      try session.waitForText("a.avi")
      session.press(.enter)
      try session.waitForText("converting")
      // It opens once the program reads, which has closed its output by then.
      var writer: Int32 = -1
      try session.waitUntil("the program to wait") { _ in
        writer = open(fifo, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        return writer >= 0
      }
      defer { close(writer) }
      session.press(.escape)
      try session.expectExit(.exited(130))
      #expect(session.isGivenBack && session.outputLines.isEmpty)
    }
  }
}
