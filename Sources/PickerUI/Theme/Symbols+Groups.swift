package import AssetLibrary

extension Symbols {
  /// The thumbnails and what marks them. One cell each.
  package struct Grid: Hashable, Sendable {
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
  }

  /// What is special about an asset. One cell each, unless they are words.
  package struct Badges: Hashable, Sendable {
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
  }

  /// The list of albums. One cell each.
  package struct Albums: Hashable, Sendable {
    package var icons: [SmartAlbum: String] = [
      .recents: "●", .favorites: "♥", .videos: "▶", .selfies: "☺", .livePhotos: "◉", .portrait: "◐",
      .panoramas: "↔", .timelapse: "◔", .slomo: "◌", .bursts: "❐", .screenshots: "▭",
      .screenRecordings: "▣", .animated: "↻", .raw: "◇", .recentlyAdded: "✚", .hidden: "⊘",
    ]
    package var folded = "▸"
    package var unfolded = "▾"
  }

  /// Menus, chips and what is typed. One cell each.
  package struct Menus: Hashable, Sendable {
    package var checked = "✓"
    package var excluded = "−"
    package var remove = "✕"
    package var caret = "▏"
    package var star = "★"

    /// Bars of one to eight eighths of a cell's height, each one cell.
    package var bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  }

  /// Rules and borders. One cell each.
  package struct Lines: Hashable, Sendable {
    package var horizontal = "─"
    package var vertical = "│"
    package var branchDown = "┬"
    package var branchUp = "┴"
    package var topLeft = "╭"
    package var topRight = "╮"
    package var bottomLeft = "╰"
    package var bottomRight = "╯"
  }

  /// What keys are called.
  package struct Keys: Hashable, Sendable {
    package var up = "↑"
    package var down = "↓"
    package var left = "←"
    package var right = "→"
    package var enter = "⏎"
    package var backTab = "⇧Tab"
    package var backspace = "⌫"
  }
}
