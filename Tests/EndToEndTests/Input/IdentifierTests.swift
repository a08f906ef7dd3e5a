import Fixtures
import Foundation
import TestTerminal
import Testing

extension Commands {
  /// The output of `--format ids` and `--format uris`, accepted wherever a path is.
  @Suite struct IdentifierTests {
    private let home: TemporaryFolder
    private let folder: TemporaryFolder
    private var path: String { folder.path }
    private var environment: [String: String] {
      [
        "XDG_CACHE_HOME": "\(home.path)/cache", "XDG_DATA_HOME": "\(home.path)/data",
        "XDG_PICTURES_DIR": "\(home.path)/Pictures",
      ]
    }

    init() throws {
      (home, folder) = (try TemporaryFolder(), try TemporaryFolder())
      try home.makeFolder("Pictures")
      try Photos.write(3, to: folder)
      try folder.write(HandmadeHEIC().bytes, to: "sub/IMG_1.heic")
      try folder.write(HandmadeMovie().bytes, to: "sub/IMG_1.mov")
    }

    private func run(
      _ arguments: [String], input: String? = nil, timeout: Double = 120
    ) throws -> Program.Output {
      try Program.run(
        rawArguments: arguments.map { Array($0.utf8) }, environment: environment,
        input: input.map { .bytes(Array($0.utf8)) } ?? .null, timeout: timeout)
    }

    private func pick(_ arguments: [String], input: String? = nil) throws -> TerminalSession {
      try Program.pick(
        ["-n0", "--graphics", "none"] + arguments, columns: 80, rows: 24, environment: environment,
        standardInput: input.map { .bytes(Array($0.utf8)) } ?? .terminal)
    }

    /// The photos in name order, in the given format.
    private func listed(_ format: String) throws -> [String] {
      let result = try run(["list", "--sort", "name", "--format", format, path])
      #expect(result.status == .exited(0))
      return result.lines
    }

    private var files: [String] {
      ["\(path)/1.jpg", "\(path)/2.jpg", "\(path)/3.jpg", "\(path)/sub/IMG_1.heic"]
    }

    @Test(arguments: ["ids", "uris"])
    func `Every subcommand accepts them, as arguments and on standard input`(format: String) throws {
      let words = try listed(format)
      #expect(words.count == 4)
      let lines = words.joined(separator: "\n")
      for arguments in [["list", "--sort", "name"] + words, ["list", "--sort", "given"] + words] {
        let result = try run(arguments)
        #expect(result.lines == files && result.errors.isEmpty, "\(result.errors)")
      }
      #expect(try run(["list", "--sort", "name", "-"], input: lines).lines == files)
      let nul = words.joined(separator: "\0")
      #expect(try run(["list", "--sort", "given", "--read0", "-"], input: nul).lines == files)
      #expect(try run(["info", "--format", "{path}"] + words).lines == files)
      #expect(try run(["info", "--format", "{path}", "-"], input: lines).lines == files)
      #expect(try run(["info", "--format", "{path}", "--read0", "-"], input: nul).lines == files)
      #expect(try run(["albums", "--format", "jsonl", "--type", "smart"] + words).status == .exited(0))
      let drawn = try run(["show", "--size", "8x4"] + files[..<3])
      #expect(drawn.status == .exited(0))
      #expect(try run(["show", "--size", "8x4"] + words[..<3]).output == drawn.output)
      for session in [
        try pick(["--sort", "name"] + words), try pick(["--sort", "given", "-"], input: lines + "\n"),
      ] {
        try session.waitForText("4 photos")
        session.send("a")
        try session.waitForText("4 picked")
        session.press(.enter)
        try session.expectExit(.exited(0))
        #expect(session.outputLines == files)
      }
    }

    @Test(arguments: ["ids", "uris"])
    func `They can name preselected and allowed photos`(format: String) throws {
      let words = try listed(format)
      try folder.write(Array((words[2] + "\n" + words[3]).utf8), to: "picks")
      let session = try pick(["--preselect", words[1], "--preselect-from", "\(path)/picks", path])
      try session.waitForText("3 picked")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == [files[1], files[2], files[3]])
      let limited = ["list", "--sort", "name", "--authorize", "limited"]
      #expect(
        try run(limited + ["--allow", words[0], "--allow=\(words[3])", path]).lines == [files[0], files[3]])
    }

    @Test func `Naming one file yields the complete asset`() throws {
      let identifier = try #require(try listed("ids").last)
      for arguments in [["list"], ["info"]] {
        let result = try run(arguments + ["--format", "json", identifier])
        let text = String(decoding: result.output, as: UTF8.self)
        #expect(text.contains(#""type":"photo""#) && text.contains(#""type":"pairedVideo""#))
        #expect(text.contains(#""localIdentifier":"\#(identifier)""#))
      }
    }

    @Test func `They stay valid after a move, and after the cache was cleared`() throws {
      let identifier = try #require(try listed("ids").first)
      try folder.rename("1.jpg", to: "sub/moved.jpg")
      #expect(try run(["list", identifier]).lines == ["\(path)/sub/moved.jpg"])
      #expect(try run(["cache", "clear"]).status == .exited(0))
      #expect(try run(["info", "--format", "{path}", identifier]).lines == ["\(path)/sub/moved.jpg"])
    }

    @Test func `They are searched for in the pictures folder too, and in other sources`() throws {
      try home.write(try folder.bytes(of: "1.jpg"), to: "Pictures/new.jpg")
      let other = ["XDG_DATA_HOME": "\(home.path)/other", "XDG_CACHE_HOME": "\(home.path)/other"]
      let identifier = try #require(
        try Program.run(["list", "--format", "ids", "\(home.path)/Pictures/new.jpg"], environment: other)
          .lines.first)
      let own = environment.merging(["XDG_PICTURES_DIR": "\(home.path)/none"]) { $1 }
      // One identifier in five thousand is too short to be distinguished from a word.
      guard identifier.count > 10 else { return }
      #expect(try run(["info", "--format", "{name}", identifier]).lines == ["new.jpg"])
      #expect(
        try Program.run(["list", identifier, "\(home.path)/Pictures"], environment: own).lines.count == 1)
    }

    @Test func `An unknown one is skipped like a missing path`() throws {
      let identifier = try #require(try listed("ids").first)
      let unknown = "1tvx0dx3m70ro"
      let message = "tpick: \(unknown): No such file or directory, and no photo has this identifier\n"
      let mixed = try run(["list", unknown, identifier])
      #expect(mixed.status == .exited(0) && mixed.lines == [files[0]] && mixed.errors == message)
      #expect(try run(["list", "--quiet", unknown, identifier]).errors.isEmpty)
      for arguments in [["list"], ["albums"], ["info"], ["pick", "--exit-0"]] {
        let result = try run(arguments + [unknown])
        #expect(result.status == .exited(2) && result.errors == message, "\(arguments)")
      }
      let shown = try run(["show", "--size", "4x2", unknown])
      #expect(shown.status == .exited(2) && shown.errors.hasPrefix("tpick: \(unknown): No such file"))
      // A plain word is an error.
      #expect(try run(["list", "nosuch"]).errors == "tpick: nosuch: No such file or directory\n")
    }

    @Test func `A file with that name takes precedence`() throws {
      let identifier = try #require(try listed("ids").first)
      try folder.write(try folder.bytes(of: "2.jpg"), to: identifier)
      let session = try TerminalSession(
        Program.path, ["list", identifier], environment: Program.environment(environment),
        workingDirectory: path, standardInput: .null)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == [identifier])
    }

    @Test func `Lists of URIs have the right line ends`() throws {
      let input = try listed("uris").joined(separator: "\r\n") + "\r\n"
      #expect(try run(["list", "--sort", "name", "-"], input: input).lines == files)
      let session = try pick(["--sort", "given", "-"], input: input)
      try session.waitForText("4 photos")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == [files[0]])
    }

    @Test func `The input of info may be empty, or contain unannounced NUL bytes`() throws {
      #expect(try run(["info", "-"], input: "").status == .exited(1))
      let nul = try run(["info", "-"], input: "a\0b")
      #expect(nul.status == .exited(64) && nul.errors.contains("--read0"))
      let mixed = try run(
        ["info", "--format", "{name}", "-", "\(path)/2.jpg"], input: "\(path)/1.jpg\ngone.jpg\n")
      #expect(mixed.status == .exited(2) && mixed.lines == ["1.jpg", "2.jpg"])
      #expect(mixed.errors == "tpick: gone.jpg: No such file or directory\n")
      // Each in the spelling in which it was given.
      let spelled = try run([
        "info", "--format", "{path}", "\(path)/1.jpg", "\(path)/./1.jpg", "\(path)/1.jpg",
      ])
      #expect(spelled.lines == ["\(path)/1.jpg", "\(path)/./1.jpg", "\(path)/1.jpg"])
    }
  }
}
