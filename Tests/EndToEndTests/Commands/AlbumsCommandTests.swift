import Fixtures
import Foundation
import Metadata
import TestTerminal
import Testing

extension Commands {
  /// `tpick albums`: smart albums, folders and moments.
  @Suite struct AlbumsCommandTests {
    private let folder: TemporaryFolder

    /// Creates nested folders, one of them without pictures of its own, and some empty ones.
    init() throws {
      folder = try TemporaryFolder()
      for (name, day) in [("cover", 1), ("trip/town/1", 2), ("trip/beach/1", 3), ("trip/beach/2", 3)] {
        try folder.write(
          try TestPhoto(width: 32, height: 24, date: .day(day)).bytes(), to: "library/\(name).jpg")
      }
      try folder.write(HandmadeMovie().bytes, to: "library/trip/beach/clip.mov")
      // 2024-05-03 20:00 UTC: the same day, but more than four hours after the photographs.
      try folder.setModificationTime(1_714_766_400, of: "library/trip/beach/clip.mov")
      try folder.makeFolder("library/empty/within")
      try folder.write(Array("words".utf8), to: "library/texts/notes.txt")
    }

    private struct Document: Decodable {
      struct Collection: Decodable, Equatable {
        var localIdentifier: String
        var title: String
        var type: String
        var subtype: String
        var estimatedAssetCount: Int
        var startDate: String
        var endDate: String
        var parent: String?
        var path: String?
        var keyAssets: [String]
      }

      struct List: Decodable {
        var localIdentifier: String
        var title: String
        var parent: String?
      }

      var version: Int
      var collections: [Collection]
      var collectionLists: [List]
    }

    private static func document(_ arguments: [String]) throws -> Document {
      let result = try Program.run(["albums", "--format", "json"] + arguments)
      #expect(result.status == .exited(0))
      return try JSONDecoder().decode(Document.self, from: Data(result.output))
    }

    @Test func `Albums are listed with their counts, without empty ones`() throws {
      let result = try Program.run(["albums", "\(folder.path)/library"])
      #expect(result.status == .exited(0))
      #expect(result.errors.isEmpty)
      #expect(
        String(decoding: result.output, as: UTF8.self) == """
          5  Recents
          1  Videos
          5  Recently Added
          5  library
          4    trip
          3      beach
          1      town
          1  2024-05-03, 20:00
          2  2024-05-03, 12:00
          1  2024-05-02, 12:00
          1  2024-05-01, 12:00

          """)
    }

    @Test(arguments: [
      ("smart", ["smartAlbum"]), ("folders", ["album"]), ("moments", ["moment"]),
      ("Moments,SMART", ["smartAlbum", "moment"]),
    ])
    func `Only the requested kinds are listed`(kinds: String, types: [String]) throws {
      let document = try Self.document(["--type", kinds, folder.path])
      #expect(Set(document.collections.map(\.type)) == Set(types))
      #expect(document.collectionLists.isEmpty == !types.contains("album"))
    }

    @Test func `The document has the hierarchy, and its counts match the lists`() throws {
      let document = try Self.document(["\(folder.path)/library"])
      #expect(document.version == 1)
      let trip = try #require(document.collectionLists.first { $0.title == "trip" })
      let root = try #require(document.collectionLists.first { $0.title == "library" })
      #expect(trip.parent == root.localIdentifier)
      #expect(root.parent == nil)
      #expect(document.collectionLists.count == 2)
      for collection in document.collections {
        let listed = try Program.run(
          ["list", "--format", "ids", "--album", collection.localIdentifier, "\(folder.path)/library"])
        #expect(listed.lines.count == collection.estimatedAssetCount, "\(collection)")
        #expect(collection.keyAssets == Array(listed.lines.prefix(3)), "\(collection)")
      }
      let beach = try #require(document.collections.first { $0.title == "beach" })
      #expect(beach.parent == trip.localIdentifier)
      #expect(beach.type == "album")
      #expect(beach.path == "\(folder.path)/library/trip/beach")
      #expect(beach.startDate == "2024-05-03T12:00:00")
      #expect(beach.endDate == "2024-05-03T20:00:00Z")
      let recents = try #require(document.collections.first)
      #expect(recents.subtype == "smartAlbumUserLibrary")

      let lines = try Program.run(["albums", "--format", "jsonl", "\(folder.path)/library"]).lines
      let decoded = try lines.map { try JSONDecoder().decode(Document.Collection.self, from: Data($0.utf8)) }
      #expect(decoded == document.collections)
    }

    @Test(arguments: [
      (["--filter", "videos"], [1, 1, 1, 1, 1, 1, 1]), (["--query", "town"], [1, 1, 1, 1, 1, 1]),
      (["--query", "album:town type:video"], []), (["--filter", "raw"], []),
    ])
    func `Filter and search narrow the counts, and empty albums disappear`(
      arguments: [String], counts: [Int]
    ) throws {
      let result = try Program.run(["albums"] + arguments + ["\(folder.path)/library"])
      #expect(result.lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } } == counts)
      #expect(result.status == .exited(counts.isEmpty ? 1 : 0))
    }

    @Test func `An empty library has no albums`() throws {
      let folder = try TemporaryFolder()
      let text = try Program.run(["albums", folder.path])
      #expect(text.status == .exited(1))
      #expect(text.output.isEmpty)
      let json = try Program.run(["albums", "--format", "json", folder.path])
      #expect(json.status == .exited(1))
      #expect(try JSONDecoder().decode(Document.self, from: Data(json.output)).collections.isEmpty)
    }

    @Test func `Access determines what is listed`() throws {
      let path = "\(folder.path)/library"
      for state in ["denied", "restricted", "notDetermined"] {
        let result = try Program.run(["albums", "--authorize", state, path])
        #expect(result.status == .exited(77), "\(state)")
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("access"))
      }
      #expect(try Program.run(["albums", "--authorize", "limited", path]).status == .exited(1))
      // Counts include only allowed photos, and the user's own albums are hidden.
      let limited = try Self.document(
        ["--authorize", "limited", "--allow", "\(path)/trip/beach/1.jpg", path])
      #expect(limited.collections.filter { $0.type == "album" } == [])
      #expect(limited.collectionLists.isEmpty)
      #expect(limited.collections.allSatisfy { $0.estimatedAssetCount == 1 })
      #expect(limited.collections.contains { $0.title == "Recents" })
      let text = try Program.run(
        ["albums", "--authorize", "limited", "--allow", "\(path)/trip/beach/1.jpg", path])
      #expect(text.lines.contains { $0.contains("Recents") })
      #expect(!text.lines.contains { $0.contains("trip") || $0.contains("beach") || $0.contains("library") })
    }

    @Test(arguments: [
      (["--type", "smart,places"], "unknown kind 'places'"), (["--type", ""], "kinds are"),
      (["--format", "paths"], "values are text, json, jsonl"), (["--sort", "name"], "--sort"),
    ])
    func `Usage errors are reported`(arguments: [String], words: String) throws {
      let result = try Program.run(["albums"] + arguments)
      #expect(result.status == .exited(64))
      #expect(result.errors.contains(words))
      #expect(result.errors.contains("tpick albums --help"))
    }

    @Test func `A missing source is an error`() throws {
      let result = try Program.run(["albums", "/no/such/folder"])
      #expect(result.status == .exited(2))
      #expect(result.errors.contains("/no/such/folder: No such file or directory"))
    }
  }
}
