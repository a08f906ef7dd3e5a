import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// `--exec`: a command that gets the results as arguments, without a shell.
  @Suite struct ExecTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path }

    /// Names that a shell, `xargs` or `getopt` would misinterpret.
    private static let names: [[UInt8]] =
      [
        "$(touch oops).jpg", "`touch oops`.jpg", "'\";& touch oops;.jpg", "-rf.jpg", "a\nb.jpg", "{}.jpg",
        " .jpg",
      ]
      .map { Array($0.utf8) } + [[0xFF, 0x80] + Array(".jpg".utf8)]

    init() throws {
      folder = try TemporaryFolder()
      let photo = try TestPhoto(width: 16, height: 12, date: .day(1)).bytes()
      for name in Self.names { try folder.write(photo, to: Array("photos/".utf8) + name) }
      // Writes its arguments, each preceded by its length, into the file named by the first one.
      try folder.write(
        Array(
          "import os,sys\nopen(sys.argv[1],'wb').write(repr([os.fsencode(a) for a in sys.argv[2:]]).encode())"
            .utf8),
        to: "note.py")
    }

    /// The arguments of the recording command, as printed by Python.
    private func noted() throws -> String {
      String(decoding: try folder.bytes(of: "noted"), as: UTF8.self)
    }

    private func literal(_ words: [[UInt8]]) throws -> String {
      let text = try Consumer.run(
        [
          Program.python, "-c",
          "import sys; d = sys.stdin.buffer.read(); sys.stdout.write(repr(d.split(b'\\0')[:-1]))",
        ],
        input: words.flatMap { $0 + [0] })
      return String(decoding: text, as: UTF8.self)
    }

    private func pickAll(_ arguments: [String], in working: String? = nil) throws -> TerminalSession {
      let session = try TerminalSession(
        Program.path, ["-n0", "--graphics", "none", "--sort", "given"] + arguments,
        environment: Program.environment(), columns: 80, rows: 24, workingDirectory: working)
      try session.waitForText("\(Self.names.count) photos")
      session.send("a")
      try session.waitForText("\(Self.names.count) picked")
      session.send("\r")
      return session
    }

    @Test func `Every name is one argument, including one that begins with a dash`() throws {
      // In the folder itself names have no prefix.
      let files = Self.names.map { String(decoding: $0, as: UTF8.self) }
      #expect(files.count == Self.names.count)
      let session = try pickAll(
        [
          "--relative-to", "\(path)/photos", "\(path)/photos", "--exec", Program.python, "\(path)/note.py",
          "\(path)/noted", "{}",
        ],
        in: path)
      try session.expectExit(.exited(0))
      #expect(session.standardOutputBytes.isEmpty)
      let sorted = Self.names.sorted { $0.lexicographicallyPrecedes($1) }
      #expect(try noted() == literal(sorted))
      #expect(!FileManager.default.fileExists(atPath: "\(path)/oops"))
      #expect(session.isGivenBack)
    }

    @Test func `Words up to a semicolon belong to the command, and placeholders repeat`() throws {
      try folder.write(try TestPhoto(width: 16, height: 12).bytes(), to: "one/1.jpg")
      let note = [Program.python, "\(path)/note.py", "\(path)/noted"]
      let file = "\(path)/one/1.jpg"
      let cases: [([String], [String])] = [
        (["--exec"] + note + ["-n", "{}", "--filter", "{+}", ";", file], ["-n", file, "--filter", file]),
        ([file, "--exec"] + note, [file]), (["--exec"] + note + [";", file, "--sort", "name"], [file]),
        ([file, "--exec"] + note + ["$HOME", "*", "~"], ["$HOME", "*", "~", file]),
      ]
      for (arguments, expected) in cases {
        let result = try Program.run(["--select-1"] + arguments)
        #expect(result.status == .exited(0), "\(result.errors)")
        #expect(try noted() == literal(expected.map { Array($0.utf8) }), "\(arguments)")
      }
      let identifier = try #require(try Program.run(["list", "--format", "ids", file]).lines.first)
      #expect(try Program.run(["--select-1", file, "--exec"] + note + ["{ids}"]).status == .exited(0))
      #expect(try noted() == literal([Array(identifier.utf8)]))
    }

    @Test func `The command's output and status are the program's, and a file gets the results as well`()
      throws
    {
      try folder.write(try TestPhoto(width: 16, height: 12).bytes(), to: "one/1.jpg")
      let file = "\(path)/one/1.jpg"
      let result = try Program.run(
        [
          "--select-1", file, "-o", "\(path)/picks", "--exec", "sh", "-c", "echo \"got $1\"; exit 7", "sh",
          "{}",
        ])
      #expect(result.status == .exited(7))
      #expect(result.lines == ["got \(file)"])
      #expect(try folder.bytes(of: "picks") == Array("\(file)\n".utf8))
      let killed = try Program.run(["--select-1", file, "--exec", "sh", "-c", "kill -TERM $$", "sh"])
      #expect(killed.status == .exited(128 + 15))
      let missing = try Program.run(["--select-1", file, "--exec", "no-such-program-here"])
      #expect(missing.status == .exited(127))
      #expect(missing.errors.contains("tpick: --exec: no-such-program-here: No such file or directory"))
      let folder = try Program.run(["--select-1", file, "--exec", path])
      #expect(folder.status == .exited(126))
    }

    @Test func `The command has the terminal, also if candidates came through standard input`() throws {
      try folder.write(try TestPhoto(width: 16, height: 12).bytes(), to: "one/1.jpg")
      let session = try Program.pick(
        ["--select-1", "-", "--exec", "sh", "-c", "read -r line; echo \"$line $1\"", "sh", "{}"],
        standardInput: .bytes(Array("\(path)/one/1.jpg\n".utf8)))
      session.send("typed\r")
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["typed \(path)/one/1.jpg"])
    }

    @Test func `Canceling runs nothing`() throws {
      let session = try TerminalSession(
        Program.path,
        [
          "-n0", "--graphics", "none", "\(path)/photos", "--exec", Program.python, "\(path)/note.py",
          "\(path)/noted",
        ],
        environment: Program.environment(), columns: 80, rows: 24)
      try session.waitForText("\(Self.names.count) photos")
      session.send("q")
      try session.expectExit(.exited(130))
      #expect(!FileManager.default.fileExists(atPath: "\(path)/noted"))
    }

    @Test func `Under limited access only allowed photos reach the command`() throws {
      try folder.write(try TestPhoto(width: 16, height: 12).bytes(), to: "two/1.jpg")
      try folder.write(try TestPhoto(width: 16, height: 12).bytes(), to: "two/2.jpg")
      let result = try Program.run([
        "--authorize", "limited", "--allow", "\(path)/two/2.jpg", "--select-1", "\(path)/two", "--exec",
        "echo",
      ])
      #expect(result.lines == ["\(path)/two/2.jpg"])
    }

    @Test(arguments: [
      (["--exec"], "no command is named"), (["--exec", ";", "/"], "no command is named"),
      (["/", "--exec", "sh", "-c", "rm {}"], "{} has to be a word of its own"),
      (
        ["--selection", "continuous", "/", "--exec", "ls"],
        "--exec: can't be used with --selection continuous"
      ),
    ])
    func `A command that can't be run is a usage error`(arguments: [String], message: String) throws {
      let result = try Program.run(arguments)
      #expect(result.status == .exited(64))
      #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test func `Other commands have no such option, and after two dashes it is a name`() throws {
      let list = try Program.run(["list", path, "--exec", "ls"])
      #expect(list.status == .exited(64))
      let missing = try Program.run(["list", "--", "--exec", "ls"])
      #expect(missing.status == .exited(2))
      #expect(missing.errors.contains("--exec: "))
    }
  }
}
