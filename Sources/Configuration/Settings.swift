package import AssetLibrary
package import PickerUI
package import Pixels
import System
package import TerminalGraphics

/// The values of all settings in the configuration.
package struct Settings: Hashable, Sendable {
  package var bindings = KeyBindings.standard
  /// Actions of single keys, including programs; they override `bindings`.
  package var actions: [BoundAction] = []
  package var theme = ThemeChoice()
  package var symbols = SymbolSet.unicode
  package var graphics = GraphicsMode.auto
  /// The size of a character cell in pixels; nil = as the terminal reports.
  package var cellSize: PixelSize?
  package var mode = PickerConfiguration.Mode.default
  /// The default sources: paths, with `~/` for the home folder.
  package var sources: [String] = []
  package var screen = ScreenPreferences()
  package var sort = AssetSort.newest
  /// Whether warnings and the end of long work ring the bell.
  package var ringsBell = false
  /// The command line of the player for videos; nil = the first known one that is installed.
  package var player: String?
  /// Where favorites are kept.
  package var favorites = FavoriteStorage.library
  /// Whether the library must never be changed: neither marks, albums nor the trash.
  package var isReadOnly = false
  /// Whether files are decoded even if the kernel can't confine the decoding programs.
  package var allowsUnconfinedDecoding = false
  /// The sixel encoder; nil = chosen by the number of the terminal's color registers.
  package var sixelEncoder: SixelEncoderKind?
  /// The size in bytes of the memory caches of encoded and decoded pictures together.
  var cacheMemory = 56 << 20
  /// The size limit of downloaded originals in bytes.
  package var originalsLimit = 4 << 30
  /// The number of days that a picked original is kept after its last use, regardless of other limits; nil = forever.
  package var pickedDays: Int?
  /// The maximum number of requests per second to a server.
  package var requestsPerSecond = 50

  package init() {}

  /// The size in bytes of the cache of encoded pictures, by default 32 MiB.
  ///
  /// It is the larger part, because encoded pictures can be shown without any work.
  package var encodedMemory: Int { cacheMemory / 7 * 4 }

  /// The size in bytes of the cache of decoded pictures, by default 24 MiB.
  package var decodedMemory: Int { cacheMemory - encodedMemory }

  /// Applies what the user changed of the screen with keys.
  package mutating func apply(_ changes: ScreenChanges) {
    if let size = changes.gridSize { screen.gridSize = size }
    if let isOn = changes.showsPreview { screen.showsPreview = isOn }
    if let columns = changes.albumColumns { screen.albumColumns = columns }
    if let columns = changes.neededAlbumColumns { screen.neededAlbumColumns = columns }
    if let share = changes.previewShare { screen.previewShare = share }
    if let sort = changes.sort { self.sort = sort }
    if let name = changes.reportedFallback { screen.reportedFallback = name }
    if let searches = changes.recentSearches { screen.recentSearches = searches }
  }

  /// Applies the settings of the picker to its options.
  package func apply(to options: inout PickerState.Options) {
    options.bindings = bindings
    options.symbols = symbols.symbols
    options.screen = screen
    options.configuration.sort = sort
    options.configuration.mode = mode
    options.ringsBell = ringsBell
    options.isReadOnly = isReadOnly
  }
}

/// Where favorites are kept.
package enum FavoriteStorage: String, CaseIterable, Hashable, Sendable {
  /// In tpick's own library file.
  case library
  /// As five stars in XMP sidecars beside the photos.
  case sidecar
}

/// How pictures are drawn, as given on the command line or in the configuration.
package enum GraphicsMode: String, CaseIterable, Hashable, Sendable {
  case auto, kitty, iterm, sixel, blocks, ascii, none

  /// The graphics protocol; nil = the best one that the terminal supports.
  package var graphics: GraphicsProtocol? { isASCII ? .blocks : GraphicsProtocol(rawValue: rawValue) }

  /// Whether blocks are drawn as ASCII characters.
  package var isASCII: Bool { self == .ascii }
}

extension Settings {
  /// All settings as a TOML document (toml.io, 1.0.0), which reads back as the same settings.
  ///
  /// Styles that the user did not change are written as comments.
  package var toml: String {
    document { entry, isFirst in
      (isFirst && !entry.table.isEmpty ? ["", "[\(entry.table)]"] : [])
        + [entry.isFallback ? "# \(entry.line)" : entry.line]
    }
  }

  /// All settings as comments with a description of each, as a template.
  package var commentedTOML: String {
    let opening = """
      # The configuration of tpick with its defaults. Remove the # before a setting to change it.
      # tpick config --check reports problems.

      """
    return opening
      + document { entry, isFirst in
        var lines: [String] = []
        if isFirst, !entry.table.isEmpty {
          lines += ["", "[\(entry.table)]"] + (Self.tables[entry.table] ?? []).map { "# \($0)" }
        }
        if let purpose = entry.purpose { lines += ["", "# \(purpose)"] }
        return lines + ["#\(entry.line)"]
      }
      + (actions.isEmpty ? "\n[actions]\n" + (Self.tables["actions"] ?? []).map { "# \($0)\n" }.joined() : "")
  }

  private func document(_ lines: (SettingEntry, _ isFirst: Bool) -> [String]) -> String {
    var table = ""
    var all: [String] = []
    for entry in entries {
      all += lines(entry, entry.table != table)
      table = entry.table
    }
    return all.joined(separator: "\n") + "\n"
  }

  /// Descriptions of tables whose settings need none of their own.
  private static let tables = [
    "colors": [
      "Changes to the theme: attributes, a color, and a background after \"on\": \"bold white on #005f87\".",
      "The values below are those of the dark theme.",
    ],
    "keys": ["A key, or a list of keys, for each command; [] for none. ? shows them in the picker."],
    "actions": ["Actions of single keys, as for --bind: alt-e = \"execute(gimp {+})\"."],
  ]

  private var entries: [SettingEntry] {
    generalEntries + screenEntries
      + StyleName.allCases.map { style in
        if let change = theme.changes[style] {
          return SettingEntry("colors", style.rawValue, TOMLText.quoted(change.text))
        }
        let look = Theme(theme.name ?? .dark).looks[style]?.text ?? ""
        return SettingEntry("colors", style.rawValue, TOMLText.quoted(look), isFallback: true)
      } + Command.allCases.map { SettingEntry("keys", $0.name, keysText($0)) }
      + actions.map { SettingEntry("actions", TOMLText.quoted($0.key.name), TOMLText.quoted($0.action.text)) }
  }

  private var generalEntries: [SettingEntry] {
    [
      SettingEntry(
        "", "sources", "[\(sources.map(TOMLText.quoted).joined(separator: ", "))]",
        "The folders to open if none is named; if empty, the pictures folder."),
      SettingEntry(
        "", "theme", TOMLText.quoted(theme.name?.rawValue ?? "auto"),
        "auto (by the terminal's background), dark, light, high-contrast or monochrome."),
      SettingEntry(
        "", "symbols", TOMLText.quoted(symbols.rawValue), "unicode, nerd (a Nerd Font's) or ascii."),
      SettingEntry(
        "", "graphics", TOMLText.quoted(graphics.rawValue),
        "auto (what the terminal can do), kitty, iterm, sixel, blocks, ascii or none."),
      SettingEntry(
        "", "cell-size", TOMLText.quoted(cellSize.map { "\($0.width)x\($0.height)" } ?? "auto"),
        "The size of a character cell in pixels, such as 10x20; auto: as the terminal reports."),
      SettingEntry("", "mode", TOMLText.quoted(mode.rawValue), "default, or compact: one row of thumbnails."),
      SettingEntry("", "sort", TOMLText.quoted(sort.rawValue), "newest, oldest, name, size or added."),
      SettingEntry("", "bell", "\(ringsBell)", "Whether the bell rings at the limit and after long work."),
      SettingEntry(
        "", "player", TOMLText.quoted(player ?? "auto"),
        "The player of videos with sound: a command such as \"mpv --no-config\"; auto: mpv, else ffplay."),
      SettingEntry(
        "", "play-in-grid", "\(screen.playsInGrid)",
        "Whether the video or animation under the cursor plays in its thumbnail."),
      SettingEntry(
        "", "scrub-in-grid", "\(screen.scrubsInGrid)",
        "Whether the mouse over the thumbnail of a video or animation shows ten stills of it."),
      SettingEntry(
        "", "favorites", TOMLText.quoted(favorites.rawValue),
        "library (tpick keeps them), or sidecar (five stars in XMP files beside the photos, for other programs)."
      ),
      SettingEntry(
        "", "read-only", "\(isReadOnly)",
        "Whether keys and commands are kept from changing marks, albums and the trash."),
      SettingEntry(
        "", "captions", TOMLText.quoted(screen.captions.rawValue),
        "Names below thumbnails: by-name (if photos are sorted by name), never, always, or auto (if there is room)."
      ),
      SettingEntry(
        "", "unconfined-decoding", "\(allowsUnconfinedDecoding)",
        "Whether files are decoded even if the kernel can't confine the decoding programs."),
    ]
  }

  private var screenEntries: [SettingEntry] {
    [
      SettingEntry(
        "grid", "size", screen.gridSize.toml,
        "The size of thumbnails: small, medium, large, extra-large, or a number of columns."),
      SettingEntry("panes", "albums", "\(screen.showsAlbums)", "Whether albums are shown beside the grid."),
      SettingEntry(
        "panes", "preview", screen.showsPreview.map(String.init) ?? TOMLText.quoted("auto"),
        "Whether the preview is shown beside the grid: true, false, or auto (if there is room)."),
      SettingEntry(
        "sixel", "encoder", TOMLText.quoted(sixelEncoder?.rawValue ?? "auto"),
        "auto (libsixel on terminals with few colors), own or libsixel."),
      SettingEntry(
        "cache", "memory", TOMLText.quoted(MeasureText.text(ofExactBytes: cacheMemory)),
        "The size of the picture caches in memory, from 1MiB to 4GiB."),
      SettingEntry(
        "cache", "originals", TOMLText.quoted(MeasureText.text(ofExactBytes: originalsLimit)),
        "The size limit of originals downloaded from servers; picked ones don't count."),
      SettingEntry(
        "cache", "picked", pickedDays.map(String.init) ?? TOMLText.quoted("forever"),
        "How many days picked originals are kept after their last use: a number, or forever."),
      SettingEntry(
        "servers", "requests", "\(requestsPerSecond)",
        "The maximum number of requests per second to a server, from 1 to 1000."),
    ]
  }

  private func keysText(_ command: Command) -> String {
    let keys = bindings.keys(for: command).map { TOMLText.quoted($0.name) }
    return keys.count == 1 ? keys[0] : "[\(keys.joined(separator: ", "))]"
  }

}
