package import AssetLibrary

/// The symbols that the picker draws with, by meaning.
///
/// Symbols documented as one cell wide must be so in every set, because the layout depends on it.
package struct Symbols: Hashable, Sendable {
  package var grid = Grid()
  package var badges = Badges()
  package var albums = Albums()
  package var menus = Menus()
  package var lines = Lines()
  /// The frame of a picked tile without a picture.
  package var pickLines = Lines.heavy
  package var keys = Keys()
  /// Replacements for typographic characters in text, of the same width; empty = none.
  package var typography: [String: String] = [:]

  /// Whether all text is limited to ASCII because the terminal supports nothing else.
  package var isLimitedToASCII = false

  package init() {}

  package static let unicode = Symbols()

  /// Symbols and text for a terminal whose locale has only ASCII characters.
  package static let limitedToASCII: Symbols = {
    var symbols = Symbols.ascii
    symbols.isLimitedToASCII = true
    return symbols
  }()

  /// The replacement of a character of text, of the same width.
  func shown(_ piece: DisplayText.Piece) -> String {
    let text = typography[piece.text] ?? piece.text
    guard isLimitedToASCII, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return String(repeating: "?", count: piece.width)
  }

  /// The mark of a pick by its number, "[1]" and so on.
  package func mark(_ number: Int) -> String { "[\(number)]" }
}

extension Symbols {
  /// Symbols of the grid, one cell each unless noted.
  package struct Grid: Hashable, Sendable {
    package var cursorLeft = "▌"
    package var cursorRight = "▐"
    /// Before the name at the cursor if it is not picked.
    package var unpicked = "○"
    /// Before the picked name if the limit is 1.
    package var picked = "●"
    package var noPicture = "▢"
    package var broken = "✕"
    package var scrollBar = "┃"
    /// The horizontal scroll bar of the compact mode, and the progress bar.
    package var position = "━"
    /// Drawn instead of a picture that is still loading.
    package var loading = "⋯"
  }

  /// Badges of assets, one cell each unless they are words.
  package struct Badges: Hashable, Sendable {
    package var lineBreak = "⏎"
    /// For photos that are shown but can't be picked.
    package var unfit = "⊘"
    package var video = "▶"
    package var livePhoto = "◉"
    package var animation = "↻"
    package var burst = "❐"
    package var panorama = "↔"
    package var favorite = "♥"
    package var edited = "✎"
    package var cloud = "☁"
    package var raw = "RAW"
    package var hdr = "HDR"
  }

  /// Symbols of the sidebar, one cell each.
  package struct Albums: Hashable, Sendable {
    package var icons: [SmartAlbum: String] = [
      .recents: "●", .favorites: "♥", .videos: "▶", .selfies: "☺", .livePhotos: "◉", .portrait: "◐",
      .panoramas: "↔", .timelapse: "◔", .slomo: "◌", .bursts: "❐", .screenshots: "▭",
      .screenRecordings: "▣", .animated: "↻", .raw: "◇", .recentlyAdded: "✚", .hidden: "⊘",
      .recentlyDeleted: "✗",
    ]
    package var collapsed = "▸"
    package var expanded = "▾"
  }

  /// Symbols of menus, chips and prompts, one cell each.
  package struct Menus: Hashable, Sendable {
    package var checked = "✓"
    package var excluded = "−"
    package var remove = "✕"
    package var caret = "▏"
    package var star = "★"

    /// Bars of one to eight eighths of a cell's height, each one cell.
    package var bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  }

  /// Rules and borders, one cell each.
  package struct Lines: Hashable, Sendable {
    package var horizontal = "─"
    package var vertical = "│"
    package var branchDown = "┬"
    package var branchUp = "┴"
    package var topLeft = "╭"
    package var topRight = "╮"
    package var bottomLeft = "╰"
    package var bottomRight = "╯"
    static let heavy: Lines = {
      var lines = Lines()
      (lines.horizontal, lines.vertical) = ("━", "┃")
      (lines.topLeft, lines.topRight, lines.bottomLeft, lines.bottomRight) = ("┏", "┓", "┗", "┛")
      return lines
    }()
  }

  /// Labels of keys.
  package struct Keys: Hashable, Sendable {
    package var up = "↑"
    package var down = "↓"
    package var left = "←"
    package var right = "→"
    package var enter = "Enter"
    package var backTab = "Shift-Tab"
    package var backspace = "Backspace"
  }
}

extension Symbols {
  /// Symbols for any terminal and font.
  package static let ascii: Symbols = {
    var symbols = Symbols()
    (symbols.grid.cursorLeft, symbols.grid.cursorRight) = ("[", "]")
    (symbols.grid.unpicked, symbols.grid.picked) = ("o", "*")
    (symbols.grid.noPicture, symbols.grid.broken, symbols.grid.scrollBar, symbols.grid.loading) = (
      "#", "x", "#", "..."
    )
    (symbols.badges.lineBreak, symbols.badges.video, symbols.badges.livePhoto, symbols.badges.animation) = (
      "$", ">", "@", "~"
    )
    symbols.badges.unfit = "!"
    (symbols.badges.burst, symbols.badges.panorama, symbols.badges.favorite, symbols.badges.edited) = (
      "&", "=", "+", "e"
    )
    (symbols.badges.cloud, symbols.grid.position) = ("c", "=")
    symbols.albums.icons = [
      .recents: "*", .favorites: "+", .videos: ">", .selfies: "o", .livePhotos: "@", .portrait: "%",
      .panoramas: "=", .timelapse: "t", .slomo: "s", .bursts: "&", .screenshots: "#",
      .screenRecordings: "r", .animated: "~", .raw: "d", .recentlyAdded: "n", .hidden: "-",
      .recentlyDeleted: "x",
    ]
    (symbols.albums.collapsed, symbols.albums.expanded) = (">", "v")
    symbols.menus.bars = [".", ".", ":", ":", "|", "|", "#", "#"]
    (symbols.menus.checked, symbols.menus.excluded, symbols.menus.remove) = ("x", "-", "x")
    (symbols.menus.caret, symbols.menus.star) = ("_", "*")
    (symbols.lines.horizontal, symbols.lines.vertical, symbols.lines.branchDown, symbols.lines.branchUp) = (
      "-", "|", "+", "+"
    )
    (symbols.lines.topLeft, symbols.lines.topRight) = ("+", "+")
    (symbols.pickLines.horizontal, symbols.pickLines.vertical) = ("#", "#")
    (symbols.pickLines.topLeft, symbols.pickLines.topRight) = ("#", "#")
    (symbols.pickLines.bottomLeft, symbols.pickLines.bottomRight) = ("#", "#")
    (symbols.lines.bottomLeft, symbols.lines.bottomRight) = ("+", "+")
    (symbols.keys.up, symbols.keys.down, symbols.keys.left, symbols.keys.right) = (
      "Up", "Down", "Left", "Right"
    )
    symbols.typography = [
      "…": "~", "≈": "~", "·": "-", "×": "x", "–": "-", "“": "\"", "”": "\"", "’": "'", "→": ">", "▾": "v",
      "−": "-",
    ]
    return symbols
  }()
}

/// The available sets of symbols.
package enum SymbolSet: String, CaseIterable, Hashable, Sendable {
  /// Symbols that most fonts have.
  case unicode
  /// Icons of Nerd Fonts.
  case nerd
  case ascii

  package var symbols: Symbols {
    switch self {
    case .unicode: .unicode
    case .nerd: .nerd
    case .ascii: .ascii
    }
  }
}

extension Symbols {
  /// Symbols in the private use area of Nerd Fonts: Font Awesome's icons at U+F000 to U+F2E0, whose code
  /// points are the same in all versions of these fonts.
  package static let nerd: Symbols = {
    var symbols = Symbols()
    (symbols.grid.noPicture, symbols.badges.video, symbols.badges.livePhoto) = (
      "\u{F03E}", "\u{F03D}", "\u{F192}"
    )
    (symbols.badges.animation, symbols.badges.burst, symbols.badges.panorama) = (
      "\u{F021}", "\u{F24D}", "\u{F07E}"
    )
    (symbols.badges.favorite, symbols.badges.edited, symbols.badges.cloud) = (
      "\u{F004}", "\u{F040}", "\u{F0C2}"
    )
    (symbols.grid.broken, symbols.menus.star) = ("\u{F127}", "\u{F005}")
    (symbols.menus.checked, symbols.menus.excluded, symbols.menus.remove) = (
      "\u{F00C}", "\u{F068}", "\u{F00D}"
    )
    (symbols.albums.collapsed, symbols.albums.expanded) = ("\u{F105}", "\u{F107}")
    symbols.albums.icons = [
      .recents: "\u{F030}", .favorites: "\u{F004}", .videos: "\u{F03D}", .selfies: "\u{F007}",
      .livePhotos: "\u{F192}", .portrait: "\u{F042}", .panoramas: "\u{F07E}", .timelapse: "\u{F017}",
      .slomo: "\u{F254}", .bursts: "\u{F24D}", .screenshots: "\u{F108}", .screenRecordings: "\u{F008}",
      .animated: "\u{F021}", .raw: "\u{F1B2}", .recentlyAdded: "\u{F067}", .hidden: "\u{F070}",
      .recentlyDeleted: "\u{F1F8}",
    ]
    return symbols
  }()
}
