package import AssetLibrary

extension Symbols {
  /// Symbols of the grid, one cell each unless noted.
  package struct Grid: Hashable, Sendable {
    package var cursorLeft = "▌"
    package var cursorRight = "▐"
    /// In front of the name at the cursor if it is not picked.
    package var unpicked = "○"
    /// In front of the picked name if the limit is 1.
    package var picked = "●"
    package var noPicture = "▢"
    package var broken = "✕"
    package var scrollBar = "┃"
    /// The horizontal scroll bar of the compact mode, and the progress bar.
    package var position = "━"
    /// In the place of a picture that has not come.
    package var loading = "⋯"
  }

  /// Badges of assets, one cell each unless they are words.
  package struct Badges: Hashable, Sendable {
    package var lineBreak = "⏎"
    /// Of what is shown and can't be picked.
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
    package var enter = "⏎"
    package var backTab = "⇧Tab"
    package var backspace = "⌫"
  }
}
