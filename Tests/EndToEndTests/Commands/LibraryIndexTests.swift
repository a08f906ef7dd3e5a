import Fixtures
import Metadata
import TestTerminal
import Testing

extension EndToEnd {
  /// What outlives a run, and what happens when it can't.
  @Suite struct LibraryIndexTests {
    /// A library with something of everything, and folders for an index of its own.
    private struct Sandbox {
      let library: TemporaryFolder
      let home: TemporaryFolder
      var cache: String
      /// Arguments and the variables that name the folders.
      var environment: [String: String] {
        ["XDG_CACHE_HOME": cache, "XDG_DATA_HOME": "\(home.path)/data"]
      }

      init() throws {
        (library, home) = (try TemporaryFolder(), try TemporaryFolder())
        cache = "\(home.path)/cache"
        for day in 1...3 {
          try library.write(
            try TestPhoto(width: 32, height: 24, date: .day(day)).bytes(), to: "folder/\(day).jpg")
        }
        try library.write(HandmadeHEIC().bytes, to: "folder/live.heic")
        try library.write(HandmadeMovie().bytes, to: "folder/live.mov")
        try library.write(HandmadeMovie(frameCount: 240, ticksPerFrame: 5).bytes, to: "slomo.mov")
        try library.write(
          try FactPhoto.xmp("xmp:Rating=\"5\"", MetadataSegments.list("dc:subject", ["sea"])), to: "b.jpg")
      }

      func list(_ arguments: String..., more: [String: String] = [:]) throws -> Program.Output {
        try Program.run(
          ["list", "--format", "jsonl"] + arguments + [library.path],
          environment: environment.merging(more) { $1 })
      }
    }

    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func `A second run says the same as the first`() throws {
      let first = try sandbox.list()
      #expect(first.lines.count == 6)
      let second = try sandbox.list()
      #expect(second.output == first.output)
      // Not even the helper is needed: what it told is in the index.
      let third = try sandbox.list(more: ["TPICK_CODECS": "/nonexistent/helper"])
      #expect(third.output == first.output)
      #expect(third.errors.isEmpty)
      for (arguments, count) in [(["--query", "sea"], 1), (["--filter", "slomoVideos"], 1)] {
        let found = try Program.run(
          ["list"] + arguments + [sandbox.library.path], environment: sandbox.environment)
        #expect(found.lines.count == count)
      }
    }

    @Test func `A later run finds what changed in between`() throws {
      let before = try Set(sandbox.list("--format", "ids").lines)
      try sandbox.library.rename("folder/1.jpg", to: "moved.jpg")
      #expect(try Set(sandbox.list("--format", "ids").lines) == before)
      #expect(try sandbox.list("--format", "paths").lines.contains("\(sandbox.library.path)/moved.jpg"))
      sandbox.library.remove("moved.jpg")
      try sandbox.library.write(try FactPhoto.xmp("xmp:Rating=\"5\""), to: "folder/2.jpg")
      try sandbox.library.write(try FactPhoto.photo(), to: "new/photo.jpg")
      #expect(
        try Set(sandbox.list("--format", "paths", "--filter", "favorites").lines)
          == ["\(sandbox.library.path)/folder/2.jpg", "\(sandbox.library.path)/b.jpg"])
      #expect(try sandbox.list().lines.count == 6)
    }

    @Test func `Without a place for the index it works and says what is lost`() throws {
      var sandbox = sandbox
      let expected = try sandbox.list().output
      sandbox.cache = "/dev/null/cache"
      for _ in 1...2 {
        let result = try sandbox.list()
        #expect(result.status == .exited(0))
        #expect(result.output == expected)
        #expect(result.errors.contains("the index can't be kept"))
        #expect(result.errors.split(separator: "\n").count == 1)
      }
    }

    @Test(arguments: [
      Array("no database at all, but long enough to be looked at".utf8), [], [0x53, 0x51, 0x4C],
    ])
    func `A damaged index is made anew without a word`(bytes: [UInt8]) throws {
      let expected = try sandbox.list().output
      for name in ["index.sqlite-wal", "index.sqlite-shm"] { sandbox.home.remove("cache/tpick/\(name)") }
      try sandbox.home.write(bytes, to: "cache/tpick/index.sqlite")
      for _ in 1...2 {
        let result = try sandbox.list()
        #expect(result.output == expected)
        #expect(result.errors.isEmpty)
      }
    }

    @Test func `A damaged ledger is put aside with a word`() throws {
      _ = try sandbox.list()
      for name in ["library.sqlite-wal", "library.sqlite-shm"] { sandbox.home.remove("data/tpick/\(name)") }
      try sandbox.home.write(
        Array("no database at all, but long enough".utf8), to: "data/tpick/library.sqlite")
      let result = try sandbox.list()
      #expect(result.lines.count == 6)
      #expect(result.errors.contains("\(sandbox.home.path)/data/tpick/library.sqlite.damaged"))
      #expect(try sandbox.list().errors.isEmpty)
    }

    @Test func `Without the helper the rest is there, and it is said what is missing`() throws {
      let without = ["TPICK_CODECS": "/nonexistent/helper"]
      let result = try sandbox.list("--format", "paths", more: without)
      #expect(result.status == .exited(0))
      #expect(result.lines.count == 6)
      #expect(result.errors.contains("tpick-codecs is not beside tpick"))
      #expect(result.errors.split(separator: "\n").count == 1)
      #expect(try sandbox.list("--filter", "slomoVideos", more: without).status == .exited(1))
      // What was missing is asked for as soon as there is somebody to ask.
      let later = try sandbox.list("--filter", "slomoVideos")
      #expect(later.lines.count == 1)
      #expect(later.errors.isEmpty)
    }

    @Test func `Several at once do not disturb each other`() throws {
      let sessions = try (1...4).map { _ in
        try TerminalSession(
          Program.path, ["list", "--format", "jsonl", sandbox.library.path],
          environment: sandbox.environment, standardInput: .null)
      }
      for session in sessions { #expect(try session.waitForExit() == .exited(0)) }
      for session in sessions {
        #expect(session.standardErrorBytes.isEmpty)
        #expect(session.standardOutputBytes == sessions[0].standardOutputBytes)
      }
      #expect(try sandbox.list().output == sessions[0].standardOutputBytes)
    }
  }
}
