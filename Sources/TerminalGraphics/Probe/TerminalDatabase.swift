/// A table of known terminals, by name and version.
///
/// kitty 0.26, xterm 379, mlterm 3.9 and tmux 3.3 were tested (`Docs/Terminals.md`); the other lines were not
/// checked in the terminals: `tpick show --probe` prints what to compare.
enum TerminalDatabase {
  /// The quirks of a terminal in a range of versions.
  struct Entry: Sendable {
    let name: String
    var from: TerminalName.Version?
    var before: TerminalName.Version?
    let quirks: TerminalQuirks

    init(
      _ name: String, from: String? = nil, before: String? = nil, inlineImages: Bool = false,
      placeholders: Bool = false, trueColor: Bool = false, passthrough: Bool = false,
      unusable: Set<GraphicsProtocol> = [],
      preference: [GraphicsProtocol]? = nil, longestSequence: Int? = nil, _ note: String? = nil
    ) {
      self.name = name
      self.from = from.map(TerminalName.Version.init)
      self.before = before.map(TerminalName.Version.init)
      var quirks = TerminalQuirks()
      quirks.hasInlineImages = inlineImages
      quirks.hasPlaceholders = placeholders
      quirks.hasTrueColor = trueColor
      quirks.needsPassthrough = passthrough
      quirks.unusable = unusable
      if let preference { quirks.preference = preference }
      quirks.longestSequence = longestSequence
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
    Entry("iterm2", inlineImages: true),
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
      "tmux", before: "3.2", passthrough: true, unusable: [.sixel], longestSequence: 1 << 20,
      "sixels from 3.4; anything else needs allow-passthrough"),
    Entry(
      "tmux", before: "3.4", trueColor: true, passthrough: true, unusable: [.sixel], longestSequence: 1 << 20,
      "sixels from 3.4; anything else needs allow-passthrough"),
    Entry(
      "tmux", trueColor: true, passthrough: true, longestSequence: 1 << 20,
      "drops sequences over 1 MB; anything but sixels needs allow-passthrough"),
    Entry("screen", unusable: [.kitty, .iterm, .sixel], "does not pass on pictures"),
  ]

  /// By TERM_PROGRAM in lower case, or the multiplexer found in the environment, if no name was reported.
  static let hints: [Entry] = [
    Entry(
      "tmux", passthrough: true, unusable: [.sixel], longestSequence: 1 << 20,
      "tmux before 3.2 does not report its version"),
    Entry("screen", unusable: [.kitty, .iterm, .sixel], "does not pass on pictures"),
    Entry("apple_terminal", unusable: [.kitty, .iterm, .sixel], "draws no pictures"),
    Entry("vscode", preference: [.sixel], "pictures only with terminal.integrated.enableImages"),
  ]
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
  /// Draws iTerm2's inline images, which cannot be queried.
  var hasInlineImages = false
  /// Draws kitty pictures at their placeholder characters.
  var hasPlaceholders = false
  /// Accepts 24-bit text colors, and shows the nearest ones in a terminal with fewer.
  var hasTrueColor = false
  /// Passes on sequences that are wrapped for it, if configured to.
  var needsPassthrough = false
  /// Protocols that the terminal may confirm but that do not work.
  package var unusable: Set<GraphicsProtocol> = []
  /// The usable protocols, best first.
  var preference: [GraphicsProtocol] = [.kitty, .iterm, .sixel]
  /// A sequence must have fewer bytes than this.
  package var longestSequence: Int?
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
    // Development builds of tmux are called "next-3.8".
    let (version, next) = (text.dropFirst(name.count + 1), "next-")
    self.version = Version(version.hasPrefix(next) ? version.dropFirst(next.count) : version)
  }
}
