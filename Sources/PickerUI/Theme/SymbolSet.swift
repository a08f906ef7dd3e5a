import AssetLibrary

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
    ]
    return symbols
  }()
}
