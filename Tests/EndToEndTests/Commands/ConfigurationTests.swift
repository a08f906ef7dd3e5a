import Fixtures
import TestTerminal
import Testing

extension Commands {
  @Suite struct ConfigurationTests {
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func write(_ text: String, to name: String = "config/tpick/config.toml") throws {
      try home.write(Array(text.utf8), to: name)
    }

    private var environment: [String: String] { ["XDG_CONFIG_HOME": "\(home.path)/config"] }

    private func open(
      _ arguments: [String], in folder: TemporaryFolder, environment own: [String: String] = [:]
    ) throws -> TerminalSession {
      let session = try Program.pick(arguments, in: folder, environment: environment.merging(own) { $1 })
      try session.waitForText("3 photos")
      return session
    }

    /// Whether any text on the screen has a color.
    private func hasColors(_ session: TerminalSession) -> Bool {
      (0..<session.virtual.rows).contains { row in
        (0..<session.virtual.columns).contains { column in
          let cell = session.virtual.cell(row: row, column: column)
          return cell.text != " " && cell.foreground != .default
        }
      }
    }

    @Test func `Keys, symbols and sort order come from the file, and the command line wins`() throws {
      try write(
        """
        symbols = "ascii"
        sort = "oldest"
        grid.size = "tiny"
        [keys]
        toggle = "x"
        """)
      let folder = try Photos.folder(3)
      let session = try open(["--limit", "0"], in: folder)
      try session.waitUntil("the cursor") { $0.text.contains("+--") && $0.text.contains(" 3.jpg") }
      #expect(!session.virtual.text.contains("─"))
      session.send("x")
      try session.waitForText("1 picked")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/3.jpg"])
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(
        errors.hasPrefix("tpick: \(home.path)/config/tpick/config.toml: grid.size: expected small, medium"))

      let other = try open(["--sort", "newest"], in: folder)
      try other.waitUntil("the cursor") { $0.text.contains("+--") && $0.text.contains(" 1.jpg") }
      other.send("q")
      try other.expectExit(.exited(130))

      let plain = try open(["--no-config"], in: folder)
      try plain.waitForCursor(on: "1.jpg")
      plain.send("q")
      try plain.expectExit(.exited(130))
      #expect(plain.standardErrorBytes.isEmpty)
    }

    @Test func `NO_COLOR overrides a theme`() throws {
      try write("theme = 'high-contrast'")
      let folder = try Photos.folder(3)
      for (environment, expected) in [([:], true), (["NO_COLOR": "1"], false)] {
        let session = try open([], in: folder, environment: environment)
        try session.waitForCursor(on: "1.jpg")
        #expect(hasColors(session) == expected)
        session.send("q")
        try session.expectExit(.exited(130))
      }
    }

    @Test func `Printed settings can be used as the configuration`() throws {
      try write("theme = 'light'\nsort = 'name'\n[keys]\ntoggle = ['x', 'space']\n")
      let first = try Program.run(["config"], environment: environment)
      #expect(first.status == .exited(0))
      #expect(first.errors.isEmpty)
      #expect(first.lines.first == "# \(home.path)/config/tpick/config.toml")
      #expect(first.lines.contains("toggle = [\"x\", \"space\"]"))
      try home.write(first.output, to: "copy.toml")
      let second = try Program.run(
        ["config", "--config", "\(home.path)/copy.toml"], environment: environment)
      #expect(second.errors.isEmpty)
      #expect(second.lines.dropFirst() == first.lines.dropFirst())
      let none = try Program.run(["config", "--no-config"], environment: environment)
      #expect(none.lines.first == "# defaults: no configuration was read")
      #expect(none.lines.contains("theme = \"auto\""))
    }

    @Test func `A configuration can be checked`() throws {
      #expect(try Program.run(["config", "--check"], environment: environment).status == .exited(0))
      try write("sort = 'name'\n")
      let well = try Program.run(["config", "--check"], environment: environment)
      #expect(well.status == .exited(0))
      #expect(well.output.isEmpty && well.errors.isEmpty)
      try write("sort = 'nmae'\nthme = 'dark'\n")
      let wrong = try Program.run(["config", "--check"], environment: environment)
      #expect(wrong.status == .exited(2))
      #expect(wrong.output.isEmpty)
      #expect(wrong.errors.contains("sort: expected newest, oldest"))
      #expect(wrong.errors.contains("thme: unknown key; did you mean theme?"))
      #expect(try Program.run(["config", "--check", "--default"]).status == .exited(64))
    }

    @Test func `The initial configuration file has no effect`() throws {
      let standard = try Program.run(["config", "--default"])
      #expect(standard.status == .exited(0))
      try write(String(decoding: standard.output, as: UTF8.self))
      #expect(try Program.run(["config", "--check"], environment: environment).status == .exited(0))
      let all = try Program.run(["config"], environment: environment)
      let none = try Program.run(["config", "--no-config"], environment: environment)
      #expect(all.lines.dropFirst() == none.lines.dropFirst())
    }

    @Test func `Without a source those of the configuration are opened`() throws {
      let photos = try Photos.folder(2)
      try home.write(try photos.bytes(of: "1.jpg"), to: "own/a.jpg")
      try write("sources = ['~/own', '\(photos.path)']\n")
      let environment = environment.merging(["HOME": home.path]) { $1 }
      let list = try Program.run(["list", "--sort", "name"], environment: environment)
      #expect(list.lines == ["\(photos.path)/1.jpg", "\(photos.path)/2.jpg", "\(home.path)/own/a.jpg"])
      let albums = try Program.run(["albums", "--type", "folders"], environment: environment)
      #expect(albums.lines.count == 2)
      let named = try Program.run(["list", "\(home.path)/own"], environment: environment)
      #expect(named.lines == ["\(home.path)/own/a.jpg"])
      let session = try Program.pick([], environment: environment)
      try session.waitForText("3 photos")
      session.send("q")
      try session.expectExit(.exited(130))
      let none = try Program.run(["list", "--no-config"], environment: environment)
      #expect(none.errors.contains("\(home.path)/Pictures: no such folder"))
    }

    @Test func `Graphics, mode and cell size come from the file, and the command line wins`() throws {
      try write("graphics = 'ascii'\nmode = 'compact'\ntheme = 'dark'\n")
      let folder = try Photos.folder(3)
      let session = try open([], in: folder)
      try session.waitForText("1.jpg")
      #expect(session.virtual.pictures.isEmpty)
      #expect(!session.virtual.text.contains("Albums"))
      session.send("q")
      try session.expectExit(.exited(130))
      let other = try open(["--graphics", "sixel", "--mode", "default"], in: folder)
      try other.waitForGrid(3)
      other.send("q")
      try other.expectExit(.exited(130))
      try write("graphics = 'sixel'\ncell-size = '7x14'\n")
      let show = { (arguments: [String]) in
        try Program.run(
          ["show", "--size", "10x4"] + arguments + ["\(folder.path)/1.jpg"], environment: self.environment
        ).output
      }
      #expect(try show([]) == show(["--no-config", "--graphics", "sixel", "--cell-size", "7x14"]))
      #expect(try show([]) != show(["--cell-size", "10x20"]))
    }

    @Test func `A theme on the command line overrides the file's`() throws {
      try write("theme = 'high-contrast'")
      let folder = try Photos.folder(3)
      for (arguments, expected) in [([], true), (["--theme", "monochrome"], false)] {
        let session = try open(arguments, in: folder)
        try session.waitForCursor(on: "1.jpg")
        #expect(hasColors(session) == expected)
        session.send("q")
        try session.expectExit(.exited(130))
      }
      let wrong = try Program.run(["--theme", "drak"])
      #expect(wrong.status == .exited(64))
      #expect(wrong.errors.contains("--theme: unknown value 'drak'; did you mean dark?"))
    }

    @Test func `The options of the environment precede those of the command line`() throws {
      let folder = try Photos.folder(3)
      let options = ["TPICK_DEFAULT_OPTS": "--sort 'oldest' --limit 0"]
      let session = try Program.pick([], in: folder, environment: options)
      try session.waitForCursor(on: "3.jpg")
      session.press(.space)
      session.press(.right)
      session.press(.space)
      try session.waitForText("2 picked")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/3.jpg", "\(folder.path)/2.jpg"])
      let one = try Program.run(
        ["--select-1", "--query", "2.jpg", folder.path],
        environment: ["TPICK_DEFAULT_OPTS": "--query 3.jpg --print0"])
      #expect(one.output == Array("\(folder.path)/2.jpg\0".utf8))
      // Other commands are called by scripts.
      #expect(
        try Program.run(["list", folder.path], environment: ["TPICK_DEFAULT_OPTS": "--frobnicate"]).lines
          .count == 3)
      let open = try Program.run([folder.path], environment: ["TPICK_DEFAULT_OPTS": "--sort 'name"])
      #expect(open.status == .exited(64))
      #expect(open.errors.contains("TPICK_DEFAULT_OPTS: a quote is not closed"))
    }

    @Test(arguments: [
      ("--limit 3 --", "-- is not allowed"), ("--sort", "Missing value for '--sort"),
      ("--bell photos", "'photos' is not an option"), ("--frob", "nknown option '--frob'"),
      ("--help", "--help and --version"),
      ("--sort nwest", "--sort: unknown value 'nwest'; did you mean newest?"), ("'", "a quote is not closed"),
    ])
    func `Environment options that can't be combined are reported`(options: String, message: String) throws {
      let folder = try Photos.folder(1)
      let environment = ["TPICK_DEFAULT_OPTS": options]
      let result = try Program.run(["--select-1", folder.path], environment: environment)
      #expect(result.status == .exited(64))
      #expect(result.errors.hasPrefix("tpick: TPICK_DEFAULT_OPTS: "))
      #expect(result.errors.contains(message))
      #expect(!result.errors.contains("\\x0A"))
      // A request for help is always answered.
      for word in ["--help", "-h", "--version"] {
        #expect(try Program.run([word], environment: environment).status == .exited(0))
      }
    }

    @Test func `A command in the environment's options ends with these options`() throws {
      let folder = try Photos.folder(1)
      let result = try Program.run(
        ["--select-1", folder.path], environment: ["TPICK_DEFAULT_OPTS": "--exec echo 'a b'"])
      #expect(result.lines == ["a b \(folder.path)/1.jpg"])
    }

    @Test func `Errors are reported, and invalid TOML with its position`() throws {
      try write("bell = true\nbell = \n")
      let broken = try Program.run(["config"], environment: environment)
      #expect(broken.status == .exited(0))
      #expect(broken.errors.hasPrefix("tpick: \(home.path)/config/tpick/config.toml: line 2, column "))
      #expect(broken.lines.contains("bell = false"))
      let missing = try Program.run(["config", "--config", "\(home.path)/none"], environment: environment)
      #expect(missing.status == .exited(2))
      let both = try Program.run(["config", "--config", "x", "--no-config"])
      #expect(both.status == .exited(64))
      #expect(both.errors.contains("tpick config --help"))
    }
  }
}
