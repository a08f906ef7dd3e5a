import Fixtures
import Foundation
import RemoteServers
import TestTerminal
import Testing

extension EndToEnd {
  /// Changes on a server, and of a server, between two runs.
  @Suite(.enabled(if: RemoteServer.Kind.hasRclone, RemoteServer.Kind.rcloneIsMissing))
  struct RemoteChangeTests {
    private func names(_ library: ServedLibrary, _ options: String...) throws -> [String] {
      let result = try library.home.run(["list", "--format", "uris", library.source] + options)
      #expect(result.errors.isEmpty)
      let prefix = "rclone:\(library.source)/"
      return result.lines.map { line in
        #expect(line.hasPrefix(prefix))
        return line.dropFirst(prefix.count).removingPercentEncoding ?? ""
      }
    }

    @Test(arguments: RemoteServer.Kind.here)
    func `The next run finds what changed on the server`(kind: RemoteServer.Kind) throws {
      let library = try ServedLibrary(kind)
      #expect(try Set(names(library)) == Set(RemotePhotos.names))
      // Another size and time, the same size and another time, a new file, a missing one, and a new folder.
      let changed = try RemotePhotos.photo(day: 2, width: 320, height: 240).bytes()
      try library.folder.write(changed, to: "Photos/a b.jpg")
      var turned = try library.bytes("Grüße/😀.jpg")
      let date = try #require(turned.firstRange(of: Array("2024:05:24".utf8)))
      turned.replaceSubrange(date, with: Array("2024:05:03".utf8))
      for range in turned.ranges(of: Array("2024:05:24".utf8)) {
        turned.replaceSubrange(range, with: Array("2024:05:03".utf8))
      }
      // Another file takes the name: its folder's time would not show an overwritten one.
      library.folder.remove("Photos/Grüße/😀.jpg")
      try library.folder.write(turned, to: "Photos/Grüße/😀.jpg")
      try library.folder.setModificationTime(1_710_000_000, of: "Photos/Grüße/😀.jpg")
      try library.folder.write(try RemotePhotos.photo(day: 1).bytes(), to: "Photos/new.jpg")
      try library.folder.write(try RemotePhotos.photo(day: 4).bytes(), to: "Photos/Neu/new.jpg")
      library.folder.remove("Photos/-dash.jpg")
      try library.server.synchronize()
      let found = try names(library, "--query", "ext:jpg", "--sort", "oldest")
      #expect(found.prefix(4) == ["new.jpg", "a b.jpg", "Grüße/😀.jpg", "Neu/new.jpg"])
      #expect(!found.contains("-dash.jpg"))
      #expect(found.count == RemotePhotos.names.count)
      // The current bytes of each.
      let result = try library.home.run(
        "list", library.source, "--query", "ext:jpg", "--sort", "oldest", "--limit", "3", "--export",
        "\(library.home.folder.path)/out")
      #expect(result.status == .exited(0), "\(result.errors)")
      #expect(try library.home.folder.bytes(of: "out/a b.jpg") == changed)
      #expect(try library.home.folder.bytes(of: "out/😀.jpg") == turned)
    }

    @Test(arguments: RemoteServer.Kind.here)
    func `Without the server known photos are listed, and local ones are available`(
      kind: RemoteServer.Kind
    ) throws {
      let library = try ServedLibrary(kind)
      let json = ["list", library.source, "--format", "json"]
      let (here, away) = ("100% #1 [x].jpg", "plain.jpg")
      let target = "\(library.home.folder.path)/out"
      func export(_ day: Int, _ options: String...) throws -> Program.Output {
        try library.home.run(
          ["list", library.source, "--query", "date:2024-05-\(day)", "--export", target] + options)
      }
      #expect(try export(26).lines == ["\(target)/\(here)"])
      let known = try library.home.run(json)
      #expect(known.errors.isEmpty)
      try library.end()
      let offline = try library.home.run(json + ["--offline"])
      #expect(offline.status == .exited(0))
      #expect(offline.errors.isEmpty)
      #expect(offline.output == known.output)
      // A downloaded file, and one that was not.
      library.home.folder.remove("out/\(here)")
      #expect(try export(26, "--offline").lines == ["\(target)/\(here)"])
      #expect(try library.home.folder.bytes(of: "out/\(here)") == RemotePhotos.files()[2].bytes)
      let refused = try export(28, "--offline")
      #expect(refused.status != .exited(0))
      #expect(refused.lines.isEmpty)
      #expect(refused.errors.contains("\(away): its original is not on this machine"))
      // Without --offline it reports that the server does not answer, because the known state may be outdated.
      let unreached = try library.home.run(json)
      #expect(unreached.status == .exited(2))
      #expect(unreached.output.isEmpty)
      #expect(
        unreached.errors.contains(kind == .alias ? "no such file or folder" : "can't be reached"))
      #expect(unreached.errors.contains("--offline shows what is known"))
      #expect(unreached.errors.split(separator: "\n").count == 1)
      // Requesting all fields does not wait again for each photo.
      let all = try library.home.run(json + ["--fields", "all", "--offline"])
      #expect(all.status == .exited(0))
      #expect(all.errors.isEmpty)
    }
  }
}
