import AssetLibrary

/// What the user said of assets in tpick itself, over what their files say.
struct AssetMarks: Hashable, Sendable {
  /// By the assets' identifiers.
  var favorites: [UInt64: Bool] = [:]
  var hidden: [UInt64: Bool] = [:]

  mutating func apply(_ change: AssetChange) {
    guard let asset = change.identifier.number else { return }
    switch change {
    case .setFavorite(_, let isFavorite): favorites[asset] = isFavorite
    case .setHidden(_, let isHidden): hidden[asset] = isHidden
    }
  }
}
