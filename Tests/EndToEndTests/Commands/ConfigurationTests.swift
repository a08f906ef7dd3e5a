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

    /// Whether any text on the screen has a colour of its own.
    private func hasColors(_ session: TerminalSession) -> Bool {
      (0..<session.virtual.rows).contains { row in
        (0..<session.virtual.columns).contains { column in
          let cell = session.virtual.cell(row: row, column: column)
          return cell.text != " " && cell.foreground != .default
        }
      }
    }

    @Test func `Keys, signs and order come from the file, and the command line wins`() throws {
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
      try session.waitForText("1 selected")
      session.press(.enter)
      #expect(try session.waitForExit() == .exited(0))
      #expect(session.outputLines == ["\(folder.path)/3.jpg"])
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(
        errors.hasPrefix("tpick: \(home.path)/config/tpick/config.toml: grid.size: expected small, medium"))

      let other = try open(["--sort", "newest"], in: folder)
      try other.waitUntil("the cursor") { $0.text.contains("+--") && $0.text.contains(" 1.jpg") }
      other.send("q")
      #expect(try other.waitForExit() == .exited(130))

      let plain = try open(["--no-config"], in: folder)
      try plain.waitForCursor(on: "1.jpg")
      plain.send("q")
      #expect(try plain.waitForExit() == .exited(130))
      #expect(plain.standardErrorBytes.isEmpty)
    }

    @Test func `NO_COLOR wins over a theme`() throws {
      try write("theme = 'high-contrast'")
      let folder = try Photos.folder(3)
      for (environment, expected) in [([:], true), (["NO_COLOR": "1"], false)] {
        let session = try open([], in: folder, environment: environment)
        try session.waitForCursor(on: "1.jpg")
        #expect(hasColors(session) == expected)
        session.send("q")
        #expect(try session.waitForExit() == .exited(130))
      }
    }

    @Test func `What is printed can be kept as the configuration`() throws {
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
      #expect(none.lines.first == "# the defaults: no configuration is read")
      #expect(none.lines.contains("theme = \"auto\""))
    }

    @Test func `What is wrong is told, and what is no TOML has a place`() throws {
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
