import Fixtures
import Foundation
import Glibc
import TestTerminal
import Testing

extension Commands {
  /// Options for the content, order and destination of the output.
  @Suite struct OutputOptionTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ names: [String], day: Int = 1) throws {
      let photo = try TestPhoto(width: 32, height: 24, date: .day(day)).bytes()
      for name in names { try folder.write(photo, to: name) }
    }

    private func names(_ arguments: [String]) throws -> [String] {
      let result = try Program.run(["list"] + arguments)
      #expect(result.status == .exited(0), "\(result.errors)")
      return result.lines.map { String($0.dropFirst(path.count + 1)) }
    }

    // MARK: Order

    @Test(arguments: [
      (["--sort", "name"], ["IMG2.jpg", "img10.jpg", "img100.jpg", "Zoo.jpg"]),
      (["--sort", "name", "--reverse"], ["Zoo.jpg", "img100.jpg", "img10.jpg", "IMG2.jpg"]),
      (["--sort", "name", "-n2"], ["IMG2.jpg", "img10.jpg"]),
      (["--sort", "name", "--limit", "0"], ["IMG2.jpg", "img10.jpg", "img100.jpg", "Zoo.jpg"]),
      (["--reverse", "--sort", "newest", "-n", "1"], ["IMG2.jpg"]),
    ])
    func `Names are sorted naturally, reversed and limited`(
      arguments: [String], expected: [String]
    ) throws {
      for (day, name) in ["IMG2.jpg", "img10.jpg", "img100.jpg", "Zoo.jpg"].enumerated() {
        try write([name], day: day + 1)
      }
      #expect(try names(arguments + [path]) == expected)
    }

    @Test func `A broken file does not count toward a limit`() throws {
      try write(["b.jpg", "c.jpg"])
      try folder.write(Array("words".utf8), to: "a.jpg")
      #expect(try names(["--sort", "name", "-n", "1", path]) == ["b.jpg"])
      let wrong = try Program.run(["list", "-n", "few", path])
      #expect(wrong.status == .exited(64))
      #expect(wrong.errors.contains("'few' is not a number of photos"))
    }

    @Test func `The caller's order is kept in every run`() throws {
      for (day, name) in ["a/1.jpg", "a/2.jpg", "b/3.jpg", "b/4.jpg"].enumerated() {
        try write([name], day: day + 1)
      }
      let sources = ["b/4.jpg", "a/./2.jpg", "a", "b/../b/3.jpg"].map { "\(path)/\($0)" }
      let expected = ["b/4.jpg", "a/./2.jpg", "a/1.jpg", "b/../b/3.jpg"]
      let home = try TemporaryFolder()
      let environment = ["XDG_CACHE_HOME": "\(home.path)/cache", "XDG_DATA_HOME": "\(home.path)/data"]
      // The complete folder is in the index from the first run on.
      _ = try Program.run(["list", "\(path)/a"], environment: environment)
      for _ in 0..<2 {
        let result = try Program.run(["list", "--sort", "given"] + sources, environment: environment)
        #expect(result.lines == expected.map { "\(path)/\($0)" })
      }
      let reversed = try Program.run(
        ["list", "--sort", "given", "--reverse"] + sources, environment: environment)
      #expect(reversed.lines == expected.reversed().map { "\(path)/\($0)" })
      let input = try Program.run(
        rawArguments: ["list", "--sort", "given", "-"].map { Array($0.utf8) }, environment: environment,
        input: .bytes(Array(sources.joined(separator: "\n").utf8)))
      #expect(input.lines == expected.map { "\(path)/\($0)" })
      // A file that was named individually is still known to be old when its folder is opened.
      let added = try Program.run(
        ["list", "--sort", "added", "--format", "ids", "\(path)/a"], environment: environment)
      #expect(added.lines.count == 2)
    }

    // MARK: Paths

    @Test func `Paths are printed absolute or relative to a folder`() throws {
      try write(["a/1.jpg", "b/c/2.jpg"])
      try folder.link("link", to: "b/c")
      let given = "\(path)/a/../link/./2.jpg"
      #expect(try Program.run(["list", "--absolute", given]).lines == ["\(path)/a/../link/2.jpg"])
      let cases = [
        ("a", given, "../b/c/2.jpg"), ("b", given, "c/2.jpg"), ("link", given, "2.jpg"),
        ("a", "\(path)/a", "1.jpg"),
      ]
      for (base, source, expected) in cases {
        let result = try Program.run(["list", "--relative-to", "\(path)/\(base)", source])
        #expect(result.lines == [expected], "\(base) \(source)")
      }
      let json = try Program.run(
        ["list", "--relative-to", "\(path)/a", "--format", "jsonl", "\(path)/a/1.jpg"])
      let asset = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
      #expect(asset["path"] as? String == "1.jpg")
      #expect(asset["uri"] as? String == "file://\(path)/a/1.jpg")
      #expect((asset["resources"] as? [[String: Any]])?.first?["path"] as? String == "1.jpg")
      #expect(try Program.run(["list", "--relative-to", "\(path)/gone", path]).status == .exited(2))
      #expect(try Program.run(["list", "--absolute", "--relative-to", path, path]).status == .exited(64))
    }

    @Test func `URIs and identifiers are printed in place of paths`() throws {
      try write(["a b.jpg", "c.jpg"])
      let uri = "file://\(path)/a%20b.jpg"
      #expect(try names([uri]) == ["a b.jpg"])
      let input = try Program.run(
        rawArguments: ["list", "-"].map { Array($0.utf8) }, input: .bytes(Array("\(uri)\n".utf8)))
      #expect(input.lines == ["\(path)/a b.jpg"])
      #expect(try Program.run(["info", uri]).status == .exited(0))
      let identifier = try #require(
        try Program.run(["list", "--format", "ids", "\(path)/c.jpg"]).lines.first)
      #expect(
        try names(["--authorize", "limited", "--allow", identifier, "--allow", uri, path]).sorted()
          == ["a b.jpg", "c.jpg"])
      let session = try Program.pick(["--preselect", identifier, "-n0", path])
      try session.waitForText("1 picked")
      session.send("\r")
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(path)/c.jpg"])
    }

    // MARK: Files

    @Test func `Results are written into a file atomically`() throws {
      try write(["1.jpg", "2.jpg"])
      try folder.write(Array("old".utf8), to: "out/list")
      try folder.link("out/link", to: "list")
      #expect(chmod("\(path)/out/list", 0o640) == 0)
      let result = try Program.run(["list", "-o", "\(path)/out/link", "--sort", "name", path])
      #expect(result.status == .exited(0))
      #expect(result.output.isEmpty)
      #expect(
        try folder.bytes(of: "out/list") == Array("\(path)/1.jpg\n\(path)/2.jpg\n".utf8))
      var status = stat()
      #expect(stat("\(path)/out/list", &status) == 0 && status.st_mode & 0o777 == 0o640)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/out").sorted() == ["link", "list"])
      #expect(try names(["--output=/dev/stdout", "--sort", "name", path]) == ["1.jpg", "2.jpg"])
      for place in [path, "\(path)/gone/list"] {
        let failed = try Program.run(["list", "-o", place, path])
        #expect(failed.status == .exited(2))
        #expect(failed.errors.contains("--output: \(place)"))
      }
      #expect(
        try Program.run(["-o", "\(path)/x", "--selection", "continuous", path]).status == .exited(64))
    }

    @Test func `A signal during output leaves no temporary file, and the target unchanged`()
      throws
    {
      try write((1...40).map { "\($0).jpg" })
      try folder.write(Array("old".utf8), to: "out/list")
      // Each line has 20,000 bytes; a file of more than 300,000 causes SIGXFSZ (setrlimit(2)).
      let line = String(repeating: "x", count: 20_000) + "{name}"
      let limited = [
        "/bin/sh", "-c", "ulimit -c 0; ulimit -f 600; exec \"$@\"", "sh", Program.path, "list", "--format",
        line, "-o", "\(path)/out/list", path,
      ]
      let session = try TerminalSession(
        limited[0], Array(limited[1...]), environment: Program.environment(), columns: 80, rows: 24)
      try session.expectExit(.signalled(SIGXFSZ))
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(path)/out") == ["list"])
      #expect(try folder.bytes(of: "out/list") == Array("old".utf8))
    }

    @Test func `A saved selection is edited and written back, or stays unchanged`() throws {
      try write(["1.jpg", "2.jpg", "3.jpg"])
      try folder.write(Array("\(path)/2.jpg\n\(path)/gone.jpg\nfile://\(path)/3.jpg\n".utf8), to: "picks.txt")
      let before = try folder.bytes(of: "picks.txt")
      let arguments = [
        "-n0", "--preselect-from", "\(path)/picks.txt", "-o", "\(path)/picks.txt", "--sort", "name", path,
      ]
      let cancelled = try Program.pick(arguments)
      try cancelled.waitForText("2 picked")
      cancelled.send("q")
      try cancelled.expectExit(.exited(130))
      #expect(try folder.bytes(of: "picks.txt") == before)
      let confirmed = try Program.pick(arguments)
      try confirmed.waitForText("2 picked")
      confirmed.press(.space)
      try confirmed.waitForText("3 picked")
      confirmed.press(.enter)
      try confirmed.expectExit(.exited(0))
      #expect(confirmed.standardOutputBytes.isEmpty)
      #expect(
        try folder.bytes(of: "picks.txt")
          == Array([2, 3, 1].map { "\(path)/\($0).jpg\n" }.joined().utf8))
      let missing = try Program.run(["--preselect-from", "\(path)/gone.txt", path])
      #expect(missing.status == .exited(2))
      #expect(missing.errors.contains("--preselect-from: \(path)/gone.txt: No such file or directory"))
      #expect(try Program.run(["--preselect-from", "-", "-"]).status == .exited(64))
    }

    @Test func `A cleared selection is confirmed only with allow-empty`() throws {
      try write(["1.jpg", "2.jpg"])
      let refused = try Program.pick(["--preselect", "\(path)/1.jpg", "-n0", path])
      try refused.waitForText("1 picked")
      refused.send("u\r")
      try refused.waitForText("Nothing picked")
      refused.send("q")
      try refused.expectExit(.exited(130))
      let allowed = try Program.pick(["--allow-empty", "--preselect", "\(path)/1.jpg", "-n0", path])
      try allowed.waitForText("1 picked")
      allowed.send("u\r")
      try allowed.expectExit(.exited(0))
      #expect(allowed.standardOutputBytes.isEmpty)
    }

    // MARK: Documents

    private func document(_ bytes: [UInt8]) throws -> [String: Any] {
      try folder.write(bytes, to: "x.jpg")
      let result = try Program.run(["list", "--format", "jsonl", "\(path)/x.jpg"])
      return try #require(try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
    }

    @Test func `Coordinates keep the digits of their source`() throws {
      let place = "exif:GPSLatitude=\"38,43.2N\" exif:GPSLongitude=\"9,8.4W\""
      try folder.write(try FactPhoto.xmp(place), to: "x.jpg")
      let result = try Program.run(["list", "--format", "jsonl", "\(path)/x.jpg"])
      #expect(
        String(decoding: result.output, as: UTF8.self)
          .contains(#""location":{"latitude":38.72,"longitude":-9.14}"#))
    }

    @Test func `Dates have their source and, with a zone, the exact moment`() throws {
      let exif = try document(
        try FactPhoto.exif { exif in
          exif.text(0x9003, "2024:05:02 14:10:20")
          exif.text(0x9011, "+01:00")
        })
      #expect(exif["creationDateSource"] as? String == "exif")
      #expect(exif["creationDate"] as? String == "2024-05-02T14:10:20+01:00")
      #expect(exif["creationTimestamp"] as? Int == 1_714_655_420)
      let zoneless = try document(try FactPhoto.exif { $0.text(0x9003, "2024:05:02 14:10:20") })
      #expect(zoneless["creationDate"] as? String == "2024-05-02T14:10:20")
      #expect(zoneless["creationTimestamp"] == nil)
      let xmp = try document(try FactPhoto.xmp("xmp:CreateDate=\"2024-05-02T14:10:20Z\""))
      #expect(xmp["creationDateSource"] as? String == "xmp")
      #expect(xmp["creationTimestamp"] as? Int == 1_714_659_020)
      try folder.write(try FactPhoto.photo(), to: "x.jpg")
      try folder.setModificationTime(1_714_659_020, of: "x.jpg")
      let plain = try Program.run(["list", "--format", "jsonl", "\(path)/x.jpg"])
      let file = try #require(try JSONSerialization.jsonObject(with: Data(plain.output)) as? [String: Any])
      #expect(file["creationDateSource"] as? String == "file")
      #expect(file["creationTimestamp"] as? Int == 1_714_659_020)
      #expect(file["modificationTimestamp"] as? Int == 1_714_659_020)
      try folder.write(try FactPhoto.photo(), to: "IMG-20190715-WA0003.jpg")
      let named = try Program.run(["list", "--format", "jsonl", "\(path)/IMG-20190715-WA0003.jpg"])
      let name = try #require(try JSONSerialization.jsonObject(with: Data(named.output)) as? [String: Any])
      #expect(name["creationDateSource"] as? String == "name")
      #expect(name["creationDate"] as? String == "2019-07-15T00:00:00")
    }

    @Test func `Resources include raw bytes if their name is no text`() throws {
      let name = [0x61, 0xFF] + Array(".jpg".utf8)
      try folder.write(try FactPhoto.photo(), to: name)
      let result = try Program.run(["list", "--format", "jsonl", path])
      let asset = try #require(try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
      let resource = try #require((asset["resources"] as? [[String: Any]])?.first)
      #expect(resource["pathBytes"] as? String == asset["pathBytes"] as? String)
      #expect(
        (resource["pathBytes"] as? String).flatMap { Data(base64Encoded: $0) }.map(Array.init)
          == folder.path(of: name))
    }
  }
}
