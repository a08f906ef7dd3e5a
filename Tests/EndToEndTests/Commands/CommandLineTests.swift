import Fixtures
import Foundation
import Metadata
import Pixels
import TestTerminal
import Testing

extension Commands {
  @Suite struct CommandLineTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
      (["--limit", "x"], "'x' is not a number of photos; expected a whole number"),
      (["--limit", "-1"], "'-1' is not a number of photos; expected a whole number"),
      (["-nx"], "'x' is not a number"),
      (["--filter", "images,cats"], "unknown filter 'cats'"),
      (["--filter", "any()"], "empty list"),
      (["--authorize", "maybe"], "values are notDetermined"),
      (["--graphics", "oil"], "values are auto, kitty"),
      (["--cell-size", "0x0"], "10x20"),
      (["--allow", "x"], "--authorize limited"),
      (["--client", "mailer"], "--purpose"),
      (["--mode", "tiny"], "--mode: unknown value 'tiny'; values are default, compact"),
      (["--selection", "random"], "values are default, ordered, continuous"),
      (["--disable", "search,teleport"], "unknown part 'teleport'; parts are search"),
      (["--frobnicate"], "--frobnicate"),
      (
        ["run", "--writable", "", "--authorize", "limited", "--allow", ".", ".", "--", "true"],
        "--writable: expected the name of a folder"
      ),
    ])
    func `Usage errors name the invalid words`(arguments: [String], words: String) throws {
      let result = try Program.run(arguments)
      #expect(result.status == .exited(64))
      #expect(result.errors.hasPrefix("tpick: "))
      #expect(result.errors.contains(words))
      #expect(result.output.isEmpty)
    }

    /// Calls with an empty name, "" standing for it, and how the message refers to it.
    @Test(arguments: [
      [""], ["list", ""], ["albums", ""], ["info", ""], ["show", ""], ["show", "--", ""],
      ["cache", "warm", ""],
      ["list", "--config", ""], ["config", "--config", ""], ["pick", "--preselect", "", "."],
      ["pick", "--preselect-from", "", "."], ["list", "--authorize", "limited", "--allow", "", "."],
      ["access", "grant", "--client", "x", "--allow", ""], ["list", "-o", "", "."],
      ["list", "--relative-to", "", "."], ["run", "", "--", "true"],
    ])
    func `An empty name is visible in the message`(arguments: [String]) throws {
      try Photos.write(1, to: folder)
      let result = try Program.run(arguments.map { $0 == "." ? folder.path : $0 })
      #expect(result.status == .exited(2))
      #expect(result.errors.hasPrefix("tpick: ") && result.errors.contains("'': "), "\(result.errors)")
      #expect(!result.errors.contains(" : ") && !result.errors.contains(":: "))
    }

    @Test(arguments: [
      ["list"], ["albums"], ["info"], ["show"], ["config"], ["completions"], ["access", "status"],
      ["access", "grant"], ["access", "revoke"], ["access", "reset"], ["remote", "list"],
      ["add"], ["trash", "put"], ["trash", "list"], ["trash", "restore"], ["trash", "empty"],
      ["remote", "trust"],
      ["remote", "forget"], ["remote", "check"], ["cache", "status"],
    ])
    func `The help of a command without a screen does not mention the picker`(command: [String]) throws {
      let result = try Program.run(command + ["--help"])
      #expect(result.status == .exited(0))
      let words = String(decoding: result.output, as: UTF8.self).lowercased()
        .split { !$0.isLetter && $0 != "-" }.map(String.init)
      let strays = Set(words).intersection([
        "pick", "picks", "picked", "picker", "picking", "prompt", "screen", "confirmed", "cancelled",
      ])
      // What it can do without one.
      #expect(
        strays.subtracting(["list", "albums"].contains(command[0]) ? ["screen"] : []).isEmpty, "\(strays)")
    }

    @Test(arguments: [
      ["-beach.jpg"], ["list", "-beach.jpg"], ["list", "-photo.jpg"], ["list", "-0", "-hello", "x"],
      ["list", "--query", "x", "-sh"], ["albums", "-h.jpg"], ["info", "-bh"], ["show", "-ah"],
      ["cache", "clear", "-oh"], ["config", "-hx"], ["run", "-ch", "--", "true"],
    ])
    func `A name that begins with a dash is no request for help`(arguments: [String]) throws {
      let word = try #require(arguments.first { $0.count > 2 && $0.hasPrefix("-") && !$0.hasPrefix("--") })
      let result = try Program.run(arguments)
      #expect(result.status == .exited(64))
      #expect(result.output.isEmpty)
      #expect(
        result.errors.hasPrefix("tpick: unknown option '\(word)'; for a file of that name write ./\(word)\n"))
    }

    @Test(arguments: [
      ["-h"], ["-help"], ["list", "-0h"], ["list", "--query", "-sheep", "-h"], ["cache", "-h"],
    ])
    func `Short options that request help are recognized`(arguments: [String]) throws {
      let result = try Program.run(arguments)
      #expect(result.status == .exited(0))
      #expect(String(decoding: result.output, as: UTF8.self).hasPrefix("OVERVIEW: "))
    }

    @Test func `Parser errors take one line`() throws {
      for arguments in [["list", "-o"], ["list", "-0o"], ["list", "-fo"]] {
        let result = try Program.run(arguments)
        #expect(result.status == .exited(64))
        #expect(!result.errors.contains("\\x0A"))
        #expect(result.errors.split(separator: "\n").count == 2)
      }
    }

    @Test func `Without /proc the arguments come from main`() throws {
      try folder.write(try TestPhoto(width: 8, height: 6).bytes(), to: "a.jpg")
      let bare = ["--dev-bind", "/", "/", "--tmpfs", "/proc", Program.path]
      for (arguments, output) in [
        (["list", folder.path], "\(folder.path)/a.jpg\n"), (["--version"], "0."),
        (["cache", "status"], "thumbnails"),
        (["cache", "clear"], "removed 0 thumbnails"),
      ] {
        let session = try TerminalSession(
          "/usr/bin/env", ["bwrap"] + bare + arguments,
          environment: Program.environment([
            "XDG_CACHE_HOME": "\(folder.path)/cache", "XDG_DATA_HOME": "\(folder.path)/data",
          ]), standardInput: .null)
        let status = try session.waitForExit()
        #expect(status == .exited(0))
        #expect(String(decoding: session.standardOutputBytes, as: UTF8.self).contains(output))
        #expect(session.standardErrorBytes.isEmpty)
      }
    }

    @Test func `Without /proc the picker works`() throws {
      let photos = try Photos.folder(40)
      let session = try TerminalSession(
        "/usr/bin/env",
        ["bwrap", "--dev-bind", "/", "/", "--tmpfs", "/proc", Program.path, photos.path],
        environment: Program.environment([
          "XDG_CACHE_HOME": "\(folder.path)/cache", "XDG_DATA_HOME": "\(folder.path)/data",
          "XDG_STATE_HOME": "\(folder.path)/state",
        ]), owning: [photos])
      try session.waitForGrid(40)
      // libdispatch reads its pool's threads from there once a second, and aborts the process if it can't.
      let start = ContinuousClock.now
      while start.duration(to: .now) < .seconds(3) {
        session.press(.end)
        try session.waitForText("40/40")
        session.press(.home)
        try session.waitForText("1/40")
      }
      session.send("q")
      let status = try session.waitForExit()
      #expect(status == .exited(130))
    }

    @Test(arguments: [
      (["--sort", "nwest"], "--sort: unknown value 'nwest'; did you mean newest? Values are newest, oldest"),
      (
        ["--sort", "x' is invalid for '--limit y"],
        "--sort: unknown value 'x' is invalid for '--limit y'; values are newest"
      ),
      (["-n", "x"], "-n: "), (["completions", "zhs"], "<shell>: unknown value 'zhs'; did you mean zsh?"),
      (["list", "--authorize=denid"], "--authorize: unknown value 'denid'; did you mean denied?"),
      (["list", "--filter", "screnshots"], "unknown filter 'screnshots'; did you mean screenshots?"),
      (["list", "--format", "jsn"], "--format: unknown format 'jsn'; did you mean json?"),
      (["list", "--fields", "camra"], "(is it camera?)"),
      (["albums", "--type", "smrt"], "--type: unknown kind 'smrt'; did you mean smart?"),
      (["--disable", "serch"], "--disable: unknown part 'serch'; did you mean search?"),
      (["list", "--limt", "3"], "unknown option '--limt'; did you mean --limit?"),
      (["--verison"], "unknown option '--verison'; did you mean --version?"),
      (["list", "--theme", "dark"], "unknown option '--theme'; it is one of tpick pick"),
      (["list", "--format", "{dat}"], "unknown field 'dat'; did you mean date?"),
      (["--bind", "a=tggle"], "unknown action 'tggle'; did you mean toggle?"),
      (["help", "list", "list"], "'list' is not a subcommand"),
      (["cache", "cler"], "unknown subcommand 'cler'; did you mean clear?"),
      (["help", "lst"], "unknown subcommand 'lst'; did you mean list?"),
      (["help", "cache", "wram"], "unknown subcommand 'wram'; did you mean warm?"),
    ])
    func `A typo is answered with the intended word`(arguments: [String], words: String) throws {
      let result = try Program.run(arguments)
      #expect(result.status == .exited(64))
      #expect(result.errors.contains(words))
      #expect(result.output.isEmpty)
    }

    @Test func `A missing source may be a misspelled subcommand`() throws {
      let result = try Program.run(["lst"])
      #expect(result.errors.contains("lst: No such file or directory; did you mean the subcommand list?"))
      let late = try Program.run(["list", folder.path, "albums"])
      #expect(
        late.errors.contains("albums: No such file or directory; a subcommand comes before the sources"))
    }

    @Test(arguments: [
      ([], "SUBCOMMANDS:"), (["list"], "USAGE: tpick list "), (["cache"], "warm"),
      (["cache", "warm"], "USAGE: tpick cache warm "), (["pick"], "USAGE: tpick [options]"),
    ])
    func `help explains a subcommand`(words: [String], part: String) throws {
      let result = try Program.run(["help"] + words)
      #expect(result.status == .exited(0))
      #expect(String(decoding: result.output, as: UTF8.self).contains(part))
      #expect(result.errors.isEmpty)
    }

    @Test func `Option values ignore case`() throws {
      try Photos.write(2, to: folder)
      let result = try Program.run(["list", "--sort", "OLDEST", "--version-of=Original", folder.path])
      #expect(result.lines == [2, 1].map { "\(folder.path)/\($0).jpg" })
    }

    @Test func `Options may precede the subcommand`() throws {
      try Photos.write(2, to: folder)
      let result = try Program.run(["--sort", "oldest", "-n1", "--quiet", "list", folder.path])
      #expect(result.lines == ["\(folder.path)/2.jpg"])
      let joined = try Program.run(["-0f", "images", "-n1", "list", folder.path])
      #expect(joined.output == Array("\(folder.path)/1.jpg\0".utf8))
      // The word after an option is its value.
      try folder.write(try folder.bytes(of: "1.jpg"), to: "list/3.jpg")
      let named = try Program.run(["list", "--album", "list", folder.path])
      #expect(named.lines == ["\(folder.path)/list/3.jpg"])
    }

    @Test(arguments: [["__complete"], ["__complete", "photos"], ["__complete", "photos", "tpick "]])
    func `The hidden command of the completions is an ordinary name without their arguments`(
      words: [String]
    ) throws {
      let result = try Program.run(words)
      #expect(result.status == .exited(2))
      #expect(result.errors.contains("__complete: No such file or directory"))
    }

    @Test(arguments: [["cache"], ["config", "one", "two"], ["cache", "clear", "now"], ["access"], ["run"]])
    func `Arguments that a subcommand does not support are a usage error`(words: [String]) throws {
      let result = try Program.run(words)
      #expect(result.status == .exited(64))
      #expect(result.errors.hasPrefix("tpick: "))
      #expect(!result.errors.contains("\\"))
      #expect(result.output.isEmpty)
    }

    @Test(arguments: [["/no/such/folder"], ["list", "/no/such/folder"]])
    func `A missing source is named`(arguments: [String]) throws {
      let result = try Program.run(arguments)
      #expect(result.status == .exited(2))
      #expect(result.errors.contains("/no/such/folder: No such file or directory"))
    }

    @Test func `A single candidate, or none, needs no screen`() throws {
      try Photos.write(2, to: folder)
      let one = try Program.run(["--select-1", "--query", "2.jpg", folder.path])
      #expect(one.status == .exited(0))
      #expect(one.lines == ["\(folder.path)/2.jpg"])
      let none = try Program.run(["--exit-0", "--filter", "videos", folder.path])
      #expect(none.status == .exited(1))
      #expect(none.output.isEmpty)
    }

    @Test func `Broken and unprintable files are no candidates`() throws {
      try Photos.write(1, to: folder)
      try folder.write(Array("no picture".utf8), to: "broken.jpg")
      try folder.write(try TestPhoto(width: 16, height: 12).bytes(), to: "two\nlines.jpg")
      let result = try Program.run(["--select-1", folder.path])
      #expect(result.status == .exited(0))
      #expect(result.lines == ["\(folder.path)/1.jpg"])
    }

    @Test func `list names broken files and other formats, and leaves them out`() throws {
      try Photos.write(1, to: folder)
      try folder.write(Array("no picture".utf8), to: "broken.jpg")
      try folder.write(Array("a letter".utf8), to: "letter.txt")
      let sources = ["1.jpg", "broken.jpg", "letter.txt"].map { "\(folder.path)/\($0)" }
      let result = try Program.run(["list"] + sources)
      #expect(result.status == .exited(0))
      #expect(result.lines == [sources[0]])
      #expect(result.errors.contains("broken.jpg: its content is no picture or video"))
      #expect(result.errors.contains("letter.txt: not a picture or video"))
      // It would name a file that the client may not see.
      let limited = try Program.run(["list", "--authorize", "limited", "--allow", sources[0]] + sources)
      #expect(limited.lines == [sources[0]])
      #expect(limited.errors.isEmpty)
    }

    @Test func `A missing name on standard input is reported, and the others are listed`() throws {
      try Photos.write(1, to: folder)
      let input = "/no/such.jpg\n\(folder.path)/1.jpg\n"
      let result = try Program.run(
        rawArguments: ["list", "-"].map { Array($0.utf8) }, input: .bytes(Array(input.utf8)))
      #expect(result.status == .exited(0))
      #expect(result.lines == ["\(folder.path)/1.jpg"])
      #expect(result.errors == "tpick: /no/such.jpg: No such file or directory\n")
    }

    @Test func `A photo that can't be preselected is named`() throws {
      try Photos.write(1, to: folder)
      let result = try Program.run(["--preselect", "/no/such.jpg", folder.path])
      #expect(result.status == .exited(2))
      #expect(result.errors.contains("--preselect: /no/such.jpg: No such file or directory"))
    }

    @Test func `Without a pictures folder the message says what to do`() throws {
      let result = try Program.run(["list"])
      #expect(result.status == .exited(2))
      #expect(result.errors.contains("tpick --demo"))
    }

    @Test func `Help and version are printed`() throws {
      let help = try Program.run(["--help"])
      #expect(help.status == .exited(0))
      for word in ["--limit", "--filter", "--authorize", "  list "] {
        #expect(String(decoding: help.output, as: UTF8.self).contains(word))
      }
      #expect(try Program.run(["--version"]).lines == ["0.1.0"])
      #expect(try Program.run(["list", "--help"]).status == .exited(0))
    }

    @Test func `list prints the newest first and keeps the spelling of the source`() throws {
      try Photos.write(3, to: folder)
      let result = try Program.run(["list", folder.path + "/"])
      #expect(result.status == .exited(0))
      #expect(result.lines == (1...3).map { "\(folder.path)/\($0).jpg" })
      #expect(try Program.run(["list", "--filter", "videos", folder.path]).status == .exited(1))
      #expect(try Program.run(["list", "--filter", "!VIDEOS", folder.path]).lines.count == 3)
      #expect(
        try Program.run(["list", "--sort", "oldest", folder.path]).lines.first == "\(folder.path)/3.jpg")
    }

    @Test func `Names are printed byte for byte`() throws {
      let photo = try TestPhoto(width: 32, height: 24, date: .day(1)).bytes()
      let names: [[UInt8]] = [
        Array("with space.jpg".utf8), Array("\"quoted\" 'twice'.jpg".utf8), Array("esc\u{1B}[2J.jpg".utf8),
        Array("caf\u{65}\u{301} 写真.jpg".utf8), [0xFF, 0xFE, 0x41] + Array(".jpg".utf8),
      ]
      let broken = Array("two\nlines.jpg".utf8)
      let returning = Array("carriage\rreturn.jpg".utf8)
      for name in names + [broken, returning] { try folder.write(photo, to: name) }
      let sorted = names.sorted { $0.lexicographicallyPrecedes($1) }

      let lines = try Program.run(["list", folder.path])
      #expect(lines.status == .exited(2))
      #expect(lines.output == sorted.flatMap { folder.path(of: $0) + [0x0A] })
      for name in ["two\\x0Alines.jpg", "carriage\\x0Dreturn.jpg"] {
        #expect(lines.errors.contains("\(name): has a line break in its name: use --print0"))
      }

      let separated = try Program.run(["list", "-0", folder.path])
      let all = (names + [broken, returning]).sorted { $0.lexicographicallyPrecedes($1) }
      #expect(separated.output == all.flatMap { folder.path(of: $0) + [0] })

      // A source whose name is not UTF-8 survives the argument parser.
      let single = folder.path(of: names[4])
      let named = try Program.run(rawArguments: [Array("list".utf8), single])
      #expect(named.output == single + [0x0A])

      let fromInput = try Program.run(
        rawArguments: ["list", "-", "--read0", "-0"].map { Array($0.utf8) },
        input: .bytes(folder.path(of: broken) + [0] + single + [0]))
      #expect(
        fromInput.output
          == [single, folder.path(of: broken)].sorted { $0.lexicographicallyPrecedes($1) }
          .flatMap { $0 + [0] })
    }

    @Test func `Results are printed as URIs, JSON, JSON lines and identifiers`() throws {
      var photo = TestPhoto(width: 40, height: 30, orientation: .rightTop, date: .day(2))
      photo.facts.captureTime?.utcOffset = 7200
      try folder.write(try photo.bytes(), to: [0x61, 0xFF] + Array(" ü\n.jpg".utf8))

      let uris = try Program.run(["list", "--format", "uris", folder.path])
      #expect(uris.lines == ["file://\(folder.path)/a%FF%20%C3%BC%0A.jpg"])

      let json = try Program.run(["list", "--format", "json", folder.path])
      #expect(json.status == .exited(0))
      let document = try JSONDecoder().decode(Document.self, from: Data(json.output))
      #expect(document.version == 1)
      let asset = try #require(document.assets.first)
      #expect((asset.pixelWidth, asset.pixelHeight) == (40, 30))
      #expect(asset.creationDate == "2024-05-02T12:00:00+02:00")
      #expect(asset.mediaType == "image")
      #expect(
        asset.pathBytes.flatMap { Data(base64Encoded: $0) }.map(Array.init)
          == folder.path(of: [0x61, 0xFF] + Array(" ü\n.jpg".utf8)))
      #expect(asset.resources.map(\.type) == ["photo"])

      let line = try Program.run(["list", "--format", "jsonl", folder.path])
      #expect(try JSONDecoder().decode(Document.Asset.self, from: Data(line.output)).uri == asset.uri)

      let ids = try Program.run(["list", "--format", "ids", folder.path])
      #expect(ids.lines == [asset.localIdentifier])

      let nothing = try Program.run(["list", "--format", "json", "--filter", "videos", folder.path])
      #expect(nothing.status == .exited(1))
      #expect(try JSONDecoder().decode(Document.self, from: Data(nothing.output)).assets.isEmpty)
      #expect(try Program.run(["list", "--format", "xml", folder.path]).status == .exited(64))
      for format in ["json", "jsonl"] {
        #expect(try Program.run(["list", "--format", format, "-0", folder.path]).status == .exited(64))
      }
    }

    private struct Document: Decodable {
      struct Resource: Decodable {
        var type: String
      }

      struct Asset: Decodable {
        var localIdentifier: String
        var uri: String
        var pathBytes: String?
        var mediaType: String
        var pixelWidth: Int
        var pixelHeight: Int
        var creationDate: String
        var resources: [Resource]
      }

      var version: Int
      var assets: [Asset]
    }

    @Test func `The demo library consists of JPEG files, made once`() throws {
      let cache = try TemporaryFolder()
      let environment = ["XDG_CACHE_HOME": cache.path]
      // Painting takes the unoptimized program of a test run half a minute.
      let result = try Program.run(["list", "--demo"], environment: environment, timeout: 400)
      #expect(result.status == .exited(0))
      #expect(result.lines.count == 18)
      for path in result.lines { #expect(FileFacts.isJPEG(path), "\(path)") }
      // The second time the same files are used.
      #expect(try Program.run(["list", "--demo"], environment: environment).lines == result.lines)
    }
  }
}
