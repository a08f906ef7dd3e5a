public import SystemPackage

/// A folder of the user's with all below it as an album, a smart album, or a moment.
public struct AssetCollection: Identifiable, Hashable, Sendable {
  public var localIdentifier: LocalIdentifier
  public var title: String
  public var subtype: AssetCollectionSubtype
  /// How many assets it holds under the options it was fetched with; nil where only a count would tell.
  public var estimatedAssetCount: Int?
  /// The creation date of its earliest asset.
  public var startDate: AssetDate?
  /// The creation date of its latest asset.
  public var endDate: AssetDate?
  /// How deep the folder lies below its source, 0 for the source itself.
  public var depth: Int
  /// The list that holds it; nil for one that lies in none.
  public var parent: LocalIdentifier?
  /// Where the folder is, as the source was named; nil for what is no folder.
  public var path: FilePath?

  public init(
    localIdentifier: LocalIdentifier, title: String, subtype: AssetCollectionSubtype = .albumRegular,
    estimatedAssetCount: Int?, startDate: AssetDate? = nil, endDate: AssetDate? = nil, depth: Int = 0,
    parent: LocalIdentifier? = nil
  ) {
    self.localIdentifier = localIdentifier
    self.title = title
    self.subtype = subtype
    self.estimatedAssetCount = estimatedAssetCount
    self.startDate = startDate
    self.endDate = endDate
    self.depth = depth
    self.parent = parent
  }

  /// A smart album.
  public init(
    _ album: SmartAlbum, estimatedAssetCount: Int?, startDate: AssetDate? = nil, endDate: AssetDate? = nil
  ) {
    self.init(
      localIdentifier: album.localIdentifier, title: album.title, subtype: album.subtype,
      estimatedAssetCount: estimatedAssetCount, startDate: startDate, endDate: endDate)
  }

  /// A moment.
  public init(_ moment: Moment, estimatedAssetCount: Int?) {
    self.init(
      localIdentifier: moment.localIdentifier, title: moment.title, subtype: .moment,
      estimatedAssetCount: estimatedAssetCount, startDate: moment.startDate, endDate: moment.endDate)
  }

  public var id: LocalIdentifier { localIdentifier }

  public var type: AssetCollectionType { subtype.type }

  /// The smart album of everything.
  public static let recents = SmartAlbum.recents.localIdentifier
}
