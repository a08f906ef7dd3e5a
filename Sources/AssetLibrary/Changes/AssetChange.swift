/// A change that the user makes to an asset; the files stay as they are.
public enum AssetChange: Hashable, Sendable {
  case setFavorite(LocalIdentifier, Bool)
  case setHidden(LocalIdentifier, Bool)

  /// The asset that is changed.
  public var identifier: LocalIdentifier {
    switch self {
    case .setFavorite(let identifier, _), .setHidden(let identifier, _): identifier
    }
  }

  /// Makes the change to a value of the asset.
  public func apply(to asset: inout Asset) {
    switch self {
    case .setFavorite(_, let isFavorite): asset.isFavorite = isFavorite
    case .setHidden(_, let isHidden): asset.isHidden = isHidden
    }
  }
}
