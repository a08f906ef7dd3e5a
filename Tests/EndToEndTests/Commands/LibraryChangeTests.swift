import Fixtures
import Foundation
import TestTerminal
import Testing

extension Commands {
  /// `tpick mark` and the actions of `tpick albums`: changes, output and errors.
  @Suite struct LibraryChangeTests {
    private let folder: TemporaryFolder
    private let home: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      home = try TemporaryFolder()
      for (name, day) in [("a.jpg", 1), ("trip/b.jpg", 2), ("trip/c.jpg", 3)] {
        try folder.write(try TestPhoto(width: 32, height: 24, date: .day(day)).bytes(), to: name)
      }
    }

    private var environment: [String: String] {
      [
        "XDG_STATE_HOME": "\(home.path)/state", "XDG_CACHE_HOME": "\(home.path)/cache",
        "XDG_DATA_HOME": "\(home.path)/data", "XDG_CONFIG_HOME": "\(home.path)/config",
        "XDG_PICTURES_DIR": folder.path,
      ]
    }

    @discardableResult
    private func tpick(
      _ arguments: String..., input: [UInt8]? = nil, status: Int32 = 0, errors: String = ""
    ) throws -> String {
      let output = try Program.run(
        rawArguments: arguments.map { Array($0.utf8) }, environment: environment,
        input: input.map { .bytes($0) } ?? .null)
      #expect(output.status == .exited(status), "\(arguments): \(output.errors)")
      #expect(
        errors.isEmpty ? output.errors.isEmpty : output.errors.contains(errors),
        "\(arguments): \(output.errors)")
      return String(decoding: output.output, as: UTF8.self)
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func list(_ arguments: String...) throws -> [String] {
      let output = try Program.run(["list", folder.path] + arguments, environment: environment)
      return String(decoding: output.output, as: UTF8.self).split(separator: "\n").map {
        String($0.dropFirst(folder.path.utf8.count + 1))
      }
    }

    @Test func `Marks are set and removed, by files, folders, identifiers and standard input`() throws {
      try tpick("mark", "--favorite", path("a.jpg"), path("trip"))
      #expect(try list("-f", "favorites") == ["trip/c.jpg", "trip/b.jpg", "a.jpg"])
      try tpick("mark", "--no-favorite", "-", input: Array("\(path("trip/b.jpg"))\n".utf8))
      try tpick("mark", "--no-favorite", "--read0", "-", input: Array("\(path("trip/c.jpg"))\0".utf8))
      #expect(try list("-f", "favorites") == ["a.jpg"])
      let id = try tpick("list", "--format", "ids", path("a.jpg")).trimmingCharacters(in: .newlines)
      try tpick("mark", "--hidden", "--no-favorite", id)
      #expect(try list() == ["trip/c.jpg", "trip/b.jpg"])
      #expect(try list("-f", "hidden") == ["a.jpg"])
      // Hiding it again changes nothing, and is not an error.
      try tpick("mark", "--hidden", path("a.jpg"))
      try tpick("mark", "--no-hidden", path("a.jpg"))
      #expect(try list().count == 3)
    }

    @Test
    func `Dates and places are corrected, printed, searched and taken back, and files stay as they are`()
      throws
    {
      let bytes = try Data(contentsOf: URL(filePath: path("a.jpg")))
      try tpick("mark", "--date", "2031-05-03T12:00+02:00", "--place", "-38.5,-9.25", path("a.jpg"))
      #expect(try list() == ["a.jpg", "trip/c.jpg", "trip/b.jpg"])
      #expect(try list("--query", "near:-38.5,-9.25,1 date:2031-05") == ["a.jpg"])
      let fields = ["--format", "{creationDate} {creationDateSource} {latitude} {longitude}"]
      #expect(
        try tpick("list", fields[0], fields[1], path("a.jpg"))
          == "2031-05-03T12:00:00+02:00 user -38.5 -9.25\n")
      try tpick("mark", "--place", "none", path("a.jpg"))
      #expect(try list("--query", "near:-38.5,-9.25,1").isEmpty)
      try tpick("mark", "--date", "original", "--place", "original", path("a.jpg"))
      #expect(try list() == ["trip/c.jpg", "trip/b.jpg", "a.jpg"])
      #expect(try Data(contentsOf: URL(filePath: path("a.jpg"))) == bytes)
      for (option, word) in [
        ("--date", "2023-02-29"), ("--date", "0000-01-01"), ("--date", "99999-01-01"), ("--date", "1e9"),
        ("--place", "91,0"), ("--place", "0,180.01"), ("--place", "nan,0"), ("--place", "inf,0"),
        ("--place", "1"), ("--place", "1,2,3"), ("--place", ""), ("--date", ""),
      ] {
        try tpick("mark", option, word, path("a.jpg"), status: 64, errors: option)
      }
      let dry = try tpick("mark", "--date", "2031-05-03", "--place", "none", "--dry-run", path("a.jpg"))
      #expect(dry == "\(path("a.jpg")): date 2031-05-03, place none\n")
      #expect(try list().last == "a.jpg")
    }

    @Test func `If one of the files is not a photo, nothing is marked`() throws {
      try folder.write(Array("a letter".utf8), to: "letter.txt")
      for other in ["nothing.jpg", "letter.txt"] {
        try tpick("mark", "--favorite", path("a.jpg"), path(other), status: 2, errors: other)
      }
      #expect(try list("-f", "favorites").isEmpty)
      try tpick("mark", path("a.jpg"), status: 64, errors: "use --favorite")
      try tpick("mark", "--favorite", status: 64, errors: "name a photo")
      try tpick("mark", "--favorite", "--no-favorite", path("a.jpg"), status: 64, errors: "favorite")
    }

    @Test func `A dry run prints the changes without making them`() throws {
      let text = try tpick("mark", "--favorite", "--hidden", "--dry-run", path("trip"))
      #expect(text == "\(path("trip/b.jpg")): favorite, hidden\n\(path("trip/c.jpg")): favorite, hidden\n")
      #expect(
        try tpick("albums", "add", "--create", "--dry-run", "New", path("a.jpg"))
          == "\(path("a.jpg")): added to New\n")
      #expect(try tpick("albums", "create", "--dry-run", "One") == "One: new album\n")
      #expect(try list("-f", "favorites").isEmpty)
      #expect(try !tpick("albums", folder.path).contains("New"))
    }

    @Test func `A dry run leaves albums and edits as they are`() throws {
      try tpick("albums", "add", "--create", "Kept", path("a.jpg"))
      try tpick("albums", "create", "Last")
      try home.write(Array("\(path("trip/b.jpg"))\n".utf8), to: "Two.txt")
      for name in ["IMG_1.JPG", "IMG_E1.JPG"] {
        try folder.write(try TestPhoto(width: 32, height: 24, date: .day(9)).bytes(), to: name)
      }
      let before = try (tpick("albums", folder.path), list())
      for (arguments, printed) in [
        (["albums", "remove", "Kept", path("a.jpg")], "\(path("a.jpg")): removed from Kept"),
        (["albums", "rename", "Kept", "Other"], "Kept: renamed to Other"),
        (["albums", "move", "Last", "1"], "Last: moved to position 1"),
        (["albums", "delete", "Kept"], "Kept: deleted, its photos stay"),
        (["albums", "import", "\(home.path)/Two.txt"], "\(path("trip/b.jpg")): added to Two"),
        (["mark", "--revert", path("IMG_1.JPG")], "\(path("IMG_E1.JPG")): reverted to the original"),
      ] {
        let output = try Program.run(arguments + ["--dry-run"], environment: environment)
        #expect(output.status == .exited(0) && output.lines == [printed], "\(arguments): \(output)")
      }
      #expect(try (tpick("albums", folder.path), list()) == before)
      #expect(try list("--album", "Kept") == ["a.jpg"])
    }

    @Test func `Changes are printed as JSON that matches the schema`() throws {
      var documents: [[UInt8]] = []
      func document(_ arguments: String...) throws -> (albums: [[String: Any]], assets: [[String: Any]]) {
        let output = try Program.run(arguments + ["--format", "json"], environment: environment)
        #expect(output.status == .exited(0), "\(output.errors)")
        documents.append(output.output)
        let object = try #require(JSONSerialization.jsonObject(with: Data(output.output)) as? [String: Any])
        #expect(object["dryRun"] as? Bool == arguments.contains("--dry-run"))
        return try (
          #require(object["albums"] as? [[String: Any]]), #require(object["assets"] as? [[String: Any]])
        )
      }
      let marked = try document("mark", "--favorite", path("a.jpg"), path("trip/b.jpg"))
      #expect(marked.assets.map { $0["isFavorite"] as? Bool } == [true, true])
      #expect(try document("mark", "--favorite", path("a.jpg")).assets.isEmpty)
      #expect(try document("mark", "--hidden", "--dry-run", path("a.jpg")).assets.count == 1)
      let added = try document("albums", "add", "--create", "Lisbon", path("trip"))
      #expect(added.albums.map { $0["title"] as? String } == ["Lisbon"])
      #expect(added.albums.map { $0["assetCount"] as? Int } == [2] && added.assets.count == 2)
      let removed = try document("albums", "remove", "Lisbon", path("trip/b.jpg"))
      #expect(removed.albums.map { $0["assetCount"] as? Int } == [1] && removed.assets.count == 1)
      #expect(try document("albums", "create", "A", "B").albums.count == 2)
      #expect(
        try document("albums", "rename", "B", "C").albums.map { $0["title"] as? String } == ["C"])
      #expect(try document("albums", "move", "C", "1").albums.map { $0["title"] as? String } == ["C"])
      #expect(try document("albums", "delete", "A").albums.count == 1)
      // However many files are imported, it is one document.
      for name in ["One", "Two"] { try home.write(Array("\(path("a.jpg"))\n".utf8), to: "\(name).txt") }
      let imported = try document("albums", "import", "\(home.path)/One.txt", "\(home.path)/Two.txt")
      #expect(imported.albums.map { $0["title"] as? String } == ["One", "Two"] && imported.assets.count == 2)
      #expect(try SchemaValidator.problems(ofEach: documents, "changeDocument") == "")
    }

    @Test func `Albums are created, filled, renamed, moved and deleted`() throws {
      try tpick("albums", "create", "Best", "Worst")
      try tpick("albums", "add", "best", path("a.jpg"), path("trip/c.jpg"))
      // In the album's order unless another one is requested.
      #expect(try list("--album", "Best") == ["a.jpg", "trip/c.jpg"])
      #expect(try list("--album", "Best", "--sort", "newest") == ["trip/c.jpg", "a.jpg"])
      #expect(try list("--album", "Best", "--reverse") == ["trip/c.jpg", "a.jpg"])
      #expect(try list("--query", "album:best") == ["trip/c.jpg", "a.jpg"])
      try tpick("albums", "remove", "Best", path("trip"))
      #expect(try list("--album", "Best") == ["a.jpg"])
      try tpick("albums", "remove", "Best", path("trip"), status: 1)
      try tpick("albums", "rename", "Best", "Very best")
      try tpick("albums", "move", "Worst", "1")
      let albums = try tpick("albums", "--type", "folders", folder.path).split(separator: "\n").prefix(2)
      #expect(albums.map { $0.trimmingCharacters(in: .whitespaces) } == ["0  Worst", "1  Very best"])
      try tpick("albums", "delete", "Worst", "very best")
      #expect(try !tpick("albums", folder.path).contains("est\n"))
      #expect(try list().count == 3)
    }

    @Test func `An invalid album or name is refused, and nothing is changed`() throws {
      try tpick("albums", "create", "Lisbon")
      try tpick("albums", "add", "Lisbn", path("a.jpg"), status: 2, errors: "did you mean 'Lisbon'?")
      try tpick("albums", "create", "Oslo", "LISBON", status: 2, errors: "an album has this title already")
      try tpick("albums", "rename", "Lisbon", " ", status: 2, errors: "the title is empty")
      try tpick("albums", "create", "a\nb", status: 2, errors: "line breaks")
      try tpick(
        "albums", "create", String(repeating: "x", count: 256), status: 2, errors: "longer than 255 bytes")
      try tpick("albums", "move", "Lisbon", "0", status: 64, errors: "1 for the first")
      try tpick("albums", "move", "Lisbon", "9223372036854775808", status: 64, errors: "1 for the first")
      try tpick("albums", "rename", "Lisbon", status: 64, errors: "a new one")
      try tpick("albums", "add", "Lisbon", status: 64, errors: "name a photo")
      try tpick("albums", "delete", status: 64, errors: "name an album")
      #expect(try !tpick("albums", folder.path).contains("Oslo"))
    }

    @Test func `Albums are exported as lists of paths, and imported again`() throws {
      try folder.write(
        try TestPhoto(width: 32, height: 24, date: .day(4)).bytes(), to: "line\nbreak.jpg")
      try folder.write(
        try TestPhoto(width: 32, height: 24, date: .day(5)).bytes(), to: [0x62, 0xFF] + Array(".jpg".utf8))
      try tpick("albums", "add", "--create", "A/B: ü", path("trip/c.jpg"), folder.path)
      let before = try tpick("list", "--print0", "--album", "A/B: ü", folder.path)
      try tpick("albums", "export", "\(home.path)/out/lists")
      let file = "\(home.path)/out/lists/A-B: ü.txt"
      let lines = try Data(contentsOf: URL(filePath: file)).split(separator: 0x0A)
      #expect(lines.count == 5)
      // The others are plain paths with any bytes.
      #expect(lines.count { $0.starts(with: "file:///".utf8) } == 1)
      try tpick("albums", "delete", "A/B: ü")
      try tpick("albums", "import", file)
      #expect(try tpick("list", "--print0", "--album", "A-B: ü", folder.path) == before)
      // A missing file is reported, and the others are added.
      try home.write(Array("\(path("a.jpg"))\n/nowhere/x.jpg\n".utf8), to: "Two.txt")
      try tpick("albums", "import", "\(home.path)/Two.txt", status: 2, errors: "/nowhere/x.jpg")
      #expect(try list("--album", "Two") == ["a.jpg"])
    }

    @Test func `A file that is no photo, or no list, is reported, and the rest is imported`() throws {
      try folder.write(Array("a letter".utf8), to: "letter.txt")
      try home.write(
        Array("\(path("trip/b.jpg"))\n\(path("letter.txt"))\n\(path("a.jpg"))\n".utf8), to: "One.txt")
      try home.write(Array("\(path("trip/c.jpg"))\n".utf8), to: "Two.txt")
      let (one, two) = ("\(home.path)/One.txt", "\(home.path)/Two.txt")
      try tpick("albums", "import", one, "\(home.path)/Missing.txt", two, status: 2, errors: "letter.txt")
      #expect(try Set(list("--album", "One")) == ["trip/b.jpg", "a.jpg"])
      #expect(try list("--album", "Two") == ["trip/c.jpg"])
      try tpick("albums", "import", "\(home.path)/Missing.txt", status: 2, errors: "Missing.txt")
    }

    @Test func `A client changes only what it may see`() throws {
      let client = ["--client", "mailer", "--purpose", "attachments"]
      func denied(_ arguments: [String], _ status: Int32, _ words: String) throws {
        let output = try Program.run(arguments + client, environment: environment)
        #expect(output.status == .exited(status) && output.errors.contains(words), "\(output.errors)")
      }
      try denied(["mark", "--favorite", path("a.jpg")], 77, "access not determined")
      try tpick("access", "grant", "--client", "mailer", "--level", "addOnly")
      try denied(["mark", "--favorite", path("a.jpg")], 77, "access not determined")
      try tpick("access", "grant", "--client", "mailer", "--allow", path("a.jpg"))
      #expect(
        try Program.run(["mark", "--favorite", path("a.jpg")] + client, environment: environment).status
          == .exited(0))
      #expect(try list("-f", "favorites") == ["a.jpg"])
      try denied(["mark", "--favorite", path("trip/b.jpg")], 2, "not among the photos that 'mailer' may see")
      try denied(["mark", "--favorite", path("a.jpg"), path("trip/b.jpg")], 2, "not among the photos")
      try denied(["albums", "create", "X"], 2, "may see some photos only, and no albums")
      try denied(["mark", "--date", "2031-05-03", path("trip/b.jpg")], 2, "not among the photos")
      #expect(
        try Program.run(
          ["mark", "--date", "2031-05-03", "--place", "1,2", path("a.jpg")] + client, environment: environment
        ).status == .exited(0))
      #expect(try list("--query", "date:2031-05 near:1,2,1") == ["a.jpg"])
      // Nor does it learn of the user's albums.
      try tpick("albums", "add", "--create", "Secret", path("a.jpg"))
      try denied(["albums", "add", "Secret", path("a.jpg")], 2, "no album of this name")
      try denied(["albums", "export", "\(home.path)/out"], 1, "you have no albums")
      #expect(!FileManager.default.fileExists(atPath: "\(home.path)/out"))
      #expect(try list("-f", "favorites") == ["a.jpg"])
    }

    @Test func `A change made with a key is stored even if the picker is closed at once`() throws {
      let session = try Program.pick([], in: folder, environment: environment)
      // Metadata of the photo under the cursor.
      try session.waitForText("c.jpg")
      session.send("Fq")
      try session.expectExit(.exited(130))
      #expect(try list("-f", "favorites") == ["trip/c.jpg"])
      let again = try Program.pick([], in: folder, environment: environment)
      try again.waitForText("c.jpg")
      again.send("Dyq")
      try again.expectExit(.exited(130))
      #expect(try list() == ["trip/b.jpg", "a.jpg"])
      #expect(try home.bytes(of: "data/Trash/files/c.jpg").count > 0)
    }

    @Test func `The edit of a photo goes to the trash, and restoring one of its files restores it`() throws {
      for name in ["IMG_1.JPG", "IMG_E1.JPG"] {
        try folder.write(try TestPhoto(width: 32, height: 24, date: .day(9)).bytes(), to: name)
      }
      try folder.write(Array("<plist/>".utf8), to: "IMG_1.AAE")
      let all = try list()
      #expect(all.first == "IMG_E1.JPG")
      try tpick(
        "mark", "--revert", "--client", "x", "--purpose", "y", path("IMG_1.JPG"), status: 64,
        errors: "--client")
      #expect(try list() == all)
      // A photo without an edit beside it stays as it is.
      try tpick("mark", "--revert", path("IMG_1.JPG"), path("a.jpg"))
      #expect(try list() == ["IMG_1.JPG"] + all.dropFirst())
      #expect(
        try Set(tpick("trash", "list").split(separator: "\n").map(String.init))
          == [path("IMG_1.AAE"), path("IMG_E1.JPG")])
      try tpick("mark", "--revert", path("IMG_1.JPG"), status: 2, errors: "none of the photos has an edit")
      try tpick("trash", "restore", path("IMG_1.AAE"))
      #expect(try list() == all)
      #expect(try folder.bytes(of: "IMG_1.AAE") == Array("<plist/>".utf8))
    }

    @Test
    func `Marks and corrections follow a renamed photo, and copies that tpick makes stay as the file is`()
      throws
    {
      // Without a time it is midnight.
      try tpick("mark", "--favorite", "--date", "2031-05-03", "--place", "38.72,-9.14", path("a.jpg"))
      try folder.rename("a.jpg", to: "trip/renamed.jpg")
      #expect(try list("-f", "favorites") == ["trip/renamed.jpg"])
      let fields = "{creationDate} {creationDateSource} {latitude}"
      #expect(
        try tpick("list", "--format", fields, path("trip/renamed.jpg")) == "2031-05-03T00:00:00 user 38.72\n")
      try tpick("list", "--export", "\(home.path)/copies", path("trip/renamed.jpg"))
      #expect(try home.bytes(of: "copies/renamed.jpg") == folder.bytes(of: "trip/renamed.jpg"))
      let copy = try tpick("list", "--format", "{creationDateSource}", "\(home.path)/copies")
      #expect(copy == "exif\n")
    }

    @Test func `Marks, albums and corrections survive the loss of the cache`() throws {
      try tpick("mark", "--favorite", "--date", "2031-05-03", path("a.jpg"))
      try tpick("mark", "--hidden", path("trip/b.jpg"))
      try tpick("albums", "add", "--create", "Best", path("trip/c.jpg"), path("a.jpg"))
      let id = try tpick("list", "--format", "ids", path("a.jpg"))
      try tpick("cache", "clear")
      #expect(try list() == ["a.jpg", "trip/c.jpg"])
      #expect(try list("-f", "favorites") == ["a.jpg"] && list("-f", "hidden") == ["trip/b.jpg"])
      #expect(try list("--album", "Best") == ["trip/c.jpg", "a.jpg"])
      #expect(try tpick("list", "--format", "ids", path("a.jpg")) == id)
    }

    @Test func `With sidecars in the configuration, a favorite is five stars beside the photo`() throws {
      try home.write(Array("favorites = \"sidecar\"\n".utf8), to: "config/tpick/config.toml")
      let bytes = try folder.bytes(of: "a.jpg")
      try tpick("mark", "--favorite", path("a.jpg"))
      #expect(String(decoding: try folder.bytes(of: "a.jpg.xmp"), as: UTF8.self).contains("Rating"))
      #expect(try folder.bytes(of: "a.jpg") == bytes)
      #expect(try list("-f", "favorites") == ["a.jpg"] && list("--query", "rating:5") == ["a.jpg"])
      // Neither are the other marks written beside it.
      try tpick("mark", "--hidden", "--date", "2031-05-03", path("trip/b.jpg"))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: path("trip")).sorted() == ["b.jpg", "c.jpg"])
      try folder.write(Array("no XML".utf8), to: "trip/c.xmp")
      try tpick("mark", "--favorite", path("trip/c.jpg"), status: 2, errors: "c.xmp")
      #expect(try list("-f", "favorites") == ["a.jpg"])
    }

    @Test
    func `A client with full access marks and corrects photos and changes albums, but not read-only ones`()
      throws
    {
      let client = ["--client", "sorter", "--purpose", "sort"]
      func run(_ arguments: String...) throws -> Program.Output {
        try Program.run(arguments + client, environment: environment)
      }
      try tpick("access", "grant", "--client", "sorter")
      #expect(
        try run("mark", "--favorite", "--date", "2031-05-03", "--place", "1,2", path("a.jpg")).status
          == .exited(0))
      #expect(try run("albums", "create", "Sorted").status == .exited(0))
      #expect(try run("albums", "add", "Sorted", path("a.jpg")).status == .exited(0))
      #expect(try list("-f", "favorites") == ["a.jpg"] && list("--album", "Sorted") == ["a.jpg"])
      #expect(try list().first == "a.jpg")
      try home.write(Array("read-only = true\n".utf8), to: "config/tpick/config.toml")
      let refused = try run("mark", "--no-favorite", path("a.jpg"))
      #expect(refused.status == .exited(2) && refused.errors.contains("read-only = true"))
      #expect(try list("-f", "favorites") == ["a.jpg"])
    }

    @Test func `If one of the files is not a photo, an album stays as it is`() throws {
      try folder.write(Array("a letter".utf8), to: "letter.txt")
      try tpick("albums", "add", "--create", "Best", path("a.jpg"))
      try tpick("albums", "add", "Best", path("trip"), path("letter.txt"), status: 2, errors: "letter.txt")
      try tpick(
        "albums", "remove", "Best", path("a.jpg"), path("letter.txt"), status: 2, errors: "letter.txt")
      #expect(try list("--album", "Best") == ["a.jpg"])
    }

    @Test func `A read-only configuration refuses every change`() throws {
      try tpick("albums", "add", "--create", "Kept", path("a.jpg"))
      try home.write(Array("\(path("trip/b.jpg"))\n".utf8), to: "Two.txt")
      try home.write(try TestPhoto(width: 32, height: 24, date: .day(4)).bytes(), to: "new.jpg")
      try home.write(Array("read-only = true\n".utf8), to: "config/tpick/config.toml")
      let before = try tpick("albums", folder.path)
      for arguments in [
        ["mark", "--hidden", path("a.jpg")], ["mark", "--revert", path("a.jpg")],
        ["mark", "--date", "2031-05-03", "--place", "1,2", path("a.jpg")],
        ["albums", "create", "X"], ["albums", "add", "Kept", path("trip")],
        ["albums", "remove", "Kept", path("a.jpg")], ["albums", "rename", "Kept", "Y"],
        ["albums", "move", "Kept", "1"], ["albums", "delete", "Kept"],
        ["albums", "import", "\(home.path)/Two.txt"], ["add", "\(home.path)/new.jpg"],
        ["trash", "put", path("a.jpg")], ["trash", "restore", path("a.jpg")], ["trash", "empty", "--force"],
      ] {
        let output = try Program.run(arguments, environment: environment)
        #expect(output.status == .exited(2) && output.output.isEmpty, "\(arguments)")
        #expect(output.errors.contains("read-only = true"), "\(arguments): \(output.errors)")
      }
      #expect(try tpick("albums", folder.path) == before)
      #expect(try list() == ["trip/c.jpg", "trip/b.jpg", "a.jpg"])
      // What changes nothing is allowed.
      try tpick("albums", "export", "\(home.path)/out")
      try tpick("mark", "--favorite", path("a.jpg"), status: 2, errors: "read-only = true")
      try tpick("albums", "create", "X", status: 2, errors: "read-only = true")
      #expect(try tpick("mark", "--favorite", "--dry-run", path("a.jpg")) == "\(path("a.jpg")): favorite\n")
      #expect(try list("-f", "favorites").isEmpty)
    }

    @Test(arguments: [true, false])
    func `A picker that may change nothing says so, whether by its option or by the configuration`(
      isOption: Bool
    ) throws {
      try home.write(Array("read-only = \(!isOption)\n".utf8), to: "config/tpick/config.toml")
      let session = try Program.pick(isOption ? ["--read-only"] : [], in: folder, environment: environment)
      try session.waitForText("c.jpg")
      for key in ["F", "H", "D", "A"] {
        session.send(key)
        try session.waitForText("The library is read-only")
        // Any other key takes the message away.
        session.press(.right)
        try session.waitForNoText("read-only")
      }
      session.send("q")
      try session.expectExit(.exited(130))
      #expect(try list("-f", "favorites").isEmpty && list().count == 3)
    }

    @Test func `Ten thousand files are marked at once`() throws {
      for number in 0..<200 { try folder.write([], to: "many/\(number).jpg") }
      let words = (0..<50).flatMap { _ in ["a.jpg", "trip/b.jpg", "trip/c.jpg"].map(path) }
      let output = try Program.run(
        ["mark", "--favorite"] + Array(repeating: words, count: 70).joined(), environment: environment)
      #expect(output.status == .exited(0) && output.errors.isEmpty, "\(output.errors)")
      #expect(try list("-f", "favorites").count == 3)
    }
  }
}
