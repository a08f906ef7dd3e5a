import AssetLibrary
import PickerUI
import TerminalGraphics
import Testing

@testable import Configuration

@Suite struct SettingsReaderTests {
  private func read(_ text: String) -> (settings: Settings, problems: [String]) {
    let reader = SettingsReader(Array(text.utf8))
    return (reader.settings, reader.problems.map(\.description))
  }

  private static func settings(_ change: (inout Settings) -> Void) -> Settings {
    var settings = Settings()
    change(&settings)
    return settings
  }

  @Test(
    arguments: [
      ("", Settings()),
      ("# nothing but words", Settings()),
      ("theme = 'auto'", Settings()),
      ("theme = \"light\"", settings { $0.theme.name = .light }),
      ("theme = 'high-contrast'", settings { $0.theme.name = .highContrast }),
      ("theme = 'Monochrome'", settings { $0.theme.name = .monochrome }),
      ("sixel.encoder = 'libsixel'", settings { $0.sixelEncoder = .libsixel }),
      ("[sixel]\nencoder = 'own'", settings { $0.sixelEncoder = .own }),
      ("sixel.encoder = 'auto'", settings { _ in }),
      ("symbols = 'ascii'", settings { $0.symbols = .ascii }),
      ("symbols = 'nerd'", settings { $0.symbols = .nerd }),
      ("sort = 'added'", settings { $0.sort = .added }),
      ("player = 'mpv --no-config'", settings { $0.player = "mpv --no-config" }),
      ("player = 'auto'", settings { _ in }),
      ("bell = true", settings { $0.ringsBell = true }),
      ("unconfined-decoding = true", settings { $0.allowsUnconfinedDecoding = true }),
      ("grid.size = 'extra-large'", settings { $0.screen.gridSize = .extraLarge }),
      ("[grid]\nsize = 5", settings { $0.screen.gridSize = .columns(5) }),
      ("panes.albums = false", settings { $0.screen.showsAlbums = false }),
      ("panes = { preview = true }", settings { $0.screen.showsPreview = true }),
      ("panes.preview = 'auto'", Settings()),
      ("cache.memory = '128MiB'", settings { $0.cacheMemory = 128 << 20 }),
      ("cache.memory = '100 MB'", settings { $0.cacheMemory = 100_000_000 }),
      ("cache.memory = 1048576", settings { $0.cacheMemory = 1 << 20 }),
      ("cache.memory = '4GiB'", settings { $0.cacheMemory = 4 << 30 }),
      ("cache.originals = 0", settings { $0.originalsLimit = 0 }),
      ("cache.picked = 30", settings { $0.pickedDays = 30 }),
      ("cache.picked = 'forever'", settings { _ in }),
      ("servers.requests = 4", settings { $0.requestsPerSecond = 4 }),
      ("cache.originals = '1024 GiB'", settings { $0.originalsLimit = 1 << 40 }),
      ("colors.rule = 'blue'", settings { $0.theme.changes = [.rule: ThemeLook(.indexed(4))] }),
      (
        "[colors]\nday-header = 'bold #ff8000 on black'",
        settings {
          $0.theme.changes = [
            .dayHeader: ThemeLook(.rgb(red: 255, green: 128, blue: 0), on: .indexed(0), [.bold: true])
          ]
        }
      ),
      (
        "keys.toggle = 'x'",
        settings { $0.bindings = .standard.changed([.toggle: [.character("x")]]) }
      ),
      (
        "[keys]\npage-up = ['ctrl-u', 'page-up']\nhelp = []",
        settings { $0.bindings = .standard.changed([.pageUp: [.control("u"), .pageUp], .help: []]) }
      ),
      ("keys = 'fzf'", settings { $0.bindings = KeyPreset.fzf.bindings }),
      ("keys = 'standard'", Settings()),
      (
        "[keys]\npreset = 'vim'\ntoggle = 'y'",
        settings { $0.bindings = KeyPreset.vim.bindings.changed([.toggle: [.character("y")]]) }
      ),
    ])
  func `Every setting has its effect`(text: String, settings: Settings) {
    let result = read(text)
    #expect(result.problems.isEmpty)
    #expect(result.settings == settings)
  }

  @Test(arguments: ["keys = 'emacs'", "[keys]\npreset = 'emacs'"])
  func `An unknown preset is reported with the known ones`(text: String) {
    let result = read(text)
    #expect(result.settings == Settings())
    #expect(result.problems.count == 1)
    #expect(result.problems.allSatisfy { "\($0)".contains("standard, fzf or vim") }, "\(result.problems)")
  }

  @Test(arguments: Command.allCases)
  func `Every command can be bound to another key`(command: Command) {
    let result = read("keys.\(command.name) = ['ä', 'delete']")
    #expect(result.problems.isEmpty)
    #expect(result.settings.bindings.keys(for: command) == [.character("ä"), .delete])
    #expect(result.settings.bindings.command(for: .delete, isPlaying: command.isForPlayback) == command)
  }

  @Test(arguments: [
    (
      "grid.size = 'huge'",
      "grid.size: expected small, medium, large, extra-large or a number of columns up to 24, not 'huge'"
    ),
    (
      "grid.size = 0",
      "grid.size: expected small, medium, large, extra-large or a number of columns up to 24, not 0"
    ),
    ("grid = 3", "grid: expected a table, not 3"),
    ("theme = 'pink'", "theme: expected auto, dark, light, high-contrast or monochrome, not 'pink'"),
    ("sixel.encoder = 'chafa'", "sixel.encoder: expected auto, own or libsixel, not 'chafa'"),
    ("symbols = ['ascii']", "symbols: expected unicode, nerd or ascii, not a list"),
    ("sort = 1.5", "sort: expected newest, oldest, name, size or added, not a floating-point number"),
    ("player = ['mpv']", "player: expected auto or a command such as \"mpv --no-config\", not a list"),
    ("player = ''", "player: no command is named"),
    ("player = 'mpv \"x'", "player: a quote is not closed"),
    ("bell = 'yes'", "bell: expected true or false, not 'yes'"),
    ("panes.albums = 2024-05-01", "panes.albums: expected true or false, not a date"),
    ("panes.preview = 'on'", "panes.preview: expected true, false or \"auto\", not 'on'"),
    ("cache.memory = '64 pages'", "cache.memory: expected a size from 1MiB to 4GiB, not '64 pages'"),
    (
      "cache.memory = '99999999999GiB'",
      "cache.memory: expected a size from 1MiB to 4GiB, not '99999999999GiB'"
    ),
    ("cache.memory = -1", "cache.memory: expected a size from 1MiB to 4GiB, not -1"),
    ("cache.memory = 1048575", "cache.memory: expected a size from 1MiB to 4GiB, not 1048575"),
    ("cache.memory = 4294967297", "cache.memory: expected a size from 1MiB to 4GiB, not 4294967297"),
    (
      "cache.picked = -1",
      "cache.picked: expected forever or a number of days, not -1"
    ),
    (
      "servers.requests = 0",
      "servers.requests: expected a number from 1 to 1000, not 0"
    ),
    (
      "cache.originals = -1",
      "cache.originals: expected a size from 0B to 1024GiB, such as \"4GiB\", not -1"
    ),
    (
      "cache.originals = 1099511627777",
      "cache.originals: expected a size from 0B to 1024GiB, such as \"4GiB\", not 1099511627777"
    ),
    (
      "theme = { name = 'dark' }",
      "theme: expected auto, dark, light, high-contrast or monochrome, not a table"
    ),
    ("colors.rule = 4", "colors.rule: expected a style such as \"bold cyan\" or \"#ff8000 on black\", not 4"),
    (
      "keys.toggle = 'ctrl-i'",
      "keys.toggle: expected a character, ctrl- and a letter, ctrl-space, alt- and a character, f1 to f12, or a name such as page-up, not 'ctrl-i'"
    ),
    (
      "keys.toggle = true",
      "keys.toggle: expected a character, ctrl- and a letter, ctrl-space, alt- and a character, f1 to f12, or a name such as page-up, not true"
    ),
    (
      "tehme = 'dark'",
      "tehme: unknown key; did you mean theme? Known keys are actions, bell, cache, captions, cell-size, colors, favorites, graphics, grid, keys, mode, panes, play-in-grid, player, read-only, scrub-in-grid, servers, sixel, sort, sources, symbols, theme, unconfined-decoding"
    ),
    ("panes.sidebar = true", "panes.sidebar: unknown key; known keys are albums, preview"),
    (
      "panes.album = true", "panes.album: unknown key; did you mean albums? Known keys are albums, preview"
    ),
  ])
  func `An invalid value is reported by its path, and changes nothing`(text: String, words: String) {
    let result = read(text)
    #expect(result.problems == [words])
    #expect(result.settings == Settings())
  }

  @Test(arguments: [
    ("blau", "blau"), ("bold on", "on"), ("red blue", "blue"), ("on red on blue", "on"), ("256", "256"),
    ("#12345", "#12345"), ("no-red", "no-red"), ("#+12345", "#+12345"),
  ])
  func `An invalid look names the missing word`(text: String, word: String) {
    let result = read("colors.accent = '\(text)'")
    #expect(result.problems.count == 1)
    #expect(result.problems.first?.hasPrefix("colors.accent: '\(word)' is neither a color (") == true)
  }

  @Test func `Every error is reported, and the rest applies`() {
    let result = read(
      """
      theme = "dark"
      grid.size = "huge"
      symbols = "ascii"
      color = "red"
      [keys]
      dance = "d"
      toggle = ["x", "ctrl-1"]
      """)
    #expect(
      result.problems.map { $0.prefix { $0 != ":" } } == ["color", "grid.size", "keys.dance", "keys.toggle"])
    #expect(result.settings.theme.name == .dark)
    #expect(result.settings.symbols == .ascii)
    #expect(result.settings.bindings.keys(for: .toggle) == [.character("x")])
  }

  @Test(arguments: [
    ("bell = \n", 1, 8), ("a = 1\nb = 'x\n", 2, 7), ("[grid\nsize = 3", 1, 6),
    ("bell = true\nbell = true", 2, 8), ("bell = true\r\nsort=?\r\nbell = ?", 2, 6), ("'ü' = 1 x", 1, 9),
    ("bell = true\n\nü\u{0}", 3, 2),
  ])
  func `A TOML syntax error is reported with line and column, and the defaults apply without changes`(
    text: String, line: Int, column: Int
  ) {
    let result = read(text)
    #expect(result.problems.count == 1)
    #expect(result.problems.first?.hasPrefix("line \(line), column \(column): ") == true)
    var settings = Settings()
    settings.isReadOnly = true
    #expect(result.settings == settings)
  }

  @Test(arguments: [
    "read-only = 'true'", "read-only = 1", "readonly = true", "read_only = true", "read-only",
  ])
  func `What may be meant to forbid changes forbids them`(text: String) {
    let reader = SettingsReader(Array("bell = true\n\(text)".utf8))
    #expect(reader.settings.isReadOnly && reader.problems.count == 1)
    #expect(reader.readOnlyProblem == reader.problems.first)
    let other = SettingsReader(Array("bell = 1\ntehme = 'dark'\nread-only = false".utf8))
    #expect(!other.settings.isReadOnly && other.problems.count == 2 && other.readOnlyProblem == nil)
  }

  @Test func `Invalid UTF-8 is reported with line and column`() {
    let reader = SettingsReader(Array("bell = true\n# ü".utf8) + [0xFF])
    #expect(reader.problems == [.syntax(line: 2, column: 4, "not UTF-8")])
  }

  @Test func `Dots in comments are ignored`() {
    for indent in ["", "  "] {
      let result = read(indent + "# \(Self.dots)\n# \(Self.dots)\nbell = true")
      #expect(result.problems.isEmpty)
      #expect(result.settings.ringsBell)
    }
  }

  /// More than are allowed between keys.
  private static let dots = String(repeating: ".", count: 1100)

  @Test(arguments: [
    #"a = "…""#, "a = '…'", #"a = "\"…""#, #"a = '\' # …"#, #"a = """…""""#, "a = '''…'''",
    "a = \"\"\"\nx \"y\" 'z'\n…\"\"\"", "a = '''\n…'''", "a = '''x''…'''", ##"a = """x"""#…"##,
    "a = '''x'''#…",
    ##"a = """x""""#…"##, "a = '''x'''''\nb = '…'",
  ])
  func `Dots in strings are ignored, however the string ends`(text: String) throws {
    let text = text.split(separator: "…", omittingEmptySubsequences: false).joined(separator: Self.dots)
    #expect(try !TOMLNode.document(Array(text.utf8)).isEmpty)
  }

  @Test(arguments: [
    "a = 'x'\n", "a = \"x\"\n", "a = \"\"\"x\"\"\"\n", "a = '''x'''''\n", "a = \"\\\\\"\n", "a = 'x\n",
  ])
  func `Dots after a string count again`(text: String) {
    let key = "b" + String(repeating: ".b", count: 1100) + " = 1"
    #expect(throws: SettingsProblem.syntax(line: 2, column: 2002, "too many dots")) {
      try TOMLNode.document(Array((text + key).utf8))
    }
  }

  @Test func `Hostile documents are rejected`() {
    let deep = "a = " + String(repeating: "[", count: 100_000)
    #expect(read(deep).problems.count == 1)
    #expect(
      read("[" + String(repeating: "a.", count: 50_000) + "a]").problems
        == ["line 1, column 2003: too many dots"])
    // The maximum depth: lists of tables with keys of many parts.
    let table = "[{" + String(repeating: "a.", count: 8) + "a="
    #expect(read("a = " + String(repeating: table, count: 120)).problems.count == 1)
    #expect(read("[grid." + String(repeating: "a.", count: 998) + "a]").problems.count == 1)
    var settings = read("\"\\u0000\" = 1").settings
    settings.isReadOnly = false
    #expect(settings == Settings())
  }
}
