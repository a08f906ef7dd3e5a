import Fixtures
import Metadata
import TestTerminal
import Testing

extension Commands {
  /// `--query` with every kind of term, in the real program.
  @Suite struct QueryTests {
    private static let made = Result { try makeLibrary() }

    private static func makeLibrary() throws -> String {
      let folder = try SharedFolders.make()
      var photo = TestPhoto(width: 32, height: 24, date: .day(2))
      photo.setCamera()
      try folder.write(try photo.bytes(), to: "Lisbon/IMG_0142.jpg")
      let words =
        MetadataSegments.list("dc:subject", ["sea", "boats"])
        + MetadataSegments.list("dc:title", ["Quiet water"], kind: "Alt")
        + MetadataSegments.list("Iptc4xmpExt:PersonInImage", ["Ana Lima"])
      let described =
        "xmp:Rating=\"4\" exif:DateTimeOriginal=\"2024-05-31T23:59:59\" "
        + "exif:GPSLatitude=\"38,43.2N\" exif:GPSLongitude=\"9,8.4W\""
      try folder.write(try FactPhoto.xmp(described, words), to: "Lisbon/harbour.jpg")
      let rated = "xmp:Rating=\"5\" exif:DateTimeOriginal=\"2024-06-01T00:00:00\""
      try folder.write(try FactPhoto.xmp(rated), to: "Porto/IMG_1042.jpg")
      try folder.write(
        try TestPhoto(width: 32, height: 24, date: .day(1, year: 2020)).bytes(), to: "Zürich.jpg")
      try folder.write(HandmadeMovie().bytes, to: "Porto/clip.mov")
      try folder.setModificationTime(1_704_067_200, of: "Porto/clip.mov")  // 2024-01-01
      return folder.path
    }

    private static let all = [
      "Porto/IMG_1042.jpg", "Lisbon/harbour.jpg", "Lisbon/IMG_0142.jpg", "Porto/clip.mov", "Zürich.jpg",
    ]
    private static let (june, may31, may2, january, old) = (all[0], all[1], all[2], all[3], all[4])

    @Test(arguments: [
      ("", all), ("  ", all),
      // Words: file name, album, camera, lens, keywords, title, people.
      ("harbour", [may31]), ("LISBON", [may31, may2]), ("canon", [may2]), ("ef-s18", [may2]),
      ("boats", [may31]), ("water", [may31]), ("lima", [may31]), ("zurich", [old]), ("mov", [january]),
      ("nowhere", []),
      // Fuzzy, and not: short words, numbers, phrases.
      ("lisbn", [may31, may2]), ("lsbn", [may31, may2]), ("img142", [may2]), ("1042", [june]), ("lsb", []),
      ("\"lisbn\"", []), ("\"quiet water\"", [may31]), ("\"water quiet\"", []), ("water quiet", [may31]),
      // The first moment belongs to after:, not to before:.
      ("after:2024-06", [june]), ("after:2024-06-01", [june]), ("after:2024-06-02", []),
      ("before:2024-06-01", [may31, may2, january, old]), ("before:2024", [old]),
      ("after:2024-05-02 before:2024-05-03", [may2]),
      ("type:video", [january]), ("type:photo", [june, may31, may2, old]), ("type:geotagged", [may31]),
      ("type:RAW", []), ("camera:\"eos 90d\"", [may2]), ("camera:cann", []),
      ("album:porto", [june, january]),
      ("album:lisbn", []),
      ("rating:5", [june]), ("rating:>=4", [june, may31]), ("rating:<5 rating:>0", [may31]),
      ("rating:0", [may2, january, old]),
      ("near:38.7,-9.1,10", [may31]), ("near:38.7,-9.1,1", []), ("near:0,0,20038", [may31]),
      ("-lisbon", [june, january, old]), ("-type:video -album:lisbon", [june, old]),
      ("IMG -rating:5", [may2]),
      // Dates and kinds in words, alone and combined.
      ("2020", [old]), ("may", [may31, may2, old]), ("1 may", [old]), ("may 2024", [may31, may2]),
      ("2 may", [may2]),
      ("31 may 2024 water", [may31]), ("2024-06", [june]), ("may 2023", []), ("\"may 2024\"", []),
      ("videos", [january]), ("favorite", [june]), ("porto photos", [june]), ("-photo", [january]),
      ("person:ana", [may31]), ("keyword:sea", [may31]), ("keyword:ana", []),
      ("before:\"2 may 2024\"", [january, old]), ("after:1d", []),
      // The file's format.
      ("ext:mov", [january]), ("ext:JPG -rating:5", [may31, may2, old]), ("path:porto/img", [june]),
      ("path:Lisbon", [may31, may2]), ("lens:ef-s18", [may2]), ("lens:canon", []), ("title:quiet", [may31]),
      ("title:sea", []), ("width:32", [may2, old]), ("width:>32", [june, may31, january]),
      ("height:<=24 path:lisbon/img", [may2]),
      ("ratio:landscape path:lisbon/img", [may2]), ("ratio:square width:32", []), ("size:>1MB", []),
      ("size:<1MB", all), ("duration:>0", [january]), ("duration:<=60s", [january]),
      ("date:2024-05", [may31, may2]),
      ("date:2024 -date:2024-05", [june, january]), ("before:1d ext:mov", [january]), ("after:2w", []),
      // Combined terms.
      ("(lisbon or porto) videos", [january]), ("zürich or rating:5", [june, old]),
      ("-(lisbon or porto)", [old]), ("not lisbon ext:jpg", [june, old]),
      ("canon or (porto ext:jpg)", [june, may2]),
      ("canon porto or harbour", [may31]), ("LISBON OR NOT PHOTOS", [may31, may2, january]),
    ])
    func `Each kind of term finds the right files`(query: String, expected: [String]) throws {
      let path = try Self.made.get()
      let result = try Program.run(["list", "--query", query, path])
      #expect(result.lines.map { String($0.dropFirst(path.count + 1)) } == expected)
      #expect(result.status == .exited(expected.isEmpty ? 1 : 0))
      #expect(result.errors.isEmpty)
    }

    @Test(arguments: [
      ("colour:red", "“colour:red” starts with an unknown search key"),
      ("date:soon", "date:2024-05 or date:yesterday"),
      ("lisbon or", "“or” has no term beside it: write one on each side"), ("(lisbon", "“(” is never closed"),
      ("not", "“not” has no term after it"), ("size:>big", "as size:>2MB"), ("width:wide", "width:>=1920"),
      ("ratio:4", "ratio:landscape, ratio:portrait or ratio:square"), ("duration:x", "duration:<=60s"),
      ("ext:", "as ext:heic"),
      ("before:2024-13", "write before:2024-05 or before:7d"),
      ("after:soon", "“after:soon” is not a date: write after:2024-05 or after:7d"),
      ("after:2024-02-30", "is not a date"), ("after:", "is not a date"),
      ("type:cats", "“type:cats” is not a kind"),
      ("rating:six", "0 to 5"), ("rating:>=6", "0 to 5"), ("near:38,9", "near:38.72,-9.14,10"),
      ("near:95,0,1", "kilometers"), ("camera:", "camera"), ("sea \"open", "closing quote"),
      ("-", "contains no word"),
      ("https://x", "quote it: \"https://x\""),
    ])
    func `An invalid term is a usage error that names it`(query: String, words: String) throws {
      for command in [["list"], []] {
        let result = try Program.run(command + ["--query", query])
        #expect(result.status == .exited(64))
        #expect(result.errors.hasPrefix("tpick: --query: "))
        #expect(result.errors.contains(words))
      }
    }

    @Test func `A file is found by every folder above it`() throws {
      let folder = try TemporaryFolder()
      for (day, name) in ["Lisbon/Sintra/a.jpg", "Lisbon/b.jpg", "Porto/lisbon.jpg", "Porto/c.jpg"]
        .enumerated()
      {
        let photo = TestPhoto(width: 16, height: 12, date: .day(20 - day))
        try folder.write(try photo.bytes(), to: name)
      }
      func found(_ query: String) throws -> [String] {
        try Program.run(["list", "--query", query, folder.path]).lines.map {
          String($0.dropFirst(folder.path.count + 1))
        }
      }
      #expect(try found("lisbon") == ["Lisbon/Sintra/a.jpg", "Lisbon/b.jpg", "Porto/lisbon.jpg"])
      #expect(try found("album:lisbon") == ["Lisbon/Sintra/a.jpg", "Lisbon/b.jpg"])
      #expect(try found("sintra") == ["Lisbon/Sintra/a.jpg"])
      #expect(try found("-lisbon") == ["Porto/c.jpg"])
    }

    @Test(arguments: ["de_DE.UTF-8", "de"])
    func `Kinds are recognized in the user's language`(locale: String) throws {
      let path = try Self.made.get()
      let result = try Program.run(
        ["list", "--query", "favoriten", path], environment: ["LC_ALL": "", "LC_MESSAGES": locale])
      #expect(result.lines == ["\(path)/\(Self.june)"])
    }

    @Test func `Search, filter, album and sort order combine`() throws {
      let path = try Self.made.get()
      func list(_ arguments: String...) throws -> [String] {
        try Program.run(["list"] + arguments + [path]).lines.map { String($0.dropFirst(path.count + 1)) }
      }
      #expect(try list("--album", "porto") == [Self.june, Self.january])
      #expect(try list("--album", "Porto", "--filter", "videos") == [Self.january])
      #expect(try list("--album", "Lisbon", "--query", "boats", "--filter", "images") == [Self.may31])
      #expect(try list("--album", "Videos") == [Self.january])
      #expect(
        try list("--query", "type:photo", "--sort", "oldest") == [Self.old, Self.may2, Self.may31, Self.june])
      let unknown = try Program.run(["list", "--album", "Madrid", path])
      #expect(unknown.status == .exited(2))
      #expect(unknown.errors.contains("no album is named 'Madrid'"))
    }
  }
}
