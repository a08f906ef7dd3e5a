import Fixtures
import Foundation
import Glibc
import TestTerminal
import Testing

extension EndToEnd {
  /// `tpick cache warm`: what the picker would make exists before it starts.
  @Suite struct CacheWarmTests {
    private let home: TemporaryFolder
    private let library: TemporaryFolder
    private var environment: [String: String] {
      ["XDG_CACHE_HOME": "\(home.path)/cache", "XDG_DATA_HOME": "\(home.path)/data"]
    }

    init() throws {
      home = try TemporaryFolder()
      library = try Photos.folder(40)
    }

    private struct Report: Decodable, Equatable {
      var version = 1
      var assets = 0
      var made = 0
      var present = 0
      var unneeded = 0
      var failed = 0
      var left = 0
    }

    private struct Stats: Decodable {
      var images: [String: Int]
    }

    private func warm(_ arguments: [String], input: StandardInput = .null) throws -> Program.Output {
      try Program.run(
        rawArguments: (["cache", "warm"] + arguments).map { Array($0.utf8) }, environment: environment,
        input: input, timeout: 300)
    }

    private func report(_ arguments: [String], input: StandardInput = .null) throws -> Report {
      let result = try warm(["--format", "json"] + arguments, input: input)
      #expect(result.status == .exited(0), "\(result.errors)")
      return try JSONDecoder().decode(Report.self, from: Data(result.output))
    }

    /// Starts it with a terminal at standard error.
    private func start(_ arguments: [String] = []) throws -> TerminalSession {
      try TerminalSession(
        Program.path, ["cache", "warm"] + arguments + [library.path],
        environment: Program.environment(environment), columns: 120, rows: 40, cell: (5, 10),
        standardError: .terminal)
    }

    @Test(arguments: [false, true])
    func `Afterwards the first screen of a picker decodes nothing`(isWarm: Bool) throws {
      if isWarm {
        let session = try start()
        try session.expectExit(.exited(0))
        #expect(session.outputLines == ["40 thumbnails made, 0 already present"])
        // The progress line is gone.
        let isBlank = session.virtual.text.allSatisfy { $0.isWhitespace }
        #expect(isBlank)
      }
      let stats = "\(home.path)/stats.json"
      let session = try Program.pick(["--debug-stats", stats, library.path], environment: environment)
      try session.waitForGrid(40)
      session.press(.escape)
      try session.expectExit(.exited(130))
      let counters = try JSONDecoder().decode(Stats.self, from: Data(contentsOf: .init(filePath: stats)))
        .images
      #expect((counters["decodes"] == 0) == isWarm, "\(counters)")
      if isWarm { #expect(counters["storedThumbnails", default: 0] >= 8) }
    }

    @Test func `Existing thumbnails stay, and missing ones are added`() throws {
      #expect(try report([library.path]) == Report(assets: 40, made: 40))
      #expect(try report([library.path]) == Report(assets: 40, present: 40))
      try library.write(try TestPhoto(width: 400, height: 300, date: .day(1)).bytes(), to: "new.jpg")
      try library.write(try TestPhoto(width: 40, height: 30, date: .day(1)).bytes(), to: "small.jpg")
      try library.write(Array("words".utf8), to: "bad.jpg")
      let result = try warm([library.path])
      #expect(result.status == .exited(0))
      #expect(result.lines == ["1 thumbnail made, 40 already present, none needed for 1, 1 can't be shown"])
      #expect(result.errors.contains("bad.jpg: its content is no picture or video"))
      let status = try Program.run(["cache", "status"], environment: environment)
      #expect(status.lines[2].hasPrefix("  tpick's       41 files, "))
      #expect(!status.lines[5].contains("none yet"))
    }

    @Test func `Sources are those of list`() throws {
      let paths = (1...3).map { "\(library.path)/\($0).jpg" }
      let input = StandardInput.bytes(Array(paths.joined(separator: "\n").utf8))
      #expect(try report(["-"], input: input) == Report(assets: 3, made: 3))
      #expect(try report(paths) == Report(assets: 3, present: 3))
      let identifiers = try Program.run(
        ["list", "--format", "ids", library.path], environment: environment
      ).lines
      #expect(try report(Array(identifiers.prefix(5))).assets == 5)
      let later = try Program.run(
        ["--format", "json", "--filter", "videos", "cache", "warm", library.path], environment: environment)
      #expect(later.status == .exited(1))
    }

    @Test func `Larger cells get larger thumbnails`() throws {
      try library.write(try TestPhoto(width: 1200, height: 900, date: .day(1)).bytes(), to: "large.jpg")
      let large = "\(library.path)/large.jpg"
      #expect(try report(["--cell-size", "5x10", large]).made == 1)
      #expect(try report(["--cell-size", "6x12", large]).present == 1)
      #expect(try report(["--cell-size", "24x48", large]).made == 1)
      #expect(try report(["--cell-size", "10x20", "--size", "80x24", large]).present == 1)
    }

    @Test func `With --quiet nothing is printed`() throws {
      try library.write(Array("words".utf8), to: "bad.jpg")
      let session = try start(["--quiet"])
      try session.expectExit(.exited(0))
      #expect(session.standardOutputBytes.isEmpty && session.rawOutput.isEmpty)
    }

    @Test func `Ctrl-C keeps finished thumbnails`() throws {
      // More than are made at once.
      for number in 0..<1500 {
        #expect(link("\(library.path)/1.jpg", "\(library.path)/link\(number).jpg") == 0)
      }
      let session = try start()
      try session.waitUntil("progress") { $0.text.contains(" thumbnails (") }
      session.send("\u{3}")
      try session.expectExit(.signalled(SIGINT))
      #expect(session.standardOutputBytes.isEmpty)
      let report = try report([library.path])
      #expect(report.present > 0 && report.made > 0 && report.present + report.made == 1540)
    }

    @Test func `Failures are reported`() throws {
      #expect(try warm(["\(home.path)/none"]).status == .exited(2))
      try home.makeFolder("empty")
      #expect(try warm(["\(home.path)/empty"]).status == .exited(1))
      #expect(try warm(["--authorize", "denied", library.path]).status == .exited(77))
      try home.write([1], to: "cache/thumbnails")
      let result = try warm([library.path])
      #expect(result.status == .exited(2))
      #expect(result.errors == "tpick: \(home.path)/cache/thumbnails: 40 thumbnails can't be written\n")
      for arguments in [["--format", "xml"], ["--size", "1"], ["--size", "10x3"], ["--cell-size", "x"]] {
        let result = try warm(arguments + [library.path])
        #expect(result.status == .exited(64), "\(arguments)")
      }
    }
  }
}
