import Fixtures
import Foundation
import TestTerminal
import Testing

extension Commands {
  /// `--album`: a folder with everything below it, however it is named.
  @Suite struct AlbumOptionTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path }

    init() throws {
      folder = try TemporaryFolder()
      for (name, day) in [("2023/Lisbon/a", 1), ("2024/Lisbon/b", 2), ("2024/Porto/c", 3), ("2024/d", 4)] {
        try folder.write(try TestPhoto(width: 32, height: 24, date: .day(day)).bytes(), to: "\(name).jpg")
      }
    }

    private func names(_ arguments: String...) throws -> [String] {
      let result = try Program.run(["list"] + arguments + [path])
      #expect(result.status == .exited(result.output.isEmpty ? 1 : 0), "\(result.errors)")
      return result.lines.map { String($0.dropFirst(path.count + 1)) }
    }

    @Test(arguments: [
      ("2023", ["2023/Lisbon/a.jpg"]), ("2024", ["2024/d.jpg", "2024/Porto/c.jpg", "2024/Lisbon/b.jpg"]),
      ("porto", ["2024/Porto/c.jpg"]), ("2024/Lisbon", ["2024/Lisbon/b.jpg"]),
      ("PATH/2023/Lisbon", ["2023/Lisbon/a.jpg"]), ("PATH/2023/../2024/Porto/", ["2024/Porto/c.jpg"]),
      ("LINK", ["2024/Porto/c.jpg"]),
      ("recents", ["2024/d.jpg", "2024/Porto/c.jpg", "2024/Lisbon/b.jpg", "2023/Lisbon/a.jpg"]),
    ])
    func `An album is a folder with everything below it`(word: String, expected: [String]) throws {
      let elsewhere = try TemporaryFolder()
      try elsewhere.link("way", to: "\(path)/2024/Porto")
      let word = word.replacing("PATH", with: path).replacing("LINK", with: "\(elsewhere.path)/way")
      #expect(try names("--album", word) == expected)
    }

    @Test func `Identifiers name albums and lists`() throws {
      let result = try Program.run(["albums", "--format", "json", path])
      let document = try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any]
      let albums = try #require(document?["collections"] as? [[String: Any]])
      let lists = try #require(document?["collectionLists"] as? [[String: Any]])
      for (entries, title) in [(albums, "2023"), (lists, "2023")] {
        let entry = try #require(entries.first { $0["title"] as? String == title })
        let identifier = try #require(entry["localIdentifier"] as? String)
        #expect(try names("--album", identifier) == ["2023/Lisbon/a.jpg"])
      }
    }

    @Test func `Counts, lists and searches agree`() throws {
      let result = try Program.run(["albums", "--type", "folders", "--format", "jsonl", path])
      for line in result.lines {
        let album = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let (title, count) = (album["title"] as? String ?? "", album["estimatedAssetCount"] as? Int)
        #expect(try names("--album", album["path"] as? String ?? "").count == count)
        if title != "Lisbon" { #expect(try names("--query", "album:\"\(title)\"").count == count) }
      }
      #expect(result.lines.count == 6)
    }

    @Test(arguments: [["list"], []])
    func `Two albums with the same name are reported with their paths`(command: [String]) throws {
      let result = try Program.run(command + ["--album", "lisbon", path])
      #expect(result.status == .exited(2))
      #expect(result.output.isEmpty)
      #expect(result.errors.contains("2 albums are named 'lisbon'"))
      for year in ["2023", "2024"] { #expect(result.errors.contains("\(path)/\(year)/Lisbon")) }
    }

    @Test(arguments: [["list"], [], ["--select-1"]], ["Madrid", "/no/such", "2022/Lisbon"])
    func `An unknown album is an error`(command: [String], word: String) throws {
      let result = try Program.run(command + ["--album", word, path])
      #expect(result.status == .exited(2))
      #expect(result.output.isEmpty)
      #expect(result.errors.contains("--album: no album is named '\(word)'"))
    }

    @Test func `An album without matches is opened and empty`() throws {
      let session = try Program.pick(["-n0", "--album", "2024/Porto", "--filter", "videos"], in: folder)
      try session.waitForText("Porto")
      session.send("a\r")
      try session.expectExit(.exited(1))
    }
  }
}
