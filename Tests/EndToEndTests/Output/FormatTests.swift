import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// Templates and JSON fields, in every command that prints assets.
  @Suite struct FormatTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path }

    init() throws { folder = try TemporaryFolder() }

    /// Photographs with all metadata, one without any, and a video.
    private static let library = Result { () throws -> String in
      let folder = try SharedFolders.make()
      try folder.write(try TestPhoto(width: 160, height: 120).bytes(), to: "a/b/full.jpg")
      try folder.run(
        ["exiftool"] + [
          "-Make=Canon", "-Model=Canon EOS 90D", "-LensModel=EF-S18-135mm", "-ISO=200", "-FNumber=4",
          "-ExposureTime=1/250", "-FocalLength=35", "-DateTimeOriginal=2024:05:02 14:10:09",
          "-OffsetTimeOriginal=+02:00", "-GPSLatitude=38.72", "-GPSLatitudeRef=N", "-GPSLongitude=9.14",
          "-GPSLongitudeRef=W", "-GPSAltitude=12.5", "-GPSAltitudeRef=Above Sea Level", "-XMP-xmp:Rating=5",
          "-XMP-dc:Title=The harbor", "-XMP-dc:Description=Boats\nin it", "-XMP-dc:Subject=boats",
          "-XMP-iptcExt:PersonInImage=Ana Lima", "a/b/full.jpg",
        ])
      try folder.write(try FactPhoto.photo(), to: "a/plain.jpg")
      try folder.write(try TestPhoto(width: 64, height: 48).bytes(), to: [0x61, 0xFF] + Array(".jpg".utf8))
      try folder.run("ffmpeg", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=1", "clip.mp4")
      return folder.path
    }

    private func list(_ arguments: String...) throws -> [String] {
      let result = try Program.run(["list"] + arguments)
      #expect(result.status == .exited(0), "\(result.errors)")
      return result.lines
    }

    private func objects(_ bytes: [UInt8]) throws -> [[String: Any]] {
      try bytes.split(separator: 0x0A).map { line in
        try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
      }
    }

    // MARK: Templates

    @Test func `A template prints the file's metadata`() throws {
      let library = try Self.library.get()
      let file = "\(library)/a/b/full.jpg"
      let template =
        #"{name}\t{date:%Y-%m-%d %H.%M}\t{camera}\t{lens}\t{exposureTime}\t{location}\t{altitude}\t{rating}\t{title}\t"#
        + #"{caption}\t{keywords}\t{people}\t{contentType}\t{mimeType}\t{orientation}\n"#
      let expected =
        "full.jpg\t2024-05-02 14.10\tCanon EOS 90D\tEF-S18-135mm\t0.004\t38.72,-9.14\t12.5\t5\tThe harbor\t"
        + "Boats in it\tboats\tAna Lima\tpublic.jpeg\timage/jpeg\t1"
      #expect(try list("--format", template, file) == [expected])
      let info = try Program.run(["info", "--format", template, file])
      #expect(info.lines == [expected])
      #expect(
        try list(
          "--format", "[{camera}{lens}{altitude}{rating}{title}{keywords}{location}]",
          "\(library)/a/plain.jpg")
          == ["[]"])
    }

    @Test func `Albums are the folders and smart albums of an asset`() throws {
      let library = try Self.library.get()
      let file = "\(library)/a/b/full.jpg"
      let titles = try #require(
        try list("--format", "{name}: {albums}", library).first { $0.hasPrefix("full") })
      let names = Set(titles.dropFirst("full.jpg: ".count).components(separatedBy: ", "))
      #expect(names.isSuperset(of: ["a", "b", "Favorites"]))
      #expect(names.isDisjoint(with: ["Recents", "Videos"]))
      // Under limited access no album of the user's is printed.
      let limited = try list(
        "--authorize", "limited", "--allow", file, "--format", "{name}: {albums}", library)
      #expect(limited.count == 1)
      #expect(limited.first?.contains("Favorites") == true)
      let told = Set(limited.first?.dropFirst("full.jpg: ".count).components(separatedBy: ", ") ?? [])
      #expect(told.isDisjoint(with: ["a", "b"]))
      let info = try Program.run(["info", "--fields", "albums", "--format", "jsonl", file])
      let albums = try #require(try objects(info.output).first?["albums"] as? [[String: Any]])
      #expect(albums.contains { $0["title"] as? String == "b" })
    }

    @Test func `A template's last character ends each item`() throws {
      let library = try Self.library.get()
      let file = "\(library)/a/plain.jpg"
      let cases: [([String], String)] = [
        (["{stem}"], "plain\n"), ([#"{stem}\n"#], "plain\n"), ([#"{stem}\0"#], "plain\0"),
        (["{stem}", "--print0"], "plain\0"), ([#"{stem}\n"#, "-0"], "plain\n\0"),
        ([#"{stem}\t"#], "plain\t\n"),
      ]
      for (arguments, expected) in cases {
        let result = try Program.run(["list", "--format"] + arguments + [file])
        #expect(String(decoding: result.output, as: UTF8.self) == expected, "\(arguments)")
      }
    }

    @Test func `A name with a line break is refused if items are lines`() throws {
      try folder.write(try FactPhoto.photo(), to: "a\nb.jpg")
      for template in ["{name}", "{folder}/{name}"] {
        let refused = try Program.run(["list", "--format", template, path])
        #expect(refused.status == .exited(2))
        #expect(refused.output.isEmpty)
        #expect(refused.errors.contains("has a line break in its name"))
        let accepted = try Program.run(["list", "-0", "--format", template, path])
        #expect(accepted.status == .exited(0))
        #expect(String(decoding: accepted.output, as: UTF8.self).hasSuffix("a\nb.jpg\0"))
      }
      #expect(try list("--format", "{uri}", path) == ["file://\(path)/a%0Ab.jpg"])
    }

    @Test func `On a terminal values are escaped, the template's own text is not`() throws {
      try folder.write(try FactPhoto.photo(), to: "a\u{1B}b.jpg")
      let session = try TerminalSession(
        Program.path, ["list", "--format", #"\t{stem}\t"#, path], environment: Program.environment(),
        standardOutput: .terminal)
      try session.waitForExit()
      #expect(String(decoding: session.rawOutput, as: UTF8.self) == "\ta\\x1Bb\t\r\n")
      let info = try TerminalSession(
        Program.path, ["info", "--format", "{stem}", "\(path)/a\u{1B}b.jpg"],
        environment: Program.environment(), standardOutput: .terminal)
      try info.waitForExit()
      #expect(String(decoding: info.rawOutput, as: UTF8.self) == "a\\x1Bb\r\n")
    }

    @Test func `A picked photo is printed with the template`() throws {
      let session = try Program.pick(["--format", "{stem}: {width}x{height}"], in: try Photos.folder(2))
      try session.waitForGrid(2)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["1: 400x300"])
    }

    @Test(arguments: [
      (["--format", "{nope}"], "--format: unknown field 'nope'; fields are path, name"),
      (["--format", "{path"], "--format: a '{' without its '}'"),
      (["--format", "{date:%Q}"], "--format: unknown conversion"),
      (["--format", "tsv"], "formats are paths, uris, ids, json, jsonl, or a template"),
      (
        ["--format", "json", "--fields", "nope"],
        "--fields: unknown field 'nope'; fields are all, localIdentifier"
      ),
      (["--format", "json", "--fields", "date"], "is it creationDate?"),
      (["--fields", "all"], "--fields: requires --format json or jsonl"),
      (["--format", "{path}", "--fields", "all"], "--fields: requires --format json or jsonl"),
      (["--format", "json", "--fields", "all", "-0"], "--print0: json is not NUL-separated"),
    ])
    func `Errors are usage errors`(arguments: [String], message: String) throws {
      for command in [["list"], []] {
        let result = try Program.run(command + arguments + [path])
        #expect(result.status == .exited(64))
        #expect(result.errors.contains(message), "\(result.errors)")
      }
      if !arguments.contains("-0"), !message.contains("formats are") {
        let info = try Program.run(["info"] + arguments + [path])
        #expect(info.status == .exited(64))
        #expect(info.errors.contains(message), "\(info.errors)")
      }
    }

    // MARK: JSON

    @Test func `The requested fields are printed`() throws {
      let library = try Self.library.get()
      let some = try Program.run(
        ["list", "--format", "jsonl", "--fields", "path,camera,fileSize", "\(library)/a/b/full.jpg"])
      let object = try #require(try objects(some.output).first)
      #expect(Set(object.keys) == ["path", "camera", "fileSize"])
      #expect(object["fileSize"] as? Int == (try folder.size(of: "\(library)/a/b/full.jpg")))
      let more = try Program.run(
        ["list", "--format", "jsonl", "--fields", "+altitude", "\(library)/a/b/full.jpg"])
      let usual = try Program.run(["list", "--format", "jsonl", "\(library)/a/b/full.jpg"])
      #expect(
        try objects(more.output).first.map { Set($0.keys) }
          == objects(usual.output).first.map { Set($0.keys).union(["altitude"]) })
      #expect(try objects(more.output).first?["altitude"] as? Double == 12.5)
    }

    @Test func `Every document matches the schema`() throws {
      let library = try Self.library.get()
      let files = ["a/b/full.jpg", "a/plain.jpg", "clip.mp4"].map { "\(library)/\($0)" }
      let cases: [(command: [String], definition: String, isLines: Bool)] = [
        (["list", "--format", "json", library], "document", false),
        (["list", "--format", "json", "--query", "nothing-is-called-so", library], "document", false),
        (["list", "--format", "jsonl", library], "asset", true),
        (["list", "--format", "jsonl", "--absolute", library], "asset", true),
        (["list", "--format", "jsonl", "--fields", "all", library], "allFields", true),
        (
          ["list", "--format", "json", "--fields", "camera,path,albums", library], "selectionDocument", false
        ),
        (["info", "--format", "json"] + files, "infoDocument", false),
        (["info", "--format", "jsonl"] + files, "info", true),
        (["info", "--format", "jsonl", "--fields", "all"] + files, "allFields", true),
        (["albums", "--format", "json", library], "collectionsDocument", false),
        (["albums", "--format", "jsonl", library], "collection", true),
      ]
      for (command, definition, isLines) in cases {
        let result = try Program.run(command)
        #expect(!result.output.isEmpty)
        let problems = try SchemaValidator.problems(
          of: result.output, definition, isLines: isLines)
        #expect(problems.isEmpty, "\(command): \(problems)")
      }
    }

    @Test func `The validator detects missing, wrong and unknown keys`() throws {
      let library = try Self.library.get()
      let document = try Program.run(["list", "--format", "jsonl", "\(library)/a/plain.jpg"]).output
      let text = String(decoding: document, as: UTF8.self)
      for (old, new) in [
        ("\"isHidden\":false,", ""), ("\"isHidden\":false", "\"isHidden\":0"),
        ("\"isHidden\":false", "\"isHidden\":false,\"extra\":1"), ("\"type\":\"photo\"", "\"type\":\"x\""),
      ] {
        #expect(text.contains(old))
        let wrong = Array(text.replacing(old, with: new).utf8)
        #expect(!(try SchemaValidator.problems(of: wrong, "asset")).isEmpty, "\(new)")
      }
    }
  }
}

extension TemporaryFolder {
  /// The size of any file in bytes.
  fileprivate func size(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
  }
}
