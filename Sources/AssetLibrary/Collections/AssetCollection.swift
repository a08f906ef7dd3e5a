public import SystemPackage

/// An album that the user made, a folder with all below it as an album, a smart album, or a moment.
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

  /// Whether the user made the album in tpick, and can change what is in it.
  public var isUserAlbum: Bool { UserAlbum.isIdentifier(localIdentifier) }

  /// The smart album of everything.
  public static let recents = SmartAlbum.recents.localIdentifier
}

/// Who made a collection.
public enum AssetCollectionType: CaseIterable, Hashable, Sendable {
  /// The user: an album, or a folder.
  case album
  /// The library: assets with something in common.
  case smartAlbum
  /// The library: assets that were taken at one time in one place.
  case moment
}

/// What a collection is, more closely.
public enum AssetCollectionSubtype: CaseIterable, Hashable, Sendable {
  case albumRegular
  /// Everything that is not hidden: Recents.
  case smartAlbumUserLibrary
  case smartAlbumFavorites, smartAlbumVideos, smartAlbumSelfPortraits, smartAlbumLivePhotos
  /// Portrait.
  case smartAlbumDepthEffect
  case smartAlbumPanoramas, smartAlbumTimelapses, smartAlbumSlomoVideos, smartAlbumBursts
  case smartAlbumScreenshots, smartAlbumScreenRecordings, smartAlbumAnimated, smartAlbumRAW
  case smartAlbumRecentlyAdded, smartAlbumAllHidden
  case moment

  /// The type that the subtype belongs to.
  public var type: AssetCollectionType {
    switch self {
    case .albumRegular: .album
    case .moment: .moment
    default: .smartAlbum
    }
  }
}

/// Several types of collections.
public struct CollectionTypes: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  public static let album = CollectionTypes(rawValue: 1 << 0)
  public static let smartAlbum = CollectionTypes(rawValue: 1 << 1)
  public static let moment = CollectionTypes(rawValue: 1 << 2)

  /// What a list of albums shows.
  public static let `default`: CollectionTypes = [.smartAlbum, .album]
  public static let all: CollectionTypes = [.smartAlbum, .album, .moment]
}

/// A folder of albums, or of further lists.
public struct CollectionList: Identifiable, Hashable, Sendable {
  public var localIdentifier: LocalIdentifier
  public var title: String
  /// The list that holds it; nil for one that lies in none.
  public var parent: LocalIdentifier?
  /// How deep it lies below its source, 0 for the source itself.
  public var depth: Int

  public init(
    localIdentifier: LocalIdentifier, title: String, parent: LocalIdentifier? = nil, depth: Int = 0
  ) {
    self.localIdentifier = localIdentifier
    self.title = title
    self.parent = parent
    self.depth = depth
  }

  public var id: LocalIdentifier { localIdentifier }
}
