import Fixtures
import Foundation
import Metadata
import TestScheduling
import TestTerminal
import Testing

extension Commands {
  /// What is stored between runs, and what happens if it can't be.
  @Suite struct LibraryIndexTests {
    /// A library with files of every kind, and folders for its own index.
    private struct Sandbox {
      let library: TemporaryFolder
      let home: TemporaryFolder
      var cache: String
      /// Arguments and environment variables that name the folders.
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

    @Test func `A second run prints the same as the first`() throws {
      let first = try sandbox.list()
      #expect(first.lines.count == 6)
      let second = try sandbox.list()
      #expect(second.output == first.output)
      // Not even the helper is needed: its answers are in the index.
      let third = try sandbox.list(more: ["TPICK_CODECS": "/nonexistent/helper"])
      #expect(third.output == first.output)
      #expect(third.errors.isEmpty)
      for (arguments, count) in [(["--query", "sea"], 1), (["--filter", "slomoVideos"], 1)] {
        let found = try Program.run(
          ["list"] + arguments + [sandbox.library.path], environment: sandbox.environment)
        #expect(found.lines.count == count)
      }
    }

    @Test func `A later run finds changes made in between`() throws {
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

    @Test func `Without a folder for the index the program works and reports the loss`() throws {
      var sandbox = sandbox
      let expected = try sandbox.list().output
      sandbox.cache = "/dev/null/cache"
      for _ in 1...2 {
        let result = try sandbox.list()
        #expect(result.status == .exited(0))
        #expect(result.output == expected)
        #expect(result.errors.contains("the index can't be saved"))
        #expect(result.errors.split(separator: "\n").count == 1)
      }
    }

    @Test(arguments: [
      Array("not a database at all, but long enough to be read as one".utf8), [], [0x53, 0x51, 0x4C],
    ])
    func `A damaged index is recreated silently`(bytes: [UInt8]) throws {
      let expected = try sandbox.list().output
      for name in ["index.sqlite-wal", "index.sqlite-shm"] { sandbox.home.remove("cache/tpick/\(name)") }
      try sandbox.home.write(bytes, to: "cache/tpick/index.sqlite")
      for _ in 1...2 {
        let result = try sandbox.list()
        #expect(result.output == expected)
        #expect(result.errors.isEmpty)
      }
    }

    @Test func `A damaged ledger is set aside and reported`() throws {
      _ = try sandbox.list()
      for name in ["library.sqlite-wal", "library.sqlite-shm"] { sandbox.home.remove("data/tpick/\(name)") }
      try sandbox.home.write(
        Array("no database at all, but long enough".utf8), to: "data/tpick/library.sqlite")
      let result = try sandbox.list()
      #expect(result.lines.count == 6)
      #expect(result.errors.contains("\(sandbox.home.path)/data/tpick/library.sqlite.damaged"))
      #expect(try sandbox.list().errors.isEmpty)
    }

    @Test func `Without the codec helper the rest is listed, and the gap is reported`() throws {
      let without = ["TPICK_CODECS": "/nonexistent/helper"]
      let result = try sandbox.list("--format", "paths", more: without)
      #expect(result.status == .exited(0))
      #expect(result.lines.count == 6)
      #expect(
        result.errors.contains(
          "TPICK_CODECS names '/nonexistent/helper', which is not a program: unset it, or name tpick-codecs"))
      #expect(result.errors.split(separator: "\n").count == 1)
      #expect(try sandbox.list("--filter", "slomoVideos", more: without).status == .exited(1))
      // Missing metadata is read as soon as a helper is available.
      let later = try sandbox.list("--filter", "slomoVideos")
      #expect(later.lines.count == 1)
      #expect(later.errors.isEmpty)
    }

    @Test func `Without the reader helper files are listed by name, and the gap is reported`() throws {
      let without = ["TPICK_READER": "/nonexistent/reader"]
      let result = try sandbox.list("--format", "paths", more: without)
      #expect(result.status == .exited(0))
      #expect(result.lines.count == 6)
      #expect(
        result.errors.contains(
          "TPICK_READER names '/nonexistent/reader', which is not a program: unset it, or name tpick-reader"))
      #expect(result.errors.split(separator: "\n").count == 1)
      let later = try sandbox.list()
      #expect(later.errors.isEmpty)
      #expect(later.lines.count == 6)
      #expect(!later.lines.contains { $0.contains(#""pixelWidth":0"#) })
    }

    @Test func `One variable names the folder of both helpers`() throws {
      let result = try sandbox.list("--format", "paths", more: ["TPICK_HELPERS": "/nonexistent"])
      #expect(result.lines.count == 6)
      #expect(result.errors.contains("tpick-reader is not in '/nonexistent', which TPICK_HELPERS names"))
      let folder = String(
        Fixtures.Program.standIn.split(separator: "/").dropLast().reduce(into: "") { $0 += "/\($1)" })
      let later = try sandbox.list(more: ["TPICK_HELPERS": folder])
      #expect(later.errors.isEmpty && !later.lines.contains { $0.contains(#""pixelWidth":0"#) })
    }

    @Test func `A file that crashes the reader loses only its own metadata`() throws {
      try sandbox.library.write(Array("die".utf8), to: "folder/2.jpg")
      let result = try sandbox.list("--format", "paths", more: ["TPICK_READER": Fixtures.Program.standIn])
      #expect(result.status == .exited(0))
      for name in ["b.jpg", "folder/1.jpg", "folder/2.jpg", "folder/3.jpg"] {
        #expect(result.lines.contains("\(sandbox.library.path)/\(name)"))
      }
      #expect(result.errors.contains("2.jpg: the reader of this format crashed on it"))
    }

    @Test(arguments: 1...TestSize.count(3, long: 12))
    func `Eight processes on a new index report no issue and lose nothing`(round: Int) throws {
      try expectAgreement(of: (1...8).map { _ in try start() })
      #expect(try sandbox.list().errors.isEmpty)
    }

    @Test(arguments: 1...3)
    func `Of several processes that find a damaged ledger, one sets it aside`(round: Int) throws {
      let damage = Array("no database at all, but long enough".utf8)
      try sandbox.home.write(damage, to: "data/tpick/library.sqlite")
      let sessions = try (1...6).map { _ in try start() }
      for session in sessions { try session.expectExit(.exited(0)) }
      #expect(try sandbox.home.bytes(of: "data/tpick/library.sqlite.damaged") == damage)
      #expect(throws: (any Error).self) { try sandbox.home.bytes(of: "data/tpick/library.sqlite.damaged-2") }
      #expect(sessions.filter { !$0.standardErrorBytes.isEmpty }.count == 1)
      #expect(try sandbox.list().errors.isEmpty)
    }

    @Test(arguments: [false, true])
    func `Index and ledger are private, whichever process creates the folders`(isDemo: Bool) throws {
      let arguments = isDemo ? ["list", "--demo"] : ["list", sandbox.library.path]
      #expect(try Program.run(arguments, environment: sandbox.environment).status == .exited(0))
      try expectPrivate()
      // Files that an older version left accessible.
      for (folder, names) in try kept() {
        try sandbox.home.setPermissions(0o755, of: folder)
        for name in names { try sandbox.home.setPermissions(0o644, of: "\(folder)/\(name)") }
      }
      #expect(try Program.run(arguments, environment: sandbox.environment).status == .exited(0))
      try expectPrivate()
    }

    private func start() throws -> TerminalSession {
      try TerminalSession(
        Program.path, ["list", "--format", "jsonl", sandbox.library.path],
        environment: sandbox.environment, standardInput: .null)
    }

    private func expectAgreement(of sessions: [TerminalSession]) throws {
      for session in sessions { try session.expectExit(.exited(0)) }
      for session in sessions {
        #expect(String(decoding: session.standardErrorBytes, as: UTF8.self) == "")
        #expect(session.standardOutputBytes == sessions[0].standardOutputBytes)
      }
    }

    /// The folders with stored files, and the names of these files.
    private func kept() throws -> [String: [String]] {
      let manager = FileManager.default
      return try Dictionary(
        uniqueKeysWithValues: ["cache/tpick", "data/tpick"].map { folder in
          let names = try manager.contentsOfDirectory(atPath: "\(sandbox.home.path)/\(folder)")
          return (folder, names.filter { $0.contains("sqlite") })
        })
    }

    private func expectPrivate() throws {
      let mode = { (name: String) in
        try FileManager.default.attributesOfItem(atPath: "\(sandbox.home.path)/\(name)")[.posixPermissions]
          as? Int
      }
      for (folder, names) in try kept() {
        #expect(try mode(folder) == 0o700)
        #expect(names.count > 1)
        for name in names { #expect(try mode("\(folder)/\(name)") == 0o600, "\(name)") }
      }
    }

    @Test func `Concurrent processes do not interfere`() throws {
      let sessions = try (1...4).map { _ in try start() }
      try expectAgreement(of: sessions)
      #expect(try sandbox.list().output == sessions[0].standardOutputBytes)
    }
  }
}
