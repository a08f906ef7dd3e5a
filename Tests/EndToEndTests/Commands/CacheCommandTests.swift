import Fixtures
import Imaging
import Pixels
import SystemPackage
import TestTerminal
import Testing

extension Commands {
  @Suite struct CacheCommandTests {
    private let home: TemporaryFolder
    private let library: TemporaryFolder

    init() throws {
      (home, library) = (try TemporaryFolder(), try TemporaryFolder())
      for day in 1...3 {
        try library.write(try TestPhoto(width: 32, height: 24, date: .day(day)).bytes(), to: "\(day).jpg")
      }
    }

    private func run(_ arguments: String...) throws -> Program.Output {
      try Program.run(
        arguments,
        environment: ["XDG_CACHE_HOME": "\(home.path)/cache", "XDG_DATA_HOME": "\(home.path)/data"])
    }

    /// Stores a thumbnail as the picker does, and one as another program would.
    private func addThumbnails() throws -> String {
      let directory = ThumbnailDirectory(
        root: FilePath("\(home.path)/cache/thumbnails"), state: FilePath("\(home.path)/cache/tpick"),
        version: "0.1.0")
      let subject = try #require(ThumbnailSubject(fileAt: FilePath("\(library.path)/1.jpg")))
      let size = PixelSize(width: 32, height: 24)
      try directory.keep(
        PixelBuffer(size: size, filledWith: .white), of: subject, sourceSize: size, as: .large)
      try directory.recordFailure(of: subject, reason: "no JPEG")
      let foreign = "cache/thumbnails/large/00000000000000000000000000000000.png"
      try home.write(Array("of another program".utf8), to: foreign)
      return foreign
    }

    @Test func `Status lists all caches`() throws {
      let empty = try run("cache", "status")
      #expect(empty.status == .exited(0))
      #expect(
        empty.lines == [
          "thumbnails      \(home.path)/cache/thumbnails", "  all           0 files, 0 B",
          "  tpick's       0 files, 0 B of 256 MiB", "  failures      0 files, 0 B",
          "index           \(home.path)/cache/tpick/index.sqlite", "  size          none yet",
        ])
      _ = try run("list", library.path)
      _ = try addThumbnails()
      let full = try run("cache", "status")
      #expect(full.lines[1].hasPrefix("  all           2 files, "))
      #expect(full.lines[2].hasPrefix("  tpick's       1 file, "))
      #expect(full.lines[3].hasPrefix("  failures      1 file, "))
      #expect(full.lines[5].contains(" KiB"))
      let json = String(decoding: try run("cache", "--format", "json", "status").output, as: UTF8.self)
      #expect(json.contains("\"all\":{\"count\":2,"))
      #expect(json.hasSuffix("\"version\":1}\n"))
    }

    @Test func `JSON output matches the schema`() throws {
      func problems(_ definition: String, _ arguments: String...) throws -> String {
        let result = try Program.run(
          arguments + ["--format", "json"],
          environment: ["XDG_CACHE_HOME": "\(home.path)/cache", "XDG_DATA_HOME": "\(home.path)/data"],
          timeout: 400)
        #expect(result.status == .exited(0) && result.errors.isEmpty)
        return try SchemaValidator.problems(of: result.output, definition)
      }
      #expect(try problems("cacheDocument", "cache", "status") == "")
      #expect(try problems("cacheWarmDocument", "cache", "warm", library.path) == "")
      _ = try addThumbnails()
      // With all optional parts.
      _ = try run("list", "--offline", "nas:Photos")
      try home.write([1, 2, 3], to: "cache/tpick/demo-1/a.jpg")
      #expect(try problems("cacheDocument", "cache", "status") == "")
      let full = String(decoding: try run("cache", "status", "--format", "json").output, as: UTF8.self)
      for key in ["originals", "sampleLibrary", "size"] { #expect(full.contains("\"\(key)\":")) }
    }

    @Test func `Status shows the limit of originals from the given configuration`() throws {
      _ = try run("list", library.path)
      // An original was downloaded once.
      _ = try run("list", "--offline", "nas:Photos")
      let usual = try run("cache", "status").lines
      try home.write(Array("[cache]\noriginals = \"3GiB\"\n".utf8), to: "own.toml")
      let own = try run("cache", "status", "--config", "\(home.path)/own.toml").lines
      #expect(usual.contains("  all           0 files, 0 B; up to 4 GiB, not counting picked ones"))
      #expect(own.contains("  all           0 files, 0 B; up to 3 GiB, not counting picked ones"))
    }

    @Test func `Clear removes tpick's caches, and keeps what can't be recreated`() throws {
      let before = try run("list", "--format", "ids", library.path)
      let foreign = try addThumbnails()
      let ledger = try home.bytes(of: "data/tpick/library.sqlite")
      let result = try run("cache", "clear")
      #expect(result.status == .exited(0))
      #expect(result.errors.isEmpty)
      #expect(result.lines.first?.hasPrefix("removed 1 thumbnail (") == true)
      #expect(try home.bytes(of: foreign) == Array("of another program".utf8))
      #expect(try home.bytes(of: "data/tpick/library.sqlite") == ledger)
      let status = try run("cache", "status").lines
      #expect(status[1] == "  all           1 file, 18 B")
      #expect(status[2].hasPrefix("  tpick's       0 files, "))
      let after = try run("list", "--format", "ids", library.path)
      #expect(after.output == before.output)
      #expect(after.errors.isEmpty)
      #expect(try run("cache", "clear").status == .exited(0))
    }

    @Test func `A damaged index is removed`() throws {
      try home.write(Array("no database at all, but long enough".utf8), to: "cache/tpick/index.sqlite")
      #expect(try run("cache", "clear").status == .exited(0))
      #expect(try run("list", library.path).errors.isEmpty)
    }

    @Test func `An index that can't be cleared is an error, and the thumbnails are removed anyway`() throws {
      _ = try addThumbnails()
      try home.makeFolder("cache/tpick/index.sqlite/within")
      let result = try run("cache", "clear")
      #expect(result.status == .exited(2))
      #expect(result.errors.contains("index.sqlite: "))
      #expect(result.output.isEmpty)
      #expect(try run("cache", "status").lines[2].hasPrefix("  tpick's       0 files, "))
    }

    @Test(arguments: [
      ["cache"], ["cache", "empty"], ["cache", "status", "clear"], ["cache", "status", "--format", "xml"],
    ])
    func `Anything else is a usage error`(arguments: [String]) throws {
      let result = try Program.run(arguments)
      #expect(result.status == .exited(64))
      #expect(result.errors.contains("Try 'tpick cache "))
    }
  }
}
