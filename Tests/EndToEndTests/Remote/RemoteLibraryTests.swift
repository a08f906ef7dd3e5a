import Fixtures
import Foundation
import RemoteServers
import TestTerminal
import Testing

extension EndToEnd {
  /// A library on a server equals one in a folder, with any protocol.
  @Suite(.enabled(if: RemoteCondition.hasRclone, "rclone is not installed"))
  struct RemoteLibraryTests {
    /// Legitimate differences of a server's library: locations and identifiers.
    private static let different: Set = [
      "path", "uri", "localIdentifier", "resources", "albums", "modificationDate", "modificationTimestamp",
      "pathBytes",
    ]

    @Test(arguments: RemoteServer.Kind.allCases.filter(\.isAvailable))
    func `Photos on a server have the same metadata as those in its folder`(kind: RemoteServer.Kind) throws {
      let setup = try RemoteSetup(kind)
      let here = try setup.assets([setup.folder.path], below: setup.folder.path)
      let there = try setup.assets([setup.source], below: setup.source)
      #expect(Set(here.keys) == Set(RemoteSetup.names))
      #expect(Set(there.keys) == Set(here.keys))
      for (name, asset) in here {
        let other = there[name] ?? [:]
        for (field, value) in asset where !Self.different.contains(field) {
          #expect("\(value)" == "\(other[field] ?? "")", "\(field) of \(name)")
        }
      }
      // Orders, filters and searches are the same.
      for options in [["--sort", "name"], ["--sort", "oldest"], ["--query", "camera:canon after:2000"]] {
        let names = { (output: Program.Output, root: String) in
          output.lines.map { String($0.dropFirst(root.count)).trimmingPrefix("/") }
        }
        let local = try setup.run(["list"] + options + [setup.folder.path])
        let remote = try setup.run(["list"] + options + [setup.source])
        #expect(remote.status == .exited(0), "\(remote.errors)")
        #expect(names(remote, setup.source) == names(local, setup.folder.path), "\(options)")
      }
      // The bytes are the server's.
      let copies = "\(setup.home.path)/copies"
      let export = try setup.run(["list", "--export", copies, setup.source])
      #expect(export.status == .exited(0), "\(export.errors)")
      for name in RemoteSetup.names {
        let own = (name as NSString).lastPathComponent
        #expect(
          FileManager.default.contents(atPath: "\(copies)/\(own)")
            == FileManager.default.contents(atPath: "\(setup.folder.path)/\(name)"), "\(name)")
      }
    }

    @Test(arguments: [RemoteServer.Kind.alias, .webdav])
    func `Picked photos are downloaded, and available without the server`(kind: RemoteServer.Kind) throws {
      let setup = try RemoteSetup(kind)
      let session = try Program.pick(
        ["--limit", "2", "--sort", "name", setup.source], environment: setup.environment)
      try session.waitForText("6 photos")
      session.press(.space)
      try session.waitForText("1 of 2 picked")
      session.press(.right)
      session.press(.space)
      try session.waitForText("2 of 2 picked")
      session.press(.enter)
      try session.expectExit(.exited(0), timeout: 120)
      let paths = session.outputLines
      #expect(paths.count == 2)
      for path in paths {
        let name = (path as NSString).lastPathComponent
        let original = RemoteSetup.names.first { ($0 as NSString).lastPathComponent == name } ?? ""
        #expect(
          FileManager.default.contents(atPath: path)
            == FileManager.default.contents(atPath: "\(setup.folder.path)/\(original)"), "\(path)")
      }
      // Only these under their final names, and no partial file.
      let originals = try FileManager.default.subpathsOfDirectory(
        atPath: "\(setup.home.path)/cache/tpick/originals"
      ).filter { $0.hasSuffix(".jpg") }
      #expect(originals.count >= 2)
      setup.server.end()
      let offline = try setup.run(["list", "--offline", setup.source])
      #expect(offline.status == .exited(0))
      #expect(offline.lines.count == 6)
      // Downloaded photos are printed with their local paths.
      let here = try setup.run(["list", "--offline", "--paths", "local", setup.source])
      #expect(here.status == .exited(here.lines.count < 6 ? 2 : 0))
      #expect(Set(paths).isSubset(of: Set(here.lines)))
    }

    @Test func `Offline, photos that are not local can't be picked, and the reason is shown`() throws {
      let setup = try RemoteSetup(.alias)
      #expect(try setup.run(["list", setup.source]).lines.count == 6)
      let session = try Program.pick(["--offline", setup.source], environment: setup.environment)
      try session.waitForLibrary("6 photos")
      session.press(.enter)
      try session.waitForText("not downloaded (--offline)")
      session.press(.escape)
      try session.expectExit(.exited(130))
    }

    @Test func `URIs are printed without downloads`() throws {
      let setup = try RemoteSetup(.webdav)
      let session = try Program.pick(
        ["--format", "uris", "--sort", "name", setup.source], columns: 80, rows: 24,
        environment: setup.environment)
      try session.waitForText("6 photos")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines.count == 1)
      #expect(session.outputLines.first?.hasPrefix("rclone:nas:") ?? false)
    }

    @Test func `Local photos and those on a server form one library`() throws {
      let setup = try RemoteSetup(.alias)
      let own = try TemporaryFolder()
      try own.write(try TestPhoto(width: 64, height: 48, date: .day(18)).bytes(), to: "own.jpg")
      let list = try setup.run(
        ["list", "--sort", "oldest", "--format", "{date} {name}\\n", own.path, setup.source])
      #expect(list.lines.count == 7)
      #expect(list.lines.contains { $0.hasSuffix("own.jpg") })
      let dates = list.lines.map { $0.prefix(19) }
      #expect(dates == dates.sorted(), "\(dates)")
      // If the server is unknown, local photos are shown anyway.
      let without = try setup.run(["list", own.path, "gone:photos"])
      #expect(without.lines == ["\(own.path)/own.jpg"])
      #expect(without.errors.contains("gone:photos"))
    }

    @Test func `Marks and albums of photos on a server are stored here, and the server is not changed`()
      throws
    {
      let setup = try RemoteSetup(.alias)
      let config = "\(setup.home.path)/sidecar.toml"
      try setup.home.write(Array("favorites = \"sidecar\"\n".utf8), to: "sidecar.toml")
      let photo = try #require(setup.run(["list", setup.source]).lines.first { $0.hasSuffix("a.jpg") })
      func files() -> [String] {
        (FileManager.default.enumerator(atPath: setup.folder.path)?.allObjects as? [String] ?? []).sorted()
      }
      let before = files()
      for arguments in [
        ["mark", "--favorite", "--date", "2031-05-03", "--config", config, photo],
        ["albums", "add", "--create", "Far", photo],
      ] {
        let output = try setup.run(arguments)
        #expect(output.status == .exited(0), "\(output.errors)")
      }
      #expect(try setup.run(["list", "--filter", "favorites", setup.source]).lines.contains(photo))
      #expect(try setup.run(["list", "--album", "Far", setup.source]).lines == [photo])
      #expect(try setup.run(["list", "--query", "date:2031-05", setup.source]).lines == [photo])
      #expect(try setup.run(["mark", "--hidden", photo]).status == .exited(0))
      #expect(try !setup.run(["list", setup.source]).lines.contains(photo))
      let deleted = try setup.run(["trash", "put", photo])
      #expect(deleted.status == .exited(2) && deleted.errors.contains("is on a server"), "\(deleted.errors)")
      let new = try TestPhoto(width: 32, height: 24, date: .day(3)).bytes()
      try setup.home.write(new, to: "new.jpg")
      let added = try setup.run(["add", "--into", "\(setup.source)new", "\(setup.home.path)/new.jpg"])
      #expect(added.status == .exited(2) && added.output.isEmpty)
      #expect(added.errors.contains("is on a server, where nothing can be written"), "\(added.errors)")
      // Nor is a local folder made that has the name of a server's.
      let place = "\(setup.source)new"
      for arguments in [
        ["list", "--export", place, setup.source], ["list", "--output", place, setup.source],
        ["albums", "export", place], ["--select-1", "--export", place, setup.source],
      ] {
        let output = try setup.run(arguments)
        #expect(output.status == .exited(2) && output.output.isEmpty, "\(arguments)")
        #expect(output.errors.contains("for a local name write ./\(place)"), "\(output.errors)")
      }
      #expect(files() == before)
    }

    @Test func `Changes on the server are visible in the next run`() throws {
      let setup = try RemoteSetup(.webdav)
      #expect(try setup.run(["list", setup.source]).lines.count == 6)
      try FileManager.default.removeItem(atPath: "\(setup.folder.path)/a.jpg")
      let other = try TestPhoto(width: 320, height: 200, date: .day(3)).bytes()
      try setup.folder.write(other, to: "b c.jpg")
      try setup.folder.write(other, to: "2024/new.jpg")
      let assets = try setup.assets([setup.source], below: setup.source)
      #expect(assets["a.jpg"] == nil)
      #expect(assets["2024/new.jpg"] != nil)
      #expect(assets["b c.jpg"]?["pixelWidth"] as? Int == 320)
    }

    @Test func `An invalid address is explained in words`() throws {
      let setup = try RemoteSetup(.webdav)
      for (source, words) in [
        ("nowhere:x", "no such remote"), ("\(setup.source)/none", "no such file or folder"),
      ] {
        let output = try setup.run(["list", source])
        #expect(output.status == .exited(2), "\(source)")
        #expect(output.errors.contains(words), "\(output.errors)")
      }
      setup.server.end()
      let gone = try setup.run(["list", setup.source])
      #expect(gone.status == .exited(2))
      #expect(gone.errors.contains(setup.source))
      let program = try Program.run(
        ["list", "nas:"], environment: setup.environment.merging(["TPICK_RCLONE": "/nonexistent"]) { $1 })
      #expect(program.status == .exited(2))
      #expect(program.errors.contains("rclone"))
    }
  }
}

/// Whether the requirements of the server tests are met.
enum RemoteCondition {
  static let hasRclone = ["/usr/bin", "/usr/local/bin", "/bin"].contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/rclone")
  }
}
