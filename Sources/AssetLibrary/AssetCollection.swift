/// An album: a folder of the user's, or a smart album that the library makes up.
public struct AssetCollection: Identifiable, Hashable, Sendable {
  /// Who made the collection.
  public enum Kind: Hashable, Sendable {
    /// The user's own: a folder.
    case album
    /// The library's: assets with something in common.
    case smartAlbum
  }

  public var localIdentifier: LocalIdentifier
  public var title: String
  public var kind: Kind
  /// How many assets it holds under the options it was fetched with.
  public var estimatedAssetCount: Int
  /// How deep the folder lies below its source, 0 for the source itself.
  public var depth: Int

  public init(
    localIdentifier: LocalIdentifier, title: String, kind: Kind, estimatedAssetCount: Int, depth: Int = 0
  ) {
    self.localIdentifier = localIdentifier
    self.title = title
    self.kind = kind
    self.estimatedAssetCount = estimatedAssetCount
    self.depth = depth
  }

  public var id: LocalIdentifier { localIdentifier }

  /// The smart album of everything.
  public static let recents = LocalIdentifier("smart.recents")
}
