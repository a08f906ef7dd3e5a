import Fixtures
import Foundation
import RemoteServers
import TestScheduling
import TestTerminal
import Testing

extension EndToEnd {
  /// For every command a library on a server equals its folder.
  @Suite(.enabled(if: RemoteServer.Kind.hasRclone, RemoteServer.Kind.rcloneIsMissing))
  struct RemoteListTests {
    private static let all = ["--fields", "all", "--format", "json"]

    /// An album by date of addition: for a remote file only its modification date is known.
    private static let added = "Recently Added"

    /// Necessary differences: where a file is, and what depends on it.
    ///
    /// Identifiers are derived from the location; the modification time has the server's precision.
    private static let places: Set = [
      "path", "pathBytes", "uri", "localIdentifier", "modificationTimestamp",
    ]

    /// All data about assets in a document, by name relative to the source.
    private static func facts(_ result: Program.Output, of source: String) throws -> [String: NSDictionary] {
      #expect(result.status == .exited(0), "\(result.errors)")
      #expect(result.errors.isEmpty)
      let document = try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any]
      let assets = try #require(document?["assets"] as? [[String: Any]])
      var facts: [String: NSDictionary] = [:]
      for asset in assets {
        let path = try #require(asset["path"] as? String)
        #expect(path.hasPrefix("\(source)/"))
        var known = asset.filter { !places.contains($0.key) }
        known["albums"] = (asset["albums"] as? [[String: Any]])?.compactMap { $0["title"] as? String }
          .filter { $0 != added }
        known["resources"] = try (asset["resources"] as? [[String: Any]])?.map { resource in
          let path = try #require(resource["path"] as? String)
          return resource.filter { !places.contains($0.key) }
            .merging(["name": path.dropFirst(source.count + 1)]) { $1 }
        }
        facts[String(path.dropFirst(source.count + 1))] = known as NSDictionary
      }
      return facts
    }

    @Test(arguments: RemoteServer.Kind.here)
    func `Every asset has the same data as in its folder`(kind: RemoteServer.Kind) throws {
      let library = try ServedLibrary(kind)
      let expected = try Self.facts(
        library.home.run(["list", library.local] + Self.all), of: library.local)
      #expect(Set(expected.keys) == Set(RemotePhotos.names))
      // In the first run, and from storage afterwards.
      for _ in 1...2 {
        let found = try Self.facts(
          library.home.run(["list", library.source] + Self.all), of: library.source)
        #expect(Set(found.keys) == Set(expected.keys))
        for (name, facts) in expected {
          let other = try #require(found[name])
          for key in Set(facts.allKeys as? [String] ?? []).union(other.allKeys as? [String] ?? []) {
            #expect(
              other[key] as? NSObject == facts[key] as? NSObject, "\(key) of \(name)")
          }
        }
      }
    }

    @Test(arguments: RemoteServer.Kind.here)
    func `Albums, filters, queries and orders equal those of the folder`(kind: RemoteServer.Kind) throws {
      let library = try ServedLibrary(kind)
      let all = [
        [], ["--sort", "oldest"], ["--sort", "name"], ["--sort", "size", "--reverse"],
        ["--filter", "favorites"],
        ["--filter", "raw"], ["--filter", "livePhotos,!images"],
        ["--query", "camera:canon before:2024-05-25"],
        ["--query", "ext:png"], ["--album", "Grüße"], ["--limit", "2"], ["--version-of", "original"],
      ]
      // All of them on one kind of server, and a part of them on each other one: after indexing they are the same.
      let place = try #require(RemoteServer.Kind.here.firstIndex(of: kind))
      let chosen =
        TestSize.isLong || kind == .webdav ? all : all.indices.filter { $0 % 4 == place }.map { all[$0] }
      for options in chosen {
        let expected = try library.home.run(["list", library.local] + options)
        let found = try library.home.run(["list", library.source] + options)
        #expect(found.status == expected.status, "\(options)")
        #expect(found.status == .exited(0), "\(options)")
        #expect(
          library.names(found.lines, below: printed(library, found))
            == library.names(expected.lines, below: library.local), "\(options)")
        #expect(found.errors.isEmpty)
      }
      let albums = try [library.source, library.local].map { source in
        try library.home.run("albums", source).lines.filter { !$0.hasSuffix(Self.added) }
      }
      #expect(albums[0] == albums[1])
      #expect(albums[0].contains { $0.hasSuffix("Grüße") })
    }

    /// The prefix of printed names: the source, or the folder of originals.
    private func printed(_ library: ServedLibrary, _ result: Program.Output) -> String {
      let here = library.original("")
      return result.lines.contains { $0.hasPrefix(here) } ? String(here.dropLast()) : library.source
    }

    @Test(arguments: RemoteServer.Kind.here)
    func `Exported files have the bytes of the server`(kind: RemoteServer.Kind) throws {
      let library = try ServedLibrary(kind)
      let target = "\(library.home.folder.path)/out"
      let result = try library.home.run(
        "list", library.source, "--export", target, "--resources", "all", "--representation", "current")
      #expect(result.status == .exited(0), "\(result.errors)")
      #expect(result.errors.isEmpty)
      for (name, bytes) in try RemotePhotos.files() {
        let last = try #require(name.split(separator: "/").last)
        #expect(try library.home.folder.bytes(of: "out/\(last)") == bytes, "\(name)")
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: target).count == RemotePhotos.files().count)
      #expect(library.home.keptFiles.allSatisfy { !$0.hasPrefix(".parts/") })
    }

    @Test(arguments: RemoteServer.Kind.here.filter { $0 != .alias })
    func `For large photos little more than the headers is requested`(kind: RemoteServer.Kind) throws {
      let library = try ServedLibrary(kind, write: RemotePhotos.writeLarge)
      let proxy = try #require(library.proxy)
      // The same server under another remote name.
      let other = try RemoteHome(
        library.server.configuration(name: "it", port: proxy.port)
          + "[nas]\ntype = alias\nremote = it:\(library.server.root)\n")
      for (home, source) in [(library.home, library.source), (other, "nas:Photos")] {
        let before = proxy.counters.bytesToClient
        let result = try home.run("list", source, "--query", "width:>1")
        #expect(result.status == .exited(0) && result.lines.count == 6, "\(result.errors)")
        // 64 KiB each, and a complete file to detect range support; over SFTP rclone itself reads each one completely.
        let count = proxy.counters.bytesToClient - before
        #expect((6 * 65536..<2 << 20).contains(count), "\(count) bytes of \(source)")
      }
    }

    @Test(arguments: RemoteServer.Kind.here)
    func `Photos on a server and on this machine form one list`(kind: RemoteServer.Kind) throws {
      let library = try ServedLibrary(kind)
      let folder = try TemporaryFolder()
      for day in [29, 24, 1] {
        try folder.write(try RemotePhotos.photo(day: day, width: 64, height: 48).bytes(), to: "\(day).jpg")
      }
      var expected = RemotePhotos.names.filter { !$0.hasSuffix(".png") }.map { "\(library.source)/\($0)" }
      expected.insert("\(folder.path)/24.jpg", at: 4)
      expected.insert("\(folder.path)/29.jpg", at: 0)
      expected.append("\(folder.path)/1.jpg")
      let words = ["list", folder.path, library.source, "--query", "ext:jpg"]
      let result = try library.home.run(words)
      #expect(result.errors.isEmpty)
      // Two photos of May 24 are adjacent, in either order.
      #expect(Set(result.lines) == Set(expected))
      #expect(result.lines.first == expected.first)
      #expect(result.lines.last == expected.last)
      // An unreachable server delays no local photos.
      try library.end()
      let without = try library.home.run(words)
      #expect(without.status == .exited(0))
      #expect(without.lines == result.lines)
      #expect(without.errors.contains("nas:"))
      // With --strict the status reports it, whatever is printed otherwise.
      let strict = try library.home.run(words + ["--strict", "--quiet"])
      #expect(strict.status == .exited(2))
      #expect(strict.lines == without.lines && strict.errors.isEmpty)
      #expect(try library.home.run(words + ["--strict", "--offline"]).status == .exited(0))
    }
  }
}
