import Fixtures
import Foundation
import GRDB
import Metadata
import TestTerminal
import Testing

@testable import FolderLibrary

extension Commands {
  /// Options of `tpick list` that choose files, and the documents it prints.
  @Suite struct LibraryOptionTests {
    private let folder: TemporaryFolder
    private let home: TemporaryFolder

    init() throws { (folder, home) = (try TemporaryFolder(), try TemporaryFolder()) }

    private func names(_ arguments: [String]) throws -> [String] {
      let result = try Program.run(["list"] + arguments + [folder.path])
      #expect(result.status == .exited(0))
      return result.lines.map { String($0.dropFirst(folder.path.count + 1)) }
    }

    @Test(arguments: [
      ("current", ["IMG_E1001.jpg", "both.jpg", "plain.jpg"]),
      ("unadjusted", ["IMG_1001.jpg", "both.jpg", "plain.jpg"]),
      ("original", ["IMG_1001.jpg", "both.dng", "plain.jpg"]),
      ("Original", ["IMG_1001.jpg", "both.dng", "plain.jpg"]),
    ])
    func `The version determines which file of an asset is printed`(
      version: String, expected: [String]
    ) throws {
      let small = try TestPhoto(width: 32, height: 24).bytes()
      try folder.write(try TestPhoto(width: 64, height: 48, date: .day(3)).bytes(), to: "IMG_1001.jpg")
      try folder.write(small, to: "IMG_E1001.jpg")
      try folder.write(try TestPhoto(width: 32, height: 24, date: .day(2)).bytes(), to: "both.jpg")
      try folder.write(HandmadeDNG().bytes, to: "both.dng")
      try folder.write(try TestPhoto(width: 32, height: 24, date: .day(1)).bytes(), to: "plain.jpg")
      #expect(try names(["--version-of", version]) == expected)
      let json = try Program.run(["list", "--version-of", version, "--format", "json", folder.path])
      let first = try #require(try Self.assets(json).first)
      #expect(first["pixelWidth"] as? Int == (version == "current" ? 32 : 64))
      #expect((first["uri"] as? String)?.hasSuffix("/\(expected[0])") == true)
      #expect((first["resources"] as? [Any])?.count == 2)
    }

    @Test(arguments: [
      (["--version-of", "newest"], "values are current"), (["--sort", "random"], "values are newest"),
      (["--format", "text"], "formats are paths"),
    ])
    func `An unknown value is a usage error that lists the valid ones`(
      arguments: [String], words: String
    ) throws {
      let result = try Program.run(["list"] + arguments)
      #expect(result.status == .exited(64))
      #expect(result.errors.contains("unknown"))
      #expect(result.errors.contains(words))
    }

    /// Backdates the addition of everything by a day, and removes the index, which says otherwise.
    private func ageLedger() throws {
      let ledger = try DatabaseQueue(path: "\(home.path)/data/tpick/library.sqlite")
      defer { try? ledger.close() }
      try ledger.write { database in
        for row in try Row.fetchAll(database, sql: "SELECT path, entries FROM folder") {
          var entries: Data = row[1]
          entries.withUnsafeMutableBytes { bytes in
            for index in bytes.bindMemory(to: LedgerEntry.self).indices {
              bytes.bindMemory(to: LedgerEntry.self)[index].added -= 86_400
            }
          }
          try database.execute(
            sql: "UPDATE folder SET entries = ? WHERE path = ?", arguments: [entries, row[0] as Data])
        }
      }
      home.remove("cache")
    }

    @Test func `Most recently added photos come first in the order of addition`() throws {
      let environment = ["XDG_CACHE_HOME": "\(home.path)/cache", "XDG_DATA_HOME": "\(home.path)/data"]
      func added() throws -> [String] {
        try Program.run(["list", "--sort", "added", folder.path], environment: environment).lines
          .map { String($0.dropFirst(folder.path.count + 1)) }
      }
      try folder.write(try TestPhoto(width: 32, height: 24, date: .day(9)).bytes(), to: "a.jpg")
      #expect(try added() == ["a.jpg"])
      try ageLedger()
      try folder.write(try TestPhoto(width: 32, height: 24, date: .day(1)).bytes(), to: "b.jpg")
      #expect(try added() == ["b.jpg", "a.jpg"])
      // The date is kept without the cache, and under another name.
      try folder.rename("a.jpg", to: "renamed.jpg")
      #expect(try added() == ["b.jpg", "renamed.jpg"])
      home.remove("cache")
      #expect(try added() == ["b.jpg", "renamed.jpg"])
    }

    private static func assets(_ result: Program.Output) throws -> [[String: Any]] {
      let document = try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any]
      #expect(document?["version"] as? Int == 1)
      return try #require(document?["assets"] as? [[String: Any]])
    }

    @Test func `The documents have the documented keys`() throws {
      var photo = try FactPhoto.appleNote { $0.text(0x000B, "5D2C-81") }
      let place = "exif:GPSLatitude=\"38,43.2N\" exif:GPSLongitude=\"9,8.4W\""
      photo.insert(
        contentsOf: MetadataSegments.xmpSegment(MetadataSegments.xmp(attributes: place)), at: 2)
      try folder.write(photo, to: [0x61, 0xFF] + Array(".jpg".utf8))
      let keys: Set = [
        "localIdentifier", "path", "pathBytes", "uri", "mediaType", "mediaSubtypes", "playbackStyle",
        "pixelWidth", "pixelHeight", "creationDate", "creationDateSource", "modificationDate",
        "modificationTimestamp", "duration", "isFavorite", "isHidden",
        "burstIdentifier", "location", "resources",
      ]
      let json = try Program.run(["list", "--format", "json", folder.path])
      let asset = try #require(try Self.assets(json).first)
      #expect(Set(asset.keys) == keys)
      #expect(Set((asset["location"] as? [String: Any] ?? [:]).keys) == ["latitude", "longitude"])
      let resources = try #require(asset["resources"] as? [[String: Any]])
      #expect(Set(try #require(resources.first).keys) == ["type", "path", "pathBytes", "size"])
      let lines = try Program.run(["list", "--format", "jsonl", folder.path])
      let line = try JSONSerialization.jsonObject(with: Data(lines.output)) as? [String: Any]
      #expect(Set(try #require(line).keys) == keys)
      // Unknown values are left out.
      try folder.write(try FactPhoto.photo(), to: "plain.jpg")
      let plain = try Program.run(["list", "--format", "json", "\(folder.path)/plain.jpg"])
      #expect(
        Set(try #require(try Self.assets(plain).first).keys)
          == keys.subtracting(["pathBytes", "burstIdentifier", "location"]).union(["creationTimestamp"]))
    }
  }
}
