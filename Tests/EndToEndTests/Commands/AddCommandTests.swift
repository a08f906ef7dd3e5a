import Fixtures
import Foundation
import TestTerminal
import Testing

extension EndToEnd {
  /// `tpick add`: the paths of saved photos, duplicates and errors.
  @Suite struct AddCommandTests {
    private let library: TemporaryFolder
    private let card: TemporaryFolder
    private let home: TemporaryFolder

    init() throws {
      library = try TemporaryFolder()
      card = try TemporaryFolder()
      home = try TemporaryFolder()
    }

    private var environment: [String: String] {
      [
        "XDG_STATE_HOME": "\(home.path)/state", "XDG_CACHE_HOME": "\(home.path)/cache",
        "XDG_DATA_HOME": "\(home.path)/data", "XDG_PICTURES_DIR": library.path,
      ]
    }

    private func add(_ arguments: String...) throws -> Program.Output {
      try Program.run(["add"] + arguments, environment: environment)
    }

    /// The files of the library.
    private var files: Set<String> {
      Set(
        (FileManager.default.enumerator(atPath: library.path)?.allObjects as? [String] ?? []).filter {
          var isFolder = ObjCBool(false)
          return FileManager.default.fileExists(atPath: "\(library.path)/\($0)", isDirectory: &isFolder)
            && !isFolder.boolValue
        })
    }

    /// A unique photo with a date.
    private func photo(
      _ number: Int, _ folder: TemporaryFolder, _ name: String, day: String = "2024-05-02"
    ) throws {
      try folder.write(try TestPhoto(width: 8, height: 6).bytes() + [UInt8(number)], to: name)
      let date = try #require(ISO8601DateFormatter().date(from: "\(day)T12:00:00Z"))
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(folder.path)/\(name)")
    }

    @Test func `A photo is in the library only if all its files are`() throws {
      try photo(1, library, "a.jpg")
      try photo(1, card, "a.jpg")
      let sidecar = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)
      try card.write(sidecar, to: "a.xmp")
      let added = try add("\(card.path)/a.jpg")
      #expect(added.status == .exited(0), "\(added.errors)")
      #expect(files.count == 3)
      let names = files.filter { $0 != "a.jpg" }.map { String($0.prefix { $0 != "." }) }
      #expect(Set(names).count == 1 && names.count == 2)
      #expect(try files.filter { $0.hasSuffix(".xmp") }.map { try library.bytes(of: $0) } == [sidecar])
      #expect(try add("\(card.path)/a.jpg").lines == added.lines)
      #expect(files.count == 3)
    }

    @Test func `A photo is saved into the library with its bytes and date, and not saved twice`() throws {
      try photo(1, card, "a.jpg")
      let first = try add("\(card.path)/a.jpg")
      #expect(first.status == .exited(0), "\(first.errors)")
      #expect(first.lines == ["\(library.path)/a.jpg"])
      #expect(try library.bytes(of: "a.jpg") == card.bytes(of: "a.jpg"))
      let dates = try [library, card].map {
        try FileManager.default.attributesOfItem(atPath: "\($0.path)/a.jpg")[.modificationDate] as? Date
      }
      #expect(dates[0] == dates[1] && dates[0] != nil)
      // A duplicate is found under another name, too.
      try photo(1, card, "same.jpg", day: "2020-01-01")
      #expect(
        try add("\(card.path)/same.jpg", "\(card.path)/a.jpg").lines == [
          "\(library.path)/a.jpg", "\(library.path)/a.jpg",
        ])
      #expect(files == ["a.jpg"])
      // Another photo with the same name gets a number, and two identical ones are one.
      try photo(2, card, "b/a.jpg")
      try photo(2, card, "c/a.jpg")
      #expect(
        try add("\(card.path)/b/a.jpg", "\(card.path)/c/a.jpg").lines
          == ["\(library.path)/a (2).jpg", "\(library.path)/a (2).jpg"])
      #expect(files == ["a.jpg", "a (2).jpg"])
    }

    @Test func `If a name is taken, all files of a photo get the same number and stay one photo`() throws {
      try photo(1, library, "IMG_1000.JPG")
      try photo(2, card, "IMG_1000.JPG")
      try photo(3, card, "IMG_E1000.JPG")
      let output = try add("\(card.path)/IMG_1000.JPG")
      #expect(output.status == .exited(0), "\(output.errors)")
      #expect(files == ["IMG_1000.JPG", "IMG_1000 (2).JPG", "IMG_E1000 (2).JPG"])
      let list = try Program.run(["list", library.path], environment: environment).lines
      #expect(list.sorted() == ["\(library.path)/IMG_1000.JPG", "\(library.path)/IMG_E1000 (2).JPG"])
    }

    @Test func `Saved photos can be added to an album, which is created if necessary`() throws {
      try photo(1, card, "a.jpg")
      try photo(2, card, "b.jpg")
      for name in ["a", "b", "a"] {
        let output = try add("--album", "From the card", "\(card.path)/\(name).jpg")
        #expect(output.status == .exited(0) && output.errors.isEmpty, "\(output.errors)")
      }
      let album = try Program.run(
        ["list", "--album", "from the card", library.path], environment: environment)
      #expect(album.lines == ["\(library.path)/a.jpg", "\(library.path)/b.jpg"])
    }

    @Test func `A client adds what it saves to an album if it sees everything`() throws {
      try photo(1, card, "a.jpg")
      let arguments = [
        "add", "--album", "Shots", "--client", "shot", "--purpose", "screenshots", "\(card.path)/a.jpg",
      ]
      for next in [["--level", "addOnly"], []] {
        let refused = try Program.run(arguments, environment: environment)
        #expect(refused.status == .exited(77) && files.isEmpty, "\(refused.errors)")
        let grant = try Program.run(
          ["access", "grant", "--client", "shot"] + next,
          environment: environment)
        #expect(grant.status == .exited(0))
      }
      let saved = try Program.run(arguments, environment: environment)
      #expect(saved.lines == ["\(library.path)/a.jpg"], "\(saved.errors)")
      let album = try Program.run(["list", "--album", "Shots", library.path], environment: environment)
      #expect(album.lines == saved.lines)
    }

    @Test(arguments: [
      ("2024/05", "2019/12"), ("2024/2024-05-02", "2019/2019-12-24"), ("2024-05", "2019-12"),
      ("2024", "2019"),
      ("2024/05/02", "2019/12/24"),
    ])
    func `If most photos are in folders by date, so are new ones`(folder: String, wanted: String) throws {
      for number in 0..<3 { try photo(number, library, "\(folder)/\(number).jpg") }
      try photo(9, library, "other.jpg")
      try photo(10, card, "new.jpg", day: "2019-12-24")
      #expect(try add("\(card.path)/new.jpg").lines == ["\(library.path)/\(wanted)/new.jpg"])
      #expect(files.contains("\(wanted)/new.jpg"))
    }

    @Test func `Otherwise they are saved in the library's own folder`() throws {
      for number in 0..<3 { try photo(number, library, "trips/\(number).jpg") }
      try photo(9, library, "2024/05/other.jpg")
      try photo(10, card, "new.jpg")
      #expect(try add("\(card.path)/new.jpg").lines == ["\(library.path)/new.jpg"])
    }

    @Test func `Photos are saved into the first folder of the configuration`() throws {
      let other = try TemporaryFolder()
      try photo(1, card, "a.jpg")
      try photo(2, other, "2.jpg")
      try photo(2, card, "2.jpg")
      try home.write(
        Array("sources = [\"\(other.path)\", \"\(library.path)\"]\n".utf8), to: "config.toml")
      let saved = try add("--config", "\(home.path)/config.toml", "\(card.path)/a.jpg", "\(card.path)/2.jpg")
      #expect(saved.status == .exited(0) && saved.lines == ["\(other.path)/a.jpg", "\(other.path)/2.jpg"])
      #expect(files.isEmpty)
      // The files that were added stay where they are.
      #expect(try card.bytes(of: "a.jpg") == other.bytes(of: "a.jpg"))
    }

    @Test func `All files of a photo are saved together, with one number`() throws {
      try photo(1, card, "IMG_0001.JPG")
      try photo(2, card, "IMG_E0001.JPG")
      try card.write(Array("<plist/>".utf8), to: "IMG_0001.AAE")
      try photo(3, library, "IMG_0001.JPG")
      let result = try add("--format", "json", "\(card.path)/IMG_0001.JPG")
      #expect(try SchemaValidator.problems(of: result.output, "addDocument") == "")
      #expect(files.count == 4 && files.filter { $0.contains(" (2)") }.count == 3, "\(files)")
    }

    @Test func `The folder and the name can be specified, and a dry run writes nothing`() throws {
      try photo(1, card, "a.jpg")
      let dry = try add(
        "--dry-run", "--into", "\(library.path)/x/y", "--name", "{date:%Y/%m}/{stem}_new",
        "\(card.path)/a.jpg")
      #expect(dry.lines == ["\(library.path)/x/y/2024/05/a_new.jpg"], "\(dry.errors)")
      #expect(files.isEmpty)
      let made = try add(
        "--into", "\(library.path)/x/y", "--name", "{date:%Y/%m}/{stem}_new", "\(card.path)/a.jpg")
      #expect(made.lines == dry.lines)
      #expect(files == ["x/y/2024/05/a_new.jpg"])
    }

    @Test func `A picture on standard input is recognized by its bytes, and other data is rejected`() throws {
      let png = try TestPhoto(width: 8, height: 6, date: .day(2)).bytes()
      func add(_ bytes: [UInt8]) throws -> Program.Output {
        try Program.run(
          rawArguments: ["add", "-"].map { Array($0.utf8) }, environment: environment, input: .bytes(bytes))
      }
      let saved = try add(png)
      #expect(saved.status == .exited(0), "\(saved.errors)")
      let name = try #require(files.first)
      #expect(saved.lines == ["\(library.path)/\(name)"] && files.count == 1)
      // Named after its time, and by the format of its bytes.
      #expect(name == "2024-05-02_12-00-00.jpg")
      #expect(try library.bytes(of: name) == png)
      let facts = try FileManager.default.attributesOfItem(atPath: "\(library.path)/\(name)")
      let mode = facts[.posixPermissions] as? Int
      #expect(mode.map { $0 & 0o444 } == 0o444)
      #expect(try add(png).lines == saved.lines)
      for bytes in [Array("#!/bin/sh\n".utf8), [], [UInt8](repeating: 0, count: 100)] {
        let refused = try add(bytes)
        #expect(
          refused.status == .exited(2) && refused.errors.contains("standard input"), "\(refused.errors)")
      }
      #expect(files.count == 1)
    }

    @Test func `A photo that can't be saved is reported, leaves nothing behind, and the others are saved`()
      throws
    {
      try photo(1, card, "a.jpg")
      try photo(2, card, "b.jpg")
      try card.write(Array("text".utf8), to: "c.txt")
      let result = try add(
        "\(card.path)/a.jpg", "\(card.path)/none.jpg", "\(card.path)/c.txt", card.path, "\(card.path)/b.jpg")
      #expect(result.status == .exited(2))
      #expect(result.lines == ["\(library.path)/a.jpg", "\(library.path)/b.jpg"])
      for name in ["none.jpg", "c.txt: not a picture or video", "is a folder"] {
        #expect(result.errors.contains(name))
      }
      // Limit the size of files, which acts like a full disk.
      try card.write(
        try TestPhoto(width: 8, height: 6).bytes() + [UInt8](repeating: 7, count: 1 << 20), to: "large.jpg")
      let before = files
      let settings = environment.map { "\($0.key)=\($0.value)" }
      let full = try Consumer.text(
        ["env"] + settings + [
          "sh", "-c", "ulimit -f 200; exec \"$0\" \"$@\"", Program.path, "add", "--into",
          "\(library.path)/new/folder",
          "\(card.path)/large.jpg",
        ], acceptsFailure: true, readsErrors: true)
      #expect(full.contains("large.jpg"))
      #expect(files == before && !FileManager.default.fileExists(atPath: "\(library.path)/new"))
    }

    @Test func `A client with save access saves, sees no existing photos, and stays within the library`()
      throws
    {
      try photo(1, card, "a.jpg")
      try photo(1, library, "secret.jpg")
      let client = ["--client", "shot", "--purpose", "screenshots"]
      func add(_ arguments: String...) throws -> Program.Output {
        try Program.run(["add"] + client + arguments, environment: environment)
      }
      #expect(try add("\(card.path)/a.jpg").status == .exited(77))
      let grant = try Program.run(
        ["access", "grant", "--client", "shot", "--level", "addOnly"], environment: environment)
      #expect(grant.status == .exited(0))
      let saved = try add("\(card.path)/a.jpg")
      // The client does not learn that the library contains the same photo.
      #expect(saved.lines == ["\(library.path)/a.jpg"], "\(saved.errors)")
      #expect(try add("--into", "\(home.path)/x", "\(card.path)/a.jpg").status == .exited(64))
      #expect(try add("--into", "\(library.path)/../x", "\(card.path)/a.jpg").status == .exited(64))
      #expect(
        try Program.run(["list"] + client + [library.path], environment: environment).status == .exited(77))
    }

    @Test func `JSON tells which photos are new`() throws {
      try photo(1, card, "a.jpg")
      try photo(2, card, "b.jpg")
      func isNew(_ arguments: String...) throws -> [Bool?] {
        let output = try Program.run(["add", "--format", "json"] + arguments, environment: environment)
        #expect(try SchemaValidator.problems(of: output.output, "addDocument") == "")
        let document = try JSONSerialization.jsonObject(with: Data(output.output)) as? [String: Any]
        return (document?["photos"] as? [[String: Any]])?.map { $0["isNew"] as? Bool } ?? []
      }
      #expect(try isNew("\(card.path)/a.jpg") == [true])
      #expect(try isNew("\(card.path)/a.jpg", "\(card.path)/b.jpg") == [false, true])
    }

    @Test func `A client that may see a photo gets it instead of a copy, and no other`() throws {
      try photo(1, library, "seen.jpg")
      try photo(2, library, "secret.jpg")
      try photo(1, card, "a.jpg")
      try photo(2, card, "b.jpg")
      let grant = try Program.run(
        ["access", "grant", "--client", "shot", "--allow", "\(library.path)/seen.jpg"],
        environment: environment)
      #expect(grant.status == .exited(0), "\(grant.errors)")
      let client = ["--client", "shot", "--purpose", "screenshots"]
      let added = try Program.run(
        ["add"] + client + ["\(card.path)/a.jpg", "\(card.path)/b.jpg"], environment: environment)
      #expect(added.lines == ["\(library.path)/seen.jpg", "\(library.path)/b.jpg"], "\(added.errors)")
      #expect(files == ["seen.jpg", "secret.jpg", "b.jpg"])
    }

    @Test func `An open picker shows the new photo`() throws {
      try photo(1, library, "1.jpg")
      try photo(2, card, "2.jpg")
      let session = try Program.pick(["--limit", "0", library.path], environment: environment)
      try session.waitForGrid(1)
      #expect(try add("\(card.path)/2.jpg").status == .exited(0))
      try session.waitForGrid(2)
      session.press(.escape)
      try session.expectExit(.exited(130))
    }
  }
}
