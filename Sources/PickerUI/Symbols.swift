public import AssetLibrary

/// The signs that the picker draws with, each with a meaning of its own.
///
/// A set of symbols replaces them all at once. Every sign fills as many cells as its counterpart in the other
/// sets where it stands in a fixed place; those of one cell are marked so.
public struct Symbols: Hashable, Sendable {
  // The grid. One cell each.
  public var cursorLeft = "▌"
  public var cursorRight = "▐"
  /// In front of the name under the cursor where it is not picked.
  public var unpicked = "○"
  /// The choice where there can be only one.
  public var picked = "●"
  /// What stands for the picks in their order, as far as there are signs for it.
  public var numbers = (0..<20).map { String(Character(Unicode.Scalar(0x2460 + UInt32($0)) ?? "?")) }
  public var noPicture = "▢"
  public var broken = "✕"
  public var scrollBar = "┃"
  /// What the scroll bar is to a row of thumbnails, in the rule over it.
  public var position = "━"
  /// Three cells.
  public var loading = "···"

  // Badges. One cell each, unless they are words.
  public var lineBreak = "⏎"
  public var video = "▶"
  public var livePhoto = "◉"
  public var animation = "↻"
  public var burst = "❐"
  public var panorama = "↔"
  public var favorite = "♥"
  public var edited = "✎"
  public var cloud = "☁"
  public var raw = "RAW"
  public var hdr = "HDR"

  // Albums. One cell each.
  public var albums: [SmartAlbum: String] = [
    .recents: "●", .favorites: "♥", .videos: "▶", .selfies: "☺", .livePhotos: "◉", .portrait: "◐",
    .panoramas: "↔", .timelapse: "◔", .slomo: "◌", .bursts: "❐", .screenshots: "▭",
    .screenRecordings: "▣", .animated: "↻", .raw: "◇", .recentlyAdded: "✚", .hidden: "⊘",
  ]
  public var folded = "▸"
  public var unfolded = "▾"

  // Menus and chips. One cell each.
  public var checked = "✓"
  public var excluded = "−"
  public var remove = "✕"
  public var caret = "▏"
  public var star = "★"

  /// Bars of one to eight eighths of a cell's height, each one cell.
  public var bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  // Rules and borders. One cell each.
  public var horizontal = "─"
  public var vertical = "│"
  public var branchDown = "┬"
  public var branchUp = "┴"
  public var cornerTopLeft = "╭"
  public var cornerTopRight = "╮"
  public var cornerBottomLeft = "╰"
  public var cornerBottomRight = "╯"

  // Keys.
  public var up = "↑"
  public var down = "↓"
  public var left = "←"
  public var right = "→"
  public var enter = "⏎"
  public var backTab = "⇧Tab"
  public var backspace = "⌫"

  /// What signs within phrases become, cell for cell; empty = they stay.
  public var typography: [String: String] = [:]

  public init() {}

  public static let unicode = Symbols()

  /// Signs that every terminal and every font has.
  public static let ascii: Symbols = {
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
  public func mark(_ number: Int) -> String {
    numbers.indices.contains(number - 1) ? numbers[number - 1] : "(\(number))"
  }
}
