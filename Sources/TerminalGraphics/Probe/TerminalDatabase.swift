import Pixels

/// A table of known terminals, by name and version.
///
/// `Docs/Terminals.md` lists the tested terminals; the other lines were not checked in the terminals: `tpick show
/// --probe` prints what to compare.
enum TerminalDatabase {
  /// The quirks of a terminal in a range of versions.
  struct Entry: Sendable {
    let name: String
    var from: TerminalName.Version?
    var before: TerminalName.Version?
    let quirks: TerminalQuirks

    init(
      _ name: String, from: String? = nil, before: String? = nil, inlineImages: Bool = false,
      placeholders: Bool = false, colors: TerminalQuirks.Colors = .claimed, passthrough: Bool = false,
      unusable: Set<GraphicsProtocol> = [],
      preference: [GraphicsProtocol]? = nil, longestSequence: Int? = nil, mostPictures: Int? = nil,
      fillsSixels: Bool = false,
      savedCursors: Int = 2, mouse: Bool = true, _ note: String? = nil
    ) {
      self.name = name
      self.from = from.map(TerminalName.Version.init)
      self.before = before.map(TerminalName.Version.init)
      var quirks = TerminalQuirks()
      quirks.hasInlineImages = inlineImages
      quirks.hasPlaceholders = placeholders
      quirks.colors = colors
      quirks.needsPassthrough = passthrough
      quirks.unusable = unusable
      if let preference { quirks.preference = preference }
      quirks.longestSequence = longestSequence
      quirks.mostPictures = mostPictures
      quirks.fillsSixels = fillsSixels
      quirks.hasCursorOfEachScreen = savedCursors > 1
      quirks.hasUsableMouse = mouse
      quirks.note = note
      self.quirks = quirks
    }

    func describes(_ terminal: TerminalName) -> Bool {
      guard terminal.name == name else { return false }
      if let from, terminal.version < from { return false }
      if let before, terminal.version >= before { return false }
      return true
    }
  }

  /// By the name that the terminal reports; the first match counts.
  static let entries: [Entry] = [
    Entry("kitty", before: "0.20", unusable: [.kitty], "before 0.20 pictures always move the cursor"),
    Entry("kitty", before: "0.28", "placeholders from 0.28"),
    Entry("kitty", placeholders: true),
    Entry("ghostty", placeholders: true),
    Entry(
      "iterm2", inlineImages: true, preference: [.iterm, .sixel, .kitty],
      "its own inline images; from 3.6 on it confirms kitty's protocol too"),
    Entry(
      "wezterm", inlineImages: true, preference: [.iterm, .sixel, .kitty],
      "inline images are complete, kitty's protocol only partly"),
    Entry("mintty", inlineImages: true, preference: [.iterm, .sixel]),
    Entry("rio", inlineImages: true),
    Entry("konsole", before: "22.04", unusable: [.kitty, .iterm], "no pictures before 22.04"),
    Entry("konsole", preference: [.kitty, .sixel]),
    Entry("xterm", preference: [.sixel]),
    Entry("mlterm", preference: [.sixel]),
    Entry("foot", preference: [.sixel]),
    Entry("contour", preference: [.sixel]),
    Entry("vte", preference: [.sixel], "sixels only where VTE was built with them"),
    Entry("xterm.js", preference: [.sixel], "pictures only with terminal.integrated.enableImages"),
    Entry(
      "libvterm", colors: .described, unusable: pictures, savedCursors: 1,
      "the terminal of Vim and Neovim draws no pictures, and has the colors of the editor"),
    // Its version has two digits for each number: 0.45.0 is 4500. grid.rs of 0.31 to 0.44 answers DA1 with sixels
    // whatever terminal is attached.
    Entry("zellij", before: "4500", unusable: [.sixel], "before 0.45 it claims sixels in any terminal"),
    Entry("rxvt-unicode", unusable: pictures, "draws no pictures"),
    Entry(
      "tmux", before: "3.2", passthrough: true, unusable: [.sixel], longestSequence: 1 << 20,
      "sixels from 3.4; anything else needs allow-passthrough"),
    Entry(
      "tmux", before: "3.4", colors: .all, passthrough: true, unusable: [.sixel], longestSequence: 1 << 20,
      "sixels from 3.4; anything else needs allow-passthrough"),
    // image.c of 3.4 to 3.6a frees the oldest picture of the server when the tenth is stored, from 3.6b on when the
    // twentieth is. Before 3.6, image-sixel.c enlarges pictures to whole cells and does not pass on P2.
    Entry(
      "tmux", before: "3.6", colors: .all, passthrough: true, longestSequence: 1 << 20, mostPictures: 9,
      fillsSixels: true,
      "keeps 9 sixels, drops sequences over 1 MB; anything but sixels needs allow-passthrough"),
    Entry(
      "tmux", before: "3.6b", colors: .all, passthrough: true, longestSequence: 1 << 20, mostPictures: 9,
      "keeps 9 sixels, drops sequences over 1 MB; anything but sixels needs allow-passthrough"),
    Entry(
      "tmux", colors: .all, passthrough: true, longestSequence: 1 << 20, mostPictures: 19,
      "keeps 19 sixels, drops sequences over 1 MB; anything but sixels needs allow-passthrough"),
    Entry(
      "screen", before: "5", colors: .described, unusable: pictures, mouse: false,
      "does not pass on pictures or 24-bit colors; with mouse reports it holds back Esc"),
    Entry(
      "screen", unusable: pictures, mouse: false,
      "does not pass on pictures; with mouse reports it holds back Esc"),
  ]

  private static let pictures: Set<GraphicsProtocol> = [.kitty, .iterm, .sixel]

  /// By TERM_PROGRAM in lower case, or the multiplexer found in the environment, if no name was reported.
  static let hints: [Entry] = [
    Entry(
      "tmux", passthrough: true, unusable: [.sixel], longestSequence: 1 << 20,
      "tmux before 3.2 does not report its version"),
    Entry(
      "screen", colors: .described, unusable: pictures, mouse: false,
      "does not pass on pictures; 24-bit colors from version 5"),
    Entry("apple_terminal", unusable: pictures, "draws no pictures"),
    Entry("vscode", preference: [.sixel], "pictures only with terminal.integrated.enableImages"),
  ]

  /// A terminal with a TERM of its own, which understands or swallows every query.
  struct TerminalType: Sendable {
    /// The values of TERM, which may be followed by a hyphen and more.
    let names: [String]
    /// The protocols that are worth a query.
    let graphics: Set<GraphicsProtocol>
  }

  /// By TERM: here all queries are sent at once, which saves one round trip.
  static let types: [TerminalType] = [
    TerminalType(names: ["xterm-kitty", "xterm-ghostty", "ghostty"], graphics: [.kitty]),
    TerminalType(names: ["wezterm", "rio"], graphics: [.kitty, .sixel]),
    TerminalType(names: ["foot", "mlterm", "contour", "mintty"], graphics: [.sixel]),
    TerminalType(names: ["alacritty"], graphics: []),
    TerminalType(names: ["tmux", "screen"], graphics: [.sixel]),
  ]

  /// Returns the size of the largest sixel that the terminal around tmux draws; nil if no limit is known.
  ///
  /// xterm cuts larger ones unless its resource `maxGraphicSize` allows more; tmux does not tell.
  static func largestSixel(in client: TmuxClient) -> PixelSize? {
    TerminalName(client.name).name == "xterm" ? PixelSize(width: 1000, height: 1000) : nil
  }

  /// Returns the name and version of a terminal that reports them only by number, in DA2; nil for any other.
  static func name(bySecondaryAttributes numbers: [Int]) -> String? {
    guard numbers.count >= 2 else { return nil }
    return switch (numbers[0], numbers[1]) {
    case (0, 100): "libvterm"
    case (83, let version): "screen(\(version / 10000).\(version / 100 % 100).\(version % 100))"
    case (85, let version): "rxvt-unicode(\(version / 10).\(version % 10))"
    default: nil
    }
  }
}

extension TerminalQuirks {
  /// Looks up a terminal by the name that it reported; without a name, by hints from the environment, which may
  /// remove capabilities but never add any.
  package init(of name: TerminalName?, in environment: TerminalEnvironment) {
    if let name {
      self = TerminalDatabase.entries.first { $0.describes(name) }?.quirks ?? TerminalQuirks()
      return
    }
    let hint = environment.multiplexer?.rawValue ?? environment.variables["TERM_PROGRAM"]?.lowercased()
    self = TerminalDatabase.hints.first { $0.name == hint }?.quirks ?? TerminalQuirks()
  }
}

/// What is known of a terminal beyond its answers.
package struct TerminalQuirks: Hashable, Sendable {
  /// Which colors of text a terminal has.
  package enum Colors: Hashable, Sendable {
    /// Those that it claims by terminfo, COLORTERM or an answer; with a name at least 256.
    case claimed
    /// 24-bit colors, which it shows as the nearest ones in a terminal with fewer.
    case all
    /// Only those that terminfo describes: COLORTERM was inherited from another terminal.
    case described
  }

  /// Draws iTerm2's inline images, which cannot be queried.
  var hasInlineImages = false
  /// Draws kitty pictures at their placeholder characters.
  var hasPlaceholders = false
  /// The colors of text.
  var colors = Colors.claimed
  /// Passes on sequences that are wrapped for it, if configured to.
  var needsPassthrough = false
  /// Protocols that the terminal may confirm but that do not work.
  package var unusable: Set<GraphicsProtocol> = []
  /// The usable protocols, best first.
  var preference: [GraphicsProtocol] = [.kitty, .iterm, .sixel]
  /// A sequence must have fewer bytes than this.
  package var longestSequence: Int?
  /// The most pictures that it keeps before it removes the oldest ones; nil if no limit is known.
  package var mostPictures: Int?
  /// Whether pixels of the cells of a sixel picture that it leaves unset get the color of its register 0.
  var fillsSixels = false
  /// Whether the main and the alternate screen each have a saved cursor (DECSC); with a single one, saving the
  /// cursor on the alternate screen loses its position on the main screen.
  package var hasCursorOfEachScreen = true
  /// Whether mouse reports do no harm: screen 4.9 holds back Esc until the next key while they are on.
  package var hasUsableMouse = true
  /// The reason, for reports.
  package var note: String?

  package init() {}
}

/// A terminal's name and version as it reports them (XTVERSION).
package struct TerminalName: Hashable, Sendable {
  /// A version as numbers; missing ones count as 0.
  package struct Version: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let numbers: [Int]

    /// Parses "0.26.5", "20230712-072601-f4abf8fd" up to its first hyphen, and "3.3a", whose letter counts as one
    /// more number.
    package init(_ text: some StringProtocol) {
      var numbers: [Int] = []
      for part in text.prefix(while: { $0 != "-" && $0 != "+" && $0 != " " }).split(separator: ".").prefix(4)
      {
        let digits = part.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { break }
        numbers.append(number)
        if let letter = part.dropFirst(digits.count).first {
          if let value = letter.asciiValue, letter.isLowercase { numbers.append(Int(value) - 96) }
          break
        }
      }
      while numbers.last == 0 { numbers.removeLast() }
      self.numbers = numbers
    }

    package static func < (a: Version, b: Version) -> Bool {
      a.numbers.lexicographicallyPrecedes(b.numbers)
    }

    package var description: String { numbers.map(String.init).joined(separator: ".") }
  }

  /// In lower case.
  package let name: String
  package let version: Version

  /// Parses "kitty(0.26.5)" and "tmux 3.3a".
  package init(_ text: some StringProtocol) {
    let name = text.prefix { $0 != "(" && $0 != " " }
    self.name = name.lowercased()
    // tmux calls itself "next-3.8" before a release, and "openbsd-7.7" in OpenBSD, whose numbers are higher.
    let version = text.dropFirst(name.count + 1)
    let branch = version.prefix { $0.isASCII && $0.isLetter }
    let isBranch = !branch.isEmpty && version.dropFirst(branch.count).first == "-"
    self.version = Version(isBranch ? version.dropFirst(branch.count + 1) : version)
  }
}
