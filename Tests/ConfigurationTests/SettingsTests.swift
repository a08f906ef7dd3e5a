import AssetLibrary
import PickerUI
import TerminalGraphics
import Testing

@testable import Configuration

@Suite struct SettingsTests {
  @Test(arguments: [
    "", "theme = 'light'\nsymbols = 'nerd'\nsort = 'size'\nbell = true",
    "captions = 'auto'\ngrid.size = 7\npanes = { albums = false, preview = false }\ncache.memory = 1048577",
    "sources = ['~/Pictures', '/mnt/\\u00e4']\ngraphics = 'ascii'\nmode = 'compact'\ncell-size = '9x18'\nunconfined-decoding = true",
    "sources = '/a'", "player = 'mpv --title=\"a b\" {}'",
    "sixel.encoder = 'libsixel'", "sixel.encoder = 'own'",
    "[colors]\nplain = ''\naccent = 'bold no-reverse #0a0b0c on default'\nscroll-bar = '200'",
    "[keys]\ntoggle = ['f', '\"', '\\']\ndown = 'down'\njump = 'J'\nhelp = []\npage-up = ['1', 'ctrl-u']",
  ])
  func `Printed settings are read back unchanged`(text: String) {
    let reader = SettingsReader(Array(text.utf8))
    let again = SettingsReader(Array(reader.settings.toml.utf8))
    #expect(again.problems.isEmpty)
    #expect(again.settings == reader.settings)
  }

  @Test(
    arguments: [
      (.auto, nil), (.kitty, .kitty), (.iterm, .iterm), (.sixel, .sixel), (.blocks, .blocks),
      (.ascii, .blocks), (.none, GraphicsProtocol.none),
    ] as [(GraphicsMode, GraphicsProtocol?)])
  func `A word chooses the graphics protocol, and ASCII means blocks of other characters`(
    mode: GraphicsMode, graphics: GraphicsProtocol?
  ) {
    #expect(mode.graphics == graphics && mode.isASCII == (mode == .ascii))
  }

  @Test func `The defaults are printed with every key`() {
    let text = Settings().toml
    #expect(
      text.hasPrefix(
        "sources = []\ntheme = \"auto\"\nsymbols = \"unicode\"\ngraphics = \"auto\"\ncell-size = \"auto\"\nmode = \"default\"\n"
      ))
    #expect(
      text.contains(
        "\nsort = \"newest\"\nbell = false\nplayer = \"auto\"\nplay-in-grid = false\nscrub-in-grid = false\nfavorites = \"library\"\nread-only = false\ncaptions = \"by-name\"\n"
      ))
    #expect(text.contains("\nunconfined-decoding = false\n\n[grid]"))
    #expect(text.contains("\n[grid]\nsize = \"medium\"\n\n[panes]\nalbums = true\npreview = \"auto\"\n"))
    #expect(text.contains("\n[cache]\nmemory = \"56MiB\"\n"))
    #expect(text.contains("\n[sixel]\nencoder = \"auto\"\n"))
    #expect(text.contains("\n# accent = \"cyan\"\n"))
    #expect(text.contains("\ntoggle = \"space\"\n"))
    #expect(text.contains("\nleft = [\"left\", \"h\"]\n"))
    for command in Command.allCases { #expect(text.contains("\n\(command.name) = ")) }
    for style in StyleName.allCases { #expect(text.contains("\n# \(style.rawValue) = ")) }
  }

  @Test func `The initial file has no effect until its lines are uncommented`() {
    let text = Settings().commentedTOML
    let asItIs = SettingsReader(Array(text.utf8))
    #expect(asItIs.problems.isEmpty)
    #expect(asItIs.settings == Settings())
    #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("#") || $0.hasPrefix("[") })
    #expect(
      text.split(separator: "\n").allSatisfy { $0.count <= 120 || $0.hasPrefix("#") && !$0.hasPrefix("# ") })
    // A description has a blank after its comment sign, a setting has none.
    let counting = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") ? line.dropFirst() : line
    }
    let everyLine = SettingsReader(Array(counting.joined(separator: "\n").utf8))
    #expect(everyLine.problems.isEmpty)
    var expected = Settings()
    for style in StyleName.allCases {
      expected.theme.changes[style] = Theme(.dark).looks[style] ?? ThemeLook()
    }
    #expect(everyLine.settings.theme.name == expected.theme.name)
    #expect(everyLine.settings.bindings == expected.bindings)
    #expect(everyLine.settings.toml.contains("sources = []\n"))
    for key in counting where key.contains(" = ") && !key.hasPrefix("#") {
      #expect(Settings().commentedTOML.contains("\n#\(key)\n"))
    }
  }

  @Test func `Every setting of the initial file is described`() {
    let lines = Settings().commentedTOML.split(separator: "\n", omittingEmptySubsequences: false)
    var table = ""
    for (before, line) in zip(lines, lines.dropFirst()) {
      if line.hasPrefix("[") { table = String(line) }
      guard line.hasPrefix("#"), !line.hasPrefix("# "), !["[colors]", "[keys]"].contains(table) else {
        continue
      }
      #expect(before.hasPrefix("# ") && before.hasSuffix("."), "\(line)")
    }
  }

  @Test(arguments: [
    (56 << 20, 32 << 20, 24 << 20), (1 << 20, 599_184, 449_392), (4 << 30, 2_454_267_024, 1_840_700_272),
  ])
  func `Memory is shared between encoded and decoded pictures`(memory: Int, encoded: Int, decoded: Int) {
    var settings = Settings()
    #expect(settings.cacheMemory == 56 << 20)
    settings.cacheMemory = memory
    #expect(settings.encodedMemory == encoded)
    #expect(settings.decodedMemory == decoded)
  }

  @Test func `The picker gets its own settings`() {
    let reader = SettingsReader(
      Array(
        "symbols = 'ascii'\nsort = 'name'\nbell = true\ngrid.size = 3\npanes = {albums = false, preview = true}"
          .utf8))
    var options = PickerState.Options()
    reader.settings.apply(to: &options)
    #expect(options.symbols == .ascii)
    #expect(options.configuration.sort == .name)
    #expect(options.ringsBell)
    #expect(options.screen.gridSize == .columns(3))
    #expect(!options.screen.showsAlbums)
    #expect(options.screen.showsPreview == true)
  }

  @Test(arguments: [
    ("1GiB", 1 << 30), ("64 mib", 64 << 20), ("1536KiB", 1536 << 10), ("2MB", 2_000_000), ("12", 12),
    ("1.5MiB", 1536 << 10), ("64M", 64_000_000),
  ])
  func `Sizes are read with binary and decimal units`(text: String, bytes: Int) {
    #expect(ByteSize.bytes(of: text) == bytes)
    #expect(ByteSize.bytes(of: MeasureText.text(ofExactBytes: bytes)) == bytes)
    #expect(MeasureText.text(ofExactBytes: 0) == "0B")
  }

  @Test(arguments: [
    "", "MiB", "-1MiB", "0.3B", "1 MiB B", "99999999999999999999", "9223372036854775807GiB",
  ])
  func `An invalid size is rejected`(text: String) {
    #expect(ByteSize.bytes(of: text) == nil)
  }
}
