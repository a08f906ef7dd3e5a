package import AssetLibrary

/// The signs that the picker draws with, each with a meaning of its own.
///
/// A set of symbols replaces them all at once. Every sign fills as many cells as its counterpart in the other
/// sets where it stands in a fixed place; those of one cell are marked so.
package struct Symbols: Hashable, Sendable {
  // The grid. One cell each.
  package var cursorLeft = "▌"
  package var cursorRight = "▐"
  /// In front of the name under the cursor where it is not picked.
  package var unpicked = "○"
  /// The choice where there can be only one.
  package var picked = "●"
  /// What stands for the picks in their order, as far as there are signs for it.
  package var numbers = (0..<20).map { String(Character(Unicode.Scalar(0x2460 + UInt32($0)) ?? "?")) }
  package var noPicture = "▢"
  package var broken = "✕"
  package var scrollBar = "┃"
  /// What the scroll bar is to a row of thumbnails, in the rule over it.
  package var position = "━"
  /// Three cells.
  package var loading = "···"

  // Badges. One cell each, unless they are words.
  package var lineBreak = "⏎"
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

  // Albums. One cell each.
  package var albums: [SmartAlbum: String] = [
    .recents: "●", .favorites: "♥", .videos: "▶", .selfies: "☺", .livePhotos: "◉", .portrait: "◐",
    .panoramas: "↔", .timelapse: "◔", .slomo: "◌", .bursts: "❐", .screenshots: "▭",
    .screenRecordings: "▣", .animated: "↻", .raw: "◇", .recentlyAdded: "✚", .hidden: "⊘",
  ]
  package var folded = "▸"
  package var unfolded = "▾"

  // Menus and chips. One cell each.
  package var checked = "✓"
  package var excluded = "−"
  package var remove = "✕"
  package var caret = "▏"
  package var star = "★"

  /// Bars of one to eight eighths of a cell's height, each one cell.
  package var bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  // Rules and borders. One cell each.
  package var horizontal = "─"
  package var vertical = "│"
  package var branchDown = "┬"
  package var branchUp = "┴"
  package var cornerTopLeft = "╭"
  package var cornerTopRight = "╮"
  package var cornerBottomLeft = "╰"
  package var cornerBottomRight = "╯"

  // Keys.
  package var up = "↑"
  package var down = "↓"
  package var left = "←"
  package var right = "→"
  package var enter = "⏎"
  package var backTab = "⇧Tab"
  package var backspace = "⌫"

  /// What signs within phrases become, cell for cell; empty = they stay.
  package var typography: [String: String] = [:]

  package init() {}

  package static let unicode = Symbols()

  /// Signs that every terminal and every font has.
  package static let ascii: Symbols = {
    var symbols = Symbols()
    (symbols.cursorLeft, symbols.cursorRight) = ("[", "]")
    (symbols.unpicked, symbols.picked, symbols.numbers) = ("o", "*", (1...9).map(String.init))
    (symbols.noPicture, symbols.broken, symbols.scrollBar, symbols.loading) = ("#", "x", "#", "...")
    (symbols.lineBreak, symbols.video, symbols.livePhoto, symbols.animation) = ("$", ">", "@", "~")
    (symbols.burst, symbols.panorama, symbols.favorite, symbols.edited) = ("&", "=", "+", "e")
    (symbols.cloud, symbols.position) = ("c", "=")
    symbols.albums = [
      .recents: "*", .favorites: "+", .videos: ">", .selfies: "o", .livePhotos: "@", .portrait: "%",
      .panoramas: "=", .timelapse: "t", .slomo: "s", .bursts: "&", .screenshots: "#",
      .screenRecordings: "r", .animated: "~", .raw: "d", .recentlyAdded: "n", .hidden: "-",
    ]
    (symbols.folded, symbols.unfolded) = (">", "v")
    symbols.bars = [".", ".", ":", ":", "|", "|", "#", "#"]
    (symbols.checked, symbols.excluded, symbols.remove) = ("x", "-", "x")
    (symbols.caret, symbols.star) = ("_", "*")
    (symbols.horizontal, symbols.vertical, symbols.branchDown, symbols.branchUp) = ("-", "|", "+", "+")
    (symbols.cornerTopLeft, symbols.cornerTopRight) = ("+", "+")
    (symbols.cornerBottomLeft, symbols.cornerBottomRight) = ("+", "+")
    (symbols.up, symbols.down, symbols.left, symbols.right) = ("Up", "Down", "Left", "Right")
    (symbols.enter, symbols.backTab, symbols.backspace) = ("Enter", "S-Tab", "Bksp")
    symbols.typography = [
      "…": "~", "·": "-", "×": "x", "–": "-", "“": "\"", "”": "\"", "’": "'", "→": ">", "▾": "v", "−": "-",
    ]
    return symbols
  }()

  /// ①–⑳, then (21).
  package func mark(_ number: Int) -> String {
    numbers.indices.contains(number - 1) ? numbers[number - 1] : "(\(number))"
  }
}
