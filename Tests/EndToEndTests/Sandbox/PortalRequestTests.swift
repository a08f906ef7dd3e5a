import Fixtures
import Foundation
import TestTerminal
import Testing

extension EndToEnd {
  /// Programs in a sandbox that request more photos.
  @Suite(.enabled(if: SandboxFolder.hasNamespaces, Comment(rawValue: SandboxFolder.skipReason)))
  struct PortalRequestTests {
    private let sandbox: SandboxFolder

    init() throws { sandbox = try SandboxFolder() }

    /// Runs a script on a terminal with access to a.jpg.
    private func start(
      _ script: String, _ options: [String] = [], count: String = "3 photos"
    ) throws
      -> TerminalSession
    {
      let session = try TerminalSession(
        Program.path,
        ["run", "--graphics", "none"] + options + [sandbox.photos, "--", "bash", "-c", script],
        environment: Program.environment(sandbox.environment()), columns: 100, rows: 30)
      try session.waitForText(count)
      session.send("\r")
      return session
    }

    private func waitForLine(_ line: String, _ session: TerminalSession) throws {
      try session.waitUntil("the line \(line)") { _ in session.outputLines.contains(line) }
    }

    @Test func `Chosen photos are available at once, the second time too, and nothing else is`() throws {
      let session = try start(
        """
        ls /photos; echo one; tpick -0 -n2 --purpose $'a \\e[31mreason' | tr '\\0' ' '; echo; ls /photos; echo two
        tpick; echo "status $?"; ls /photos; echo list; cat "$TPICK_GRANTED"; cat '\(sandbox.photo("c.jpg"))'
        """)
      try waitForLine("one", session)
      try session.waitForText("3 photos")
      session.press(.right)
      session.press(.space)
      try session.waitForText("1 of 2 picked")
      session.send("\r")
      try waitForLine("two", session)
      // The photo that was granted first, once more.
      try session.waitForText("3 photos")
      session.send("\r")
      try session.expectExit(.exited(1))
      #expect(
        session.outputLines == [
          "a.jpg", "one", "/photos/b.jpg ", "a.jpg", "b.jpg", "two", "/photos/a.jpg", "status 0", "a.jpg",
          "b.jpg",
          "list", "/photos/a.jpg", "/photos/b.jpg",
        ])
      #expect(session.isGivenBack && sandbox.stages.isEmpty)
      let sent = String(decoding: session.rawOutput, as: UTF8.self)
      #expect(sent.contains("the command asks for photos: a \\x1B[31mreason"))
    }

    @Test func `An added photo is complete, with its own bytes`() throws {
      let session = try start("echo one; tpick > /tmp/path; cat \"$(cat /tmp/path)\"")
      try waitForLine("one", session)
      try session.waitForText("3 photos")
      session.press(.right)
      try session.waitForText("b.jpg")
      session.send("\r")
      try session.expectExit(.exited(0))
      #expect(
        session.standardOutputBytes == Array("one\n".utf8)
          + (try sandbox.folder.bytes(of: "library/trip/b.jpg")))
    }

    @Test func `After three canceled requests the user is not asked anymore`() throws {
      let session = try start("for i in 1 2 3 4; do echo \"ask $i\"; tpick; echo \"status $?\"; done")
      for number in 1...3 {
        try waitForLine("ask \(number)", session)
        try session.waitForText("3 photos")
        session.send("q")
        // The next picker may be shown before the screen without one is seen.
        try session.waitUntil("the answer") { _ in
          session.outputLines.count { $0 == "status 130" } == number
        }
      }
      try session.expectExit(.exited(0))
      #expect(
        session.outputLines.filter { $0.hasPrefix("status") } == [
          "status 130", "status 130", "status 130", "status 77",
        ])
      #expect(String(decoding: session.standardErrorBytes, as: UTF8.self).contains("cancelled too often"))
    }

    @Test func `Photos excluded by the caller's options can't be requested`() throws {
      let session = try start(
        "echo one; tpick --query date:2024-05-27; echo \"status $?\"; tpick --filter nonsense; echo \"status $?\"",
        ["--query", "before:2024-05-28 or ext:png", "--filter", "images"], count: "2 photos")
      try waitForLine("one", session)
      try session.waitForText("1 photo ")
      session.send("\r")
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["one", "/photos/b.jpg", "status 0", "status 77"])
    }

    @Test func `Without a terminal the answer is 77, and other options are refused`() throws {
      let script = "tpick; echo $?; tpick --exec rm; echo $?; tpick list /photos"
      let arguments = sandbox.arguments([], granting: ["a.jpg"], ["sh", "-c", script])
      // In a session without a terminal.
      let session = try TerminalSession(
        "/usr/bin/setsid", ["-w", Program.path] + arguments,
        environment: Program.environment(sandbox.environment()))
      try session.expectExit(.exited(0))
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(session.outputLines == ["77", "64", "/photos/a.jpg"], "\(errors)")
      #expect(
        errors.contains("there is no terminal") && errors.contains("--exec: can't be used"))
    }

    @Test func `A signal to tpick during the picker ends both, and nothing is left`() throws {
      let session = try start("trap 'echo caught; exit 9' TERM; echo one; tpick; echo \"status $?\"")
      try waitForLine("one", session)
      try session.waitForText("3 photos")
      session.signal(SIGTERM)
      try session.expectExit(.exited(9))
      #expect(session.outputLines.last == "caught")
      #expect(session.isGivenBack && sandbox.stages.isEmpty)
    }

    @Test func `Ctrl-Z in the picker of a request stops the job, and fg continues it`()
      throws
    {
      let words = ["run", "--graphics", "none", sandbox.photos, "--", "sh", "-c", "echo o'n'e; tpick"]
      let line = ([Program.path] + words).map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(
        separator: " ")
      let session = try TerminalSession(
        "/bin/bash", ["--norc", "--noprofile", "--noediting", "-i"],
        environment: Program.environment(sandbox.environment()), columns: 100, rows: 30,
        standardOutput: .terminal, standardError: .terminal)
      session.send("\(line)\r")
      try session.waitForText("3 photos")
      session.send("\r")
      // The screen without a picker may be there too briefly to be seen: pickers are counted by their screens.
      try session.waitUntil("the picker of the request") { screen in
        let opened = String(decoding: session.rawOutput, as: UTF8.self).ranges(of: "\u{1B}[?1049h").count
        return opened == 2 && screen.text.contains("3 photos")
      }
      session.pressControl("z")
      try session.waitForText("Stopped")
      session.send("fg\r")
      try session.waitForText("3 photos")
      session.press(.right)
      try session.waitForText("b.jpg")
      session.send("\r")
      try session.waitForText("/photos/b.jpg")
      session.send("exit\r")
      try session.waitForExit()
    }

    /// Connects, misbehaves, and prints the answers.
    private static let hostile = """
      import os, socket, struct
      path = os.environ['TPICK_PORTAL']
      def connect():
          s = socket.socket(socket.AF_UNIX)
          # Without a time-out it waits for a place in the queue.
          s.connect(path)
          s.settimeout(60)
          return s
      def answer(data):
          s = connect()
          try:
              s.sendall(data)
              return s.recv(4096)
          except OSError:
              return b''
          finally:
              s.close()
      good = b'tpick-portal-1\\0limit=1\\0'
      frame = lambda m: struct.pack('<I', len(m)) + m
      tries = [struct.pack('<I', 0xFFFFFFFF), struct.pack('<I', 1 << 20) + b'x' * (1 << 20), os.urandom(1 << 16),
          frame(b''), frame(b'\\0'), frame(good + b'exec=rm\\0'), frame(good[:-1]), frame(good) + b'more',
          frame(b'tpick-portal-1\\0filter=\\x1b[2J\\0')]
      granted = [t for t in tries if b'granted' in answer(t)]
      for _ in range(200):
          connect().close()
      silent = connect()
      slow = connect()
      slow.sendall(b'\\x10')
      # Descriptors that come along are not taken.
      passing = connect()
      socket.send_fds(passing, [frame(b'\\0')], [0, 1, 2])
      print('granted', len(granted), flush=True)
      """

    @Test func `A client that floods, sends wrong lengths or stays silent does no harm`() throws {
      try sandbox.folder.write(Array(Self.hostile.utf8), to: "out/hostile.py")
      let session = try start(
        "python3 /results/hostile.py; echo one; tpick; echo \"status $?\"",
        ["--writable", "\(sandbox.path)/out"])
      try waitForLine("one", session)
      #expect(session.outputLines.first == "granted 0")
      try session.waitForText("3 photos")
      session.send("q")
      try session.expectExit(.exited(0))
      #expect(session.outputLines.last == "status 130")
      #expect(session.isGivenBack)
    }

    @Test
    func `A program that reads from the terminal meanwhile gets nothing typed into the picker`()
      throws
    {
      let session = try start(
        "echo one; (tpick; echo \"status $?\") & read -r line; echo \"read $line\"; wait")
      try waitForLine("one", session)
      try session.waitForText("3 photos")
      session.press(.right)
      try session.waitForText("b.jpg")
      session.send("\r")
      try session.waitUntil("the answer") { _ in session.outputLines.contains("status 0") }
      session.send("mine\r")
      try session.expectExit(.exited(0))
      #expect(session.outputLines.contains("read mine"))
    }
  }
}
