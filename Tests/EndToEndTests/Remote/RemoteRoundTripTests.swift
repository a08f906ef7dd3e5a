import Fixtures
import Foundation
import RemoteServers
import TestTerminal
import Testing

extension EndToEnd {
  /// Printed references to remote photos are accepted by every command that takes a file.
  @Suite(.enabled(if: RemoteServer.Kind.hasRclone, RemoteServer.Kind.rcloneIsMissing))
  struct RemoteRoundTripTests {
    /// Names that may break between a list and an argument.
    private static let names = [
      "plain.jpg", "a b.jpg", "100% #1 [x].jpg", "50%25.jpg", "-dash.jpg", "it's \"q\".jpg", "a:b,c=d.jpg",
      "Grüße/😀.jpg", "Grüße/liked & loved?.jpg", "new\nline.jpg",
    ]

    /// How a source is written.
    enum Form: CaseIterable {
      case configured, withSlash, schemed, withOptions, madeOfOptions, local
    }

    private struct Place {
      let library: ServedLibrary
      let source: String
      /// Whether an identifier alone leads to the server.
      var isKept = true

      init(_ form: Form) throws {
        library = try ServedLibrary(form == .madeOfOptions || form == .withSlash ? .webdav : .alias) {
          folder in
          for (index, name) in RemoteRoundTripTests.names.enumerated() {
            let photo = TestPhoto(width: 64, height: 48, date: .day(28 - index))
            try folder.write(try photo.bytes(), to: "\(RemotePhotos.folder)/\(name)")
          }
        }
        switch form {
        case .configured: source = library.source
        case .withSlash: source = library.source.replacing("nas:", with: "nas:/")
        case .schemed: source = "rclone:\(library.source)"
        case .withOptions:
          source = library.source.replacing("nas:", with: "nas,description=x:")
          isKept = false
        case .madeOfOptions:
          source = RemoteRoundTripTests.inline(library.server.configuration(name: "x")) + RemotePhotos.folder
          isKept = false
        case .local:
          source = ":local:\(library.local)"
          isKept = false
        }
      }

      func run(_ arguments: [String], input: [UInt8]? = nil) throws -> Program.Output {
        let result = try Program.run(
          rawArguments: arguments.map { Array($0.utf8) }, environment: library.home.environment,
          input: input.map { .bytes($0) } ?? .null)
        #expect(result.status == .exited(0), "\(arguments): \(result.errors)")
        #expect(result.errors.isEmpty)
        return result
      }

      /// The items printed by `list`, each terminated by NUL.
      func list(_ format: String, _ words: [String], input: [UInt8]? = nil) throws -> [UInt8] {
        try run(["list", "--sort", "oldest", "-0", "--read0", "--format", format] + words, input: input)
          .output
      }
    }

    /// A remote made of the options in a section of rclone.conf.
    private static func inline(_ section: String) -> String {
      var type = ""
      var options: [String] = []
      for line in section.split(separator: "\n").dropFirst() {
        let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        if parts[0] == "type" { type = parts[1] } else { options.append(",\(parts[0])='\(parts[1])'") }
      }
      return ":\(type)\(options.joined()):"
    }

    private static func items(_ list: [UInt8]) -> [String] {
      list.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: Form.allCases)
    func `Paths, URIs and identifiers are accepted as printed`(form: Form) throws {
      let place = try Place(form)
      let printed = try Dictionary(
        uniqueKeysWithValues: ["paths", "uris", "ids"].map { ($0, try place.list($0, [place.source])) })
      let ids = try #require(printed["ids"])
      for (format, list) in printed {
        let items = Self.items(list)
        #expect(Set(items).count == Self.names.count, "\(format): \(items)")
        // An identifier does not include the options of its server.
        if format == "ids", !place.isKept { continue }
        #expect(try place.list("ids", ["-"], input: list) == ids, "\(format)")
        #expect(try place.list("ids", ["--"] + items) == ids, "\(format)")
        let info = try place.run(["info", "--format", "{localIdentifier}\\0", "--"] + items)
        #expect(info.output == ids, "\(format)")
      }
      // rclone finds each file under the printed path.
      let paths = Self.items(try #require(printed["paths"]))
      for (index, (path, name)) in zip(paths, Self.names.reversed()).enumerated() {
        let home = place.library.home
        let found = try ServerProcess.run(
          [
            "rclone", "--config", home.environment["RCLONE_CONFIG"] ?? "", "copyto", path,
            "\(home.folder.path)/copy\(index)",
          ], home: home.folder)
        #expect(found.status == 0, "\(path): \(found.output)")
        #expect(try home.folder.bytes(of: "copy\(index)") == place.library.bytes(name), "\(path)")
      }
    }

    @Test func `A remote photo is shown and preselected by its printed reference`() throws {
      let place = try Place(.configured)
      let drawn = try place.run(
        ["show", "--graphics", "sixel", "--size", "10x5", "--cell-size", "8x16", "\(place.source)/a b.jpg"])
      #expect(drawn.output.contains(0x1B))
      let uris = Self.items(try place.list("uris", [place.source]))
      let ids = Self.items(try place.list("ids", [place.source]))
      let session = try Program.pick(
        ["-n0", "--format", "ids", "--preselect", uris[3], "--preselect", ids[5], place.source],
        environment: place.library.home.environment)
      try session.waitForText("2 picked")
      session.press(.enter)
      try session.expectExit(.exited(0), timeout: 120)
      #expect(Set(session.outputLines) == [ids[3], ids[5]])
    }

    @Test func `Sources that are named together keep their contents`() throws {
      let library = try ServedLibrary(.alias)
      let words = ["\(library.source)/plain.jpg", "\(library.source)/Grüße", "\(library.source)/a b.jpg"]
      for _ in 1...2 {
        let result = try library.home.run(["list"] + words)
        #expect(result.status == .exited(0) && result.errors.isEmpty, "\(result.errors)")
        #expect(
          library.names(result.lines) == ["plain.jpg", "a b.jpg", "Grüße/😀.jpg", "Grüße/liked.jpg"])
      }
      // The complete source is unchanged, known from before or not.
      #expect(try library.home.run("list", library.source).lines.count == RemotePhotos.names.count)
    }

    @Test func `Identifiers of a server whose options are not stored are reported`() throws {
      let place = try Place(.local)
      let ids = Self.items(try place.list("ids", [place.source]))
      let result = try place.library.home.run("list", ids[0])
      #expect(result.status == .exited(2))
      #expect(result.errors.contains("name the server as well"), "\(result.errors)")
    }

    @Test func `Two remotes made of options never print the same`() throws {
      let (one, other) = (try Place(.madeOfOptions), try Place(.madeOfOptions))
      let list = Self.items(try one.list("paths", [one.source, other.source]))
      #expect(list.count == 2 * Self.names.count && Set(list).count == list.count)
      let ids = Self.items(try one.list("ids", [one.source, other.source]))
      #expect(Set(ids).count == list.count)
    }

    @Test func `One run prints one form of path`() throws {
      let library = try ServedLibrary(.alias)
      let here = "\(library.home.originals)/"
      let brought = try library.home.run("list", "--paths", "local", "--limit", "2", library.source)
      #expect(brought.status == .exited(0), "\(brought.errors)")
      #expect(brought.lines == RemotePhotos.names.prefix(2).map { library.original($0) })
      for line in brought.lines { #expect(FileManager.default.fileExists(atPath: line)) }
      // A completed download changes nothing.
      let list = try library.home.run("list", library.source)
      #expect(list.lines.allSatisfy { $0.hasPrefix("\(library.source)/") })
      #expect(list.lines.count == RemotePhotos.names.count)
      let all = try library.home.run("list", "--paths", "local", library.source)
      #expect(all.lines.count == RemotePhotos.names.count && all.lines.allSatisfy { $0.hasPrefix(here) })
      // The picker returns a remote name without a download.
      let session = try library.home.pick("--paths", "remote", library.source)
      try session.waitForText("plain.jpg")
      session.press(.enter)
      try session.expectExit(.exited(0), timeout: 120)
      #expect(session.outputLines == ["\(library.source)/plain.jpg"])
    }

    @Test(arguments: [false, true])
    func `For individually named files nothing else is listed, and missing ones are reported`(
      isKnown: Bool
    ) throws {
      let library = try ServedLibrary(.alias)
      if isKnown { _ = try library.home.run("list", library.source) }
      let words = ["Reise nach Süden/pair.jpg", "plain.jpg", "gone.jpg"].map { "\(library.source)/\($0)" }
      let result = try library.home.run(["list"] + words)
      #expect(result.status == .exited(0))
      #expect(result.lines == [words[1], words[0]])
      #expect(result.errors.contains("gone.jpg: no such file"), "\(result.errors)")
      let offline = try library.home.run(["list", "--offline"] + words.prefix(2))
      #expect(offline.lines == (isKnown ? result.lines : []))
      let folder = try library.home.run("list", "\(library.source)/Grüße/liked.xmp")
      #expect(folder.status == .exited(2) && folder.errors.contains("that of a photo"), "\(folder.errors)")
    }
  }
}
