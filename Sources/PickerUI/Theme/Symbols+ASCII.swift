import AssetLibrary

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
    (symbols.keys.enter, symbols.keys.backTab, symbols.keys.backspace) = ("Enter", "S-Tab", "Bksp")
    symbols.typography = [
      "…": "~", "≈": "~", "·": "-", "×": "x", "–": "-", "“": "\"", "”": "\"", "’": "'", "→": ">", "▾": "v",
      "−": "-",
    ]
    return symbols
  }()
}
