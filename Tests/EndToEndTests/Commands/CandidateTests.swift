import Fixtures
import TestTerminal
import Testing

extension Commands {
  /// Candidates passed by the shell: none is lost, however they are written and however many there are.
  @Suite struct CandidateTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path }

    init() throws {
      folder = try TemporaryFolder()
      try Photos.write(3, to: folder)
    }

    @Test func `A folder in several spellings is one, and each file keeps its own`() throws {
      try folder.link("link", to: path)
      let given = ["\(path)/3.jpg", "\(path)/./1.jpg", "\(path)/link/2.jpg", "\(path)/link/3.jpg"]
      #expect(try Program.run(["list"] + given).lines == [given[1], given[2], given[0]])
      let input = given.joined(separator: "\n")
      let result = try Program.run(
        rawArguments: ["list", "-"].map { Array($0.utf8) }, input: .bytes(Array(input.utf8)))
      #expect(result.status == .exited(0))
      #expect(result.lines == [given[1], given[2], given[0]])
      #expect(
        try Program.run(["list", "\(path)/./2.jpg", path]).lines.sorted() == [
          "\(path)/./2.jpg", "\(path)/1.jpg", "\(path)/3.jpg",
        ])
    }

    @Test(arguments: [
      // Operands among options, repeated options, and values that look like options.
      (["1.jpg", "2.jpg", "3.jpg"], ["1.jpg", "2.jpg", "3.jpg"]),
      (["--sort", "oldest", "1.jpg", "2.jpg"], ["2.jpg", "1.jpg"]),
      (["1.jpg", "2.jpg", "--sort", "oldest", "3.jpg"], ["3.jpg", "2.jpg", "1.jpg"]),
      (["1.jpg", "2.jpg", "--", "3.jpg"], ["1.jpg", "2.jpg", "3.jpg"]),
      (["-0", "2.jpg", "1.jpg"], ["1.jpg", "2.jpg"]),
      (["--filter", "images", "--filter", "!videos", "--filter=images", "1.jpg"], ["1.jpg"]),
      (["--filter", "images", "--filter", "videos", "1.jpg", "2.jpg"], []),
      (
        ["--authorize", "limited", "--allow", "1.jpg", "2.jpg", "--allow", "3.jpg", "1.jpg", "3.jpg"],
        ["1.jpg", "3.jpg"]
      ),
      (
        ["--authorize", "limited", "--allow=1.jpg", "--allow=3.jpg", "1.jpg", "2.jpg", "3.jpg"],
        ["1.jpg", "3.jpg"]
      ),
      (["--query", "--filter", "1.jpg", "2.jpg"], ["1.jpg", "2.jpg"]),
      (["2.jpg", "2.jpg", "\u{301}.jpg"], ["2.jpg", "\u{301}.jpg"]),
    ])
    func `Arguments have the same meaning in any number`(arguments: [String], expected: [String]) throws {
      try folder.write(
        try TestPhoto(width: 16, height: 12, date: .day(1, month: 1)).bytes(), to: "\u{301}.jpg")
      let arguments = arguments.map { word in
        guard word.hasSuffix(".jpg") else { return word }
        return word.hasPrefix("--allow=") ? "--allow=\(path)/\(word.dropFirst(8))" : "\(path)/\(word)"
      }
      let result = try Program.run(["list"] + arguments)
      let separator: Character = arguments.contains("-0") ? "\0" : "\n"
      let lines = String(decoding: result.output, as: UTF8.self).split(separator: separator)
      #expect(lines == expected.map { "\(path)/\($0)" }.map { Substring($0) })
    }

    @Test func `Many arguments take linear, not quadratic, time`() throws {
      func time(_ count: Int, _ words: [String]) throws -> Duration {
        let start = ContinuousClock.now
        let result = try Program.run(
          ["list", "--authorize", "limited"] + (0..<count).flatMap { _ in words }, timeout: 400)
        #expect(result.lines == ["\(path)/1.jpg"])
        return start.duration(to: .now)
      }
      let file = "\(path)/1.jpg"
      for words in [["--allow", file, file], [file, "--allow=\(file)"]] {
        // Twenty times the number takes about twenty times as long; quadratic time would take four hundred times.
        let few = try min(time(300, words), time(300, words))
        var many = try time(6000, words)
        // A second attempt, in case the machine was busy for a moment.
        if many > few * 60 { many = try min(many, time(6000, words)) }
        #expect(many < few * 60, "\(few) for 300, \(many) for 6,000")
      }
    }

    @Test func `Many paths on standard input take linear, not quadratic, time`()
      throws
    {
      try folder.makeFolder("in")
      func time(_ count: Int) throws -> Duration {
        let lines = (0..<count).map { number in
          let spelling = (0..<10).map { number >> $0 & 1 == 0 ? "." : "in/.." }.joined(separator: "/")
          return "\(path)/\(spelling)/1.jpg\n\(path)/gone\(number)\n\(path)/1.jpg\n"
        }
        let start = ContinuousClock.now
        let result = try list(["-"], input: Array(lines.joined().utf8))
        #expect(result.status == .exited(0))
        #expect(result.lines == ["\(path)/\(Array(repeating: ".", count: 10).joined(separator: "/"))/1.jpg"])
        return start.duration(to: .now)
      }
      let few = try min(time(50), time(50))
      var many = try time(1000)
      if many > few * 60 { many = try min(many, time(1000)) }
      #expect(many < few * 60, "\(few) for 150, \(many) for 3,000")
    }

    @Test(arguments: [
      ["--format", "ids", "list"], ["--sort", "oldest", "--format=ids", "list", "--filter", "images"],
      ["-0", "-f", "images", "list", "--format", "ids"],
    ])
    func `Options may precede the subcommand`(arguments: [String]) throws {
      let result = try Program.run(arguments + [path])
      #expect(result.status == .exited(0))
      #expect(!result.output.isEmpty && !result.output.contains(UInt8(ascii: "/")))
    }

    @Test func `An option's value, or a later word, is no subcommand`() throws {
      try folder.write(try TestPhoto(width: 16, height: 12).bytes(), to: "list/a.jpg")
      let value = try Program.run(["--select-1", "--query", "list", path])
      #expect(value.lines == ["\(path)/list/a.jpg"])
      let later = try Program.run(["list", path, "albums"])
      #expect(later.status == .exited(0))
      #expect(
        later.errors.contains("albums: No such file or directory; a subcommand comes before the sources"))
      let unknown = try Program.run(["--bell", "list", path])
      #expect(unknown.status == .exited(64))
      #expect(unknown.errors.contains("--bell"))
      #expect(unknown.errors.contains("tpick list --help"))
    }

    // MARK: Skipped files

    private func list(_ arguments: [String], input: [UInt8]) throws -> Program.Output {
      try Program.run(
        rawArguments: ["list"].map { Array($0.utf8) } + arguments.map { Array($0.utf8) }, input: .bytes(input)
      )
    }

    @Test func `NUL bytes without read0 are a usage error`() throws {
      let input = Array("\(path)/1.jpg\0\(path)/2.jpg\0".utf8)
      let result = try list(["-"], input: input)
      #expect(result.status == .exited(64))
      #expect(result.errors.contains("--read0"))
      #expect(result.output.isEmpty)
      #expect(try list(["-", "--read0"], input: input).lines.count == 2)
    }

    @Test func `A missing source causes a warning if there are others`() throws {
      let result = try Program.run(["list", "\(path)/gone", "\(path)/1.jpg", "\(path)/went"])
      #expect(result.status == .exited(0))
      #expect(result.lines == ["\(path)/1.jpg"])
      #expect(result.errors.contains("\(path)/gone: No such file or directory"))
      #expect(result.errors.contains("\(path)/went: No such file or directory"))
      let quiet = try Program.run(["list", "--quiet", "\(path)/gone", "\(path)/1.jpg"])
      #expect(quiet.status == .exited(0))
      #expect(quiet.errors.isEmpty)
      for arguments in [["\(path)/gone", "\(path)/went"], ["--quiet", "\(path)/gone", "\(path)/went"]] {
        let nothing = try Program.run(["list"] + arguments)
        #expect(nothing.status == .exited(2))
        #expect(nothing.errors.contains("\(path)/went: No such file or directory"))
      }
      #expect(try list(["-"], input: Array("\(path)/gone\n".utf8)).status == .exited(2))
      #expect(try list(["-"], input: []).status == .exited(1))
      #expect(try Program.run(["list", "--quiet", "--verbose", path]).status == .exited(64))
    }

    @Test func `Many skipped files are summarized in one line, and listed with verbose`() throws {
      for number in 1...20 { try folder.write(Array("words".utf8), to: "\(number).txt") }
      let names = (1...20).map { "\(path)/\($0).txt\n" } + (1...5).map { "\(path)/gone\($0)\n" }
      let input = Array((names.joined() + "\(path)/1.jpg\n").utf8)
      let result = try list(["-"], input: input)
      #expect(result.status == .exited(0))
      #expect(result.lines == ["\(path)/1.jpg"])
      #expect(
        result.errors == """
          tpick: 5 files: No such file or directory (--verbose names them)
          tpick: 20 files: not a picture or video (--verbose names them)

          """)
      let verbose = try list(["--verbose", "-"], input: input)
      #expect(verbose.lines == result.lines)
      #expect(verbose.errors.split(separator: "\n").count == 25)
      #expect(verbose.errors.contains("\(path)/20.txt: not a picture or video"))
      #expect(try list(["--quiet", "-"], input: input).errors.isEmpty)
    }

    @Test func `A name that can't be printed is an error, and is not dropped silently`() throws {
      try folder.write(try TestPhoto(width: 16, height: 12).bytes(), to: "two\nlines.jpg")
      let result = try Program.run(["list", "--quiet", path])
      #expect(result.status == .exited(2))
      #expect(result.lines.count == 3)
      #expect(
        result.errors == "tpick: \(path)/two\\x0Alines.jpg: has a line break in its name: use --print0\n")
      for format in ["json", "jsonl", "uris", "ids"] {
        #expect(try Program.run(["list", "--format", format, path]).status == .exited(0))
      }
      #expect(try Program.run(["list", "-0", path]).status == .exited(0))
    }

    @Test func `A missing preselected photo causes a warning if there are others`() throws {
      let arguments = ["-n0", "--preselect", "\(path)/gone.jpg", "--preselect", "\(path)/2.jpg", path]
      let session = try Program.pick(arguments)
      try session.waitForText("3 photos")
      try session.waitForPick(1, onTile: 1)
      session.send("\r")
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(path)/2.jpg"])
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(errors.contains("--preselect: \(path)/gone.jpg: No such file or directory"))
    }
  }
}
