/// Which assets a fetch gives, and in which order.
public struct FetchOptions: Hashable, Sendable {
  /// In whose name a fetch is made.
  public enum Access: Hashable, Sendable {
    /// The client's: confined to what it was granted.
    case granted
    /// The user's own, while choosing what a client may see: everything. What such a fetch gives must
    /// never reach the client.
    case managingAccess
  }

  /// Only assets that match; nil = all, broken ones included.
  public var filter: PickerFilter?
  public var sort: AssetSort = .newest
  /// The most assets to give; 0 = no limit.
  public var fetchLimit = 0
  public var includeHiddenAssets = false
  public var access: Access = .granted
  /// Set by the manager under limited access: nothing else is given.
  var allowed: Set<LocalIdentifier>?

  public init(filter: PickerFilter? = nil, sort: AssetSort = .newest) {
    self.filter = filter
    self.sort = sort
  }

  /// Whether `asset` belongs to the answer.
  public func admits(_ asset: Asset) -> Bool {
    if let allowed, !allowed.contains(asset.localIdentifier) { return false }
    if asset.isHidden, !includeHiddenAssets { return false }
    guard let filter else { return true }
    return !asset.isBroken && filter.matches(asset)
  }
}

/// The orders in which assets can be fetched.
///
/// Ties go by the path's bytes.
public enum AssetSort: String, CaseIterable, Hashable, Sendable {
  case newest, oldest, name, size

  /// Whether `a` stands before `b`.
  public func areInIncreasingOrder(_ a: Asset, _ b: Asset) -> Bool {
    switch self {
    case .newest where a.creationDate != b.creationDate: a.creationDate > b.creationDate
    case .oldest where a.creationDate != b.creationDate: a.creationDate < b.creationDate
    case .name where Self.name(a) != Self.name(b): Self.name(a).lexicographicallyPrecedes(Self.name(b))
    case .size where Self.size(a) != Self.size(b): Self.size(a) > Self.size(b)
    default: Self.path(a).lexicographicallyPrecedes(Self.path(b))
    }
  }

  private static func name(_ asset: Asset) -> [UInt8] { asset.primaryResource?.filename ?? [] }
  private static func size(_ asset: Asset) -> Int64 { asset.primaryResource?.byteCount ?? 0 }
  private static func path(_ asset: Asset) -> [UInt8] { asset.primaryResource?.path.bytes ?? [] }
}
