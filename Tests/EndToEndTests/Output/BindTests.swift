import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// `--bind`: keys with other functions, including programs.
  @Suite struct BindTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path }
    private static let hostile = Array("a '$(touch oops)\"\n;b.jpg".utf8)

    init() throws {
      folder = try TemporaryFolder()
      let names = [Self.hostile, Array("b.jpg".utf8), Array("c.jpg".utf8)]
      for (index, name) in names.enumerated() {
        try folder.write(
          try TestPhoto(width: 32, height: 24, date: .day(20 - index)).bytes(),
          to: Array("photos/".utf8) + name)
      }
      // Appends its arguments to a file, each followed by NUL.
      try folder.write(Array("printf '%s\\0' \"$@\" >> '\(folder.path)/noted'; echo SEEN".utf8), to: "note")
    }

    private func open(
      _ binds: [String], _ arguments: [String] = [], environment: [String: String] = [:],
      standardOutput: StandardOutput = .pipe
    ) throws -> TerminalSession {
      let session = try TerminalSession(
        Program.path,
        ["-n0", "-0", "--graphics", "none"] + binds.flatMap { ["--bind", $0] } + arguments + [
          "\(path)/photos"
        ],
        environment: Program.environment(environment), columns: 80, rows: 24, standardOutput: standardOutput)
      try session.waitForText("3 photos")
      return session
    }

    private func noted() -> [[UInt8]] {
      ((try? folder.bytes(of: "noted")) ?? []).split(separator: 0).map { Array($0) }
    }

    private func photo(_ name: [UInt8]) -> [UInt8] { Array("\(path)/photos/".utf8) + name }

    /// Waits for the output of another process.
    private func waitForNote(_ session: TerminalSession, _ count: Int) throws {
      try session.waitUntil("\(count) notes") { _ in noted().count >= count }
    }

    // MARK: Programs

    @Test func `A program has the terminal, gets names unchanged, and returns the screen`() throws {
      let session = try open(["ctrl-e=execute(sh '\(path)/note' {} {+})"])
      session.send("\u{5}")
      try waitForNote(session, 2)
      #expect(noted() == [photo(Self.hostile), photo(Self.hostile)])
      try session.waitForText("3 photos")
      #expect(String(decoding: session.rawOutput, as: UTF8.self).contains("SEEN"))
      session.send(" l l")
      try session.waitForText("2 picked")
      session.send("\u{5}")
      try waitForNote(session, 5)
      #expect(
        noted().suffix(3) == [photo(Array("c.jpg".utf8)), photo(Self.hostile), photo(Array("b.jpg".utf8))])
      try session.waitForText("2 picked")
      session.send("\r")
      try session.expectExit(.exited(0))
      // The program's output is no result.
      #expect(
        session.standardOutputBytes == photo(Self.hostile) + [0] + photo(Array("b.jpg".utf8)) + [0])
      #expect(!FileManager.default.fileExists(atPath: "\(path)/oops"))
      #expect(session.isGivenBack)
    }

    @Test func `Input typed meanwhile goes to the program`() throws {
      let script = "echo READY; read -r line; printf '%s\\0' \"$line\" > '\(path)/noted'"
      try folder.write(Array(script.utf8), to: "ask")
      let session = try open(["alt-a=execute(sh '\(path)/ask')"])
      session.send("\u{1B}a")
      // By then the terminal has its usual modes again.
      try session.waitForText("READY")
      session.send("quit\r")
      try waitForNote(session, 1)
      #expect(noted() == [Array("quit".utf8)])
      try session.waitForText("3 photos")
      session.send("q")
      try session.expectExit(.exited(130))
    }

    @Test func `Ctrl-C goes to the program while it has the terminal`() throws {
      let session = try open(["ctrl-e=execute(sh -c 'echo READY; read -r line')"])
      session.send("\u{5}")
      try session.waitForText("READY")
      session.send("\u{3}")
      try session.waitForText("sh: ended by signal 2")
      session.send("\r")
      try session.expectExit(.exited(0))
      #expect(session.standardOutputBytes == photo(Self.hostile) + [0])
    }

    @Test func `A background program has no terminal`() throws {
      let session = try open(["f2=execute-silent(sh '\(path)/note' {ids})"])
      session.send("\u{1B}OQ")
      try waitForNote(session, 1)
      let identifiers = try Program.run(["list", "-0", "--format", "ids", "\(path)/photos"]).output
      #expect(identifiers.split(separator: 0).contains { $0 == noted()[0][...] })
      #expect(!String(decoding: session.rawOutput, as: UTF8.self).contains("SEEN"))
      session.send("q")
      try session.expectExit(.exited(130))
    }

    @Test(arguments: [
      ("execute(no-such-program {})", "no-such-program: No such file or directory"),
      ("execute(sh -c 'exit 3')", "sh: ended with status 3"),
      ("execute-silent(sh -c 'kill -9 $$')", "sh: ended by signal 9"),
    ])
    func `A failure is shown in the status line`(action: String, words: String) throws {
      let session = try open(["ctrl-e:\(action)"])
      session.send("\u{5}")
      try session.waitForText(words)
      session.send("q")
      try session.expectExit(.exited(130))
    }

    @Test func `A program can replace the picker`() throws {
      let session = try open(["enter=become(sh -c 'printf \"%s|\" \"$@\"; exit 4' sh {+})"])
      session.send("l l \r")
      try session.expectExit(.exited(4))
      #expect(
        session.standardOutputBytes == photo(Array("b.jpg".utf8)) + [0x7C] + photo(Array("c.jpg".utf8)) + [
          0x7C
        ])
      #expect(session.isGivenBack)
    }

    @Test func `Under limited access a program gets only allowed photos`() throws {
      let session = try TerminalSession(
        Program.path,
        [
          "-n0", "--graphics", "none", "--authorize", "limited", "--allow", "\(path)/photos/c.jpg", "--bind",
          "ctrl-e=execute(sh '\(path)/note' {} {+})", "\(path)/photos",
        ], environment: Program.environment(), columns: 80, rows: 24)
      try session.waitForText("1 of 3")
      session.send("\u{5}")
      try waitForNote(session, 2)
      #expect(noted() == [photo(Array("c.jpg".utf8)), photo(Array("c.jpg".utf8))])
      session.send("q")
      try session.expectExit(.exited(130))
    }

    // MARK: Commands

    @Test func `Keys are bound by option and configuration`() throws {
      try folder.write(
        Array("[actions]\nx = 'toggle'\nf2 = \"execute(sh '\(path)/note' {})\"\n".utf8), to: "c.toml")
      let session = try open(["space=confirm", "alt-s=toggle"], ["--config", "\(path)/c.toml"])
      session.send("x")
      try session.waitForText("1 picked")
      session.send("l\u{1B}s")
      try session.waitForText("2 picked")
      session.send("\u{1B}OQ")
      try waitForNote(session, 1)
      try session.waitForText("2 picked")
      session.send(" ")
      try session.expectExit(.exited(0))
      #expect(session.standardOutputBytes == photo(Self.hostile) + [0] + photo(Array("b.jpg".utf8)) + [0])
    }

    @Test(arguments: [
      ("x", "--bind: 'x': expected KEY=ACTION"), ("ctrl-i=toggle", "--bind: 'ctrl-i' is not a key"),
      ("x=nope", "--bind: unknown action 'nope'; actions are ignore, execute(COMMAND)"),
      ("x=execute(sh -c 'rm {}')", "{} has to be a word of its own"), ("==nope", "unknown action 'nope'"),
    ])
    func `An invalid binding is a usage error`(word: String, message: String) throws {
      let result = try Program.run(["--bind", word, "/"])
      #expect(result.status == .exited(64))
      #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test func `A key that leaves the picker is kept`() throws {
      let words = ["q=ignore", "ctrl-c=ignore", "escape=ignore"]
      let result = try Program.run(words.flatMap { ["--bind", $0] } + ["/"])
      #expect(result.status == .exited(64))
      #expect(result.errors.contains("there must be a key to leave the picker"))
    }
  }
}
