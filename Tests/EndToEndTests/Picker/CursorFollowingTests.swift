import Fixtures
import Glibc
import TestTerminal
import Testing

extension EndToEnd {
  /// `--selection follow`: the photo under the cursor is printed as the cursor moves.
  @Suite struct CursorFollowingTests {
    private static func follow(_ count: Int, _ arguments: String...) throws -> TerminalSession {
      try Program.pick(["--selection", "follow"] + arguments, in: try Photos.folder(count))
    }

    /// Waits until the last printed item is this photo.
    private static func wait(for name: String, _ session: TerminalSession) throws {
      try session.waitUntil("\(name) at the end of standard output") { _ in
        session.outputLines.last?.contains("/\(name)") ?? false
      }
    }

    private static func names(_ session: TerminalSession) -> [String] {
      session.outputLines.map { String($0.split(separator: "/").last ?? "") }
    }

    @Test func `Each photo that the cursor rests on is a line, and the last one is the result`() throws {
      let session = try Self.follow(6)
      try Self.wait(for: "1.jpg", session)
      session.press(.right)
      try Self.wait(for: "2.jpg", session)
      session.press(.right)
      try Self.wait(for: "3.jpg", session)
      session.press(.left)
      try Self.wait(for: "2.jpg", session)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(Self.names(session) == ["1.jpg", "2.jpg", "3.jpg", "2.jpg"])
      #expect(session.isGivenBack)
    }

    @Test func `A result other than the last followed photo is printed at the end`() throws {
      let session = try Self.follow(6)
      try Self.wait(for: "1.jpg", session)
      session.press(.space)
      session.press(.right)
      try Self.wait(for: "2.jpg", session)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(Self.names(session) == ["1.jpg", "2.jpg", "1.jpg"])
    }

    @Test(arguments: [Key.escape, .control]) func `Canceling ends with status 130`(key: Key) throws {
      let session = try Self.follow(3)
      try Self.wait(for: "1.jpg", session)
      switch key {
      case .escape: session.press(.escape)
      case .control: session.pressControl("c")
      }
      try session.expectExit(.exited(130))
      #expect(Self.names(session) == ["1.jpg"])
    }

    enum Key { case escape, control }

    @Test(
      arguments: [
        (["--print0"], "1.jpg\0", 0), (["--format", "uris"], "1.jpg\n", 0x0A),
        (["--format", "jsonl", "--fields", "mediaType"], "{\"mediaType\":\"image\"}\n", 0x0A),
        (["--format", "{name}|{width}"], "1.jpg|400\n", 0x0A),
      ] as [([String], String, UInt8)])
    func `It is printed in the requested format`(arguments: [String], end: String, terminator: UInt8) throws {
      let session = try Program.pick(
        ["--selection", "follow"] + arguments, in: try Photos.folder(2))
      try session.waitUntil("the first photo") { _ in
        String(decoding: session.standardOutputBytes, as: UTF8.self).hasSuffix(end)
      }
      session.press(.right)
      try session.waitUntil("the second photo") { _ in
        session.standardOutputBytes.count { $0 == terminator } == 2
      }
      session.press(.enter)
      try session.expectExit(.exited(0))
      // Neither an empty item nor the result again.
      #expect(session.standardOutputBytes.count { $0 == terminator } == 2)
    }

    @Test func `A slow reader gets the photo where the cursor is by then`() throws {
      let session = try Self.follow(12)
      session.takesStandardOutput = false
      try session.waitForGrid(12)
      try session.waitUntil("the first photo in the pipe") { _ in session.isStandardOutputFull }
      for number in 2...7 {
        session.press(.right)
        try session.waitForCursor(on: "\(number).jpg")
      }
      session.takesStandardOutput = true
      try Self.wait(for: "7.jpg", session)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(Self.names(session) == ["1.jpg", "7.jpg"])
    }

    @Test func `Canceling does not wait for a slow reader`() throws {
      let session = try Self.follow(6)
      session.takesStandardOutput = false
      try session.waitForGrid(6)
      try session.waitUntil("the first photo in the pipe") { _ in session.isStandardOutputFull }
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      session.send("q")
      try session.expectExit(.exited(130))
      session.takesStandardOutput = true
      try Self.wait(for: "1.jpg", session)
      #expect(Self.names(session) == ["1.jpg"])
    }

    @Test func `Confirming waits until the reader has received the result`() throws {
      let session = try Self.follow(6)
      session.takesStandardOutput = false
      try session.waitForGrid(6)
      try session.waitUntil("the first photo in the pipe") { _ in session.isStandardOutputFull }
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      session.press(.enter)
      try session.waitUntil("the shell's screen") { !$0.altScreenActive && session.isCanonical }
      session.takesStandardOutput = true
      try session.expectExit(.exited(0))
      #expect(Self.names(session) == ["1.jpg", "2.jpg"])
    }

    @Test func `A closed pipe ends the picker only after the screen is restored`() throws {
      let session = try Self.follow(3)
      try Self.wait(for: "1.jpg", session)
      session.closeStandardOutput()
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      #expect(session.virtual.altScreenActive)
      session.press(.enter)
      try session.expectExit(.signalled(SIGPIPE))
      #expect(session.isGivenBack)
    }

    @Test func `A name with a line break is not printed where it would read as two`() throws {
      let folder = try TemporaryFolder()
      try folder.write(try TestPhoto(width: 40, height: 30, date: .day(3)).bytes(), to: "a.jpg")
      try folder.write(try TestPhoto(width: 40, height: 30, date: .day(2)).bytes(), to: "b\nc.jpg")
      try folder.write(try TestPhoto(width: 40, height: 30, date: .day(1)).bytes(), to: "d.jpg")
      let session = try Program.pick(["--selection", "follow"], in: folder)
      try Self.wait(for: "a.jpg", session)
      session.press(.right)
      session.press(.right)
      try Self.wait(for: "d.jpg", session)
      try session.waitForLibrary()
      session.press(.escape)
      try session.expectExit(.exited(130))
      #expect(Self.names(session) == ["a.jpg", "d.jpg"])
    }

    @Test func `A single match that is used at once is the only item`() throws {
      let folder = try Photos.folder(1)
      let run = try Program.run(["--selection", "follow", "--select-1", folder.path])
      #expect(run.status == .exited(0))
      #expect(run.lines == ["\(folder.path)/1.jpg"])
    }

    @Test(arguments: [
      (["--limit", "3"], "--limit: must be 1 with --selection follow"),
      (["-n0"], "--limit: must be 1 with --selection follow"),
      (["--allow-empty"], "--allow-empty: can't be used with --selection follow"),
      (["--format", "json"], "--format: json is one document of all results"),
      (["-o", "/tmp/never"], "--output: can't be used with --selection follow"),
      (["--expect", "f2"], "--expect: can't be used with --selection follow"),
      (["/", "--exec", "ls"], "--exec: can't be used with --selection follow"),
    ])
    func `Contradictory options are refused with the reason`(arguments: [String], words: String) throws {
      let run = try Program.run(["--selection", "follow"] + arguments)
      #expect(run.status == .exited(64))
      #expect(run.errors.contains(words), "\(run.errors)")
      #expect(run.output.isEmpty)
    }

    @Test func `On a terminal it is refused`() throws {
      let session = try Program.pick(
        ["--selection", "follow"], in: try Photos.folder(1), standardOutput: .terminal)
      try session.expectExit(.exited(64))
      let words = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(words.contains("follow prints while the screen is open"), "\(words)")
    }
  }
}
