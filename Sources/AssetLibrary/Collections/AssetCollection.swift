public import SystemPackage

/// A user-made album, a folder with everything below it, a smart album, or a moment.
public struct AssetCollection: Identifiable, Hashable, Sendable {
  /// The identifier, the same in every run.
  public var localIdentifier: LocalIdentifier
  /// The title for display.
  public var title: String
  /// The precise kind of collection.
  public var subtype: AssetCollectionSubtype
  /// The number of assets that match the options of the fetch; nil if it is known only after counting.
  public var estimatedAssetCount: Int?
  /// The creation date of its earliest asset.
  public var startDate: AssetDate?
  /// The creation date of its latest asset.
  public var endDate: AssetDate?
  /// The folder's depth below its source; 0 for the source itself.
  public var depth: Int
  /// The list that contains the collection; nil at the top level.
  public var parent: LocalIdentifier?
  /// The folder's path, below the source as the user named it; nil for collections that are not folders.
  public var path: FilePath?

  /// Creates a collection; `path` is nil.
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

  /// Creates the collection of a smart album.
  public init(
    _ album: SmartAlbum, estimatedAssetCount: Int?, startDate: AssetDate? = nil, endDate: AssetDate? = nil
  ) {
    self.init(
      localIdentifier: album.localIdentifier, title: album.title, subtype: album.subtype,
      estimatedAssetCount: estimatedAssetCount, startDate: startDate, endDate: endDate)
  }

  /// Creates the collection Recently Deleted; nil if it is empty.
  package init?(recentlyDeleted assets: some Collection<Asset>) {
    guard !assets.isEmpty else { return nil }
    let dates = assets.map(\.creationDate)
    self.init(
      .recentlyDeleted, estimatedAssetCount: dates.count, startDate: dates.min(), endDate: dates.max())
  }

  /// Creates the collection of a moment.
  public init(_ moment: Moment, estimatedAssetCount: Int?) {
    self.init(
      localIdentifier: moment.localIdentifier, title: moment.title, subtype: .moment,
      estimatedAssetCount: estimatedAssetCount, startDate: moment.startDate, endDate: moment.endDate)
  }

  /// The same as `localIdentifier`.
  public var id: LocalIdentifier { localIdentifier }

  /// The general kind of collection.
  public var type: AssetCollectionType { subtype.type }

  /// Whether the album was made in tpick, so that the user can change its contents.
  public var isUserAlbum: Bool { UserAlbum.isIdentifier(localIdentifier) }

  /// The identifier of the smart album with all assets that are not hidden.
  public static let recents = SmartAlbum.recents.localIdentifier
}

/// The general kind of a collection.
public enum AssetCollectionType: CaseIterable, Hashable, Sendable {
  /// An album made by the user, or a folder.
  case album
  /// An album that the library derives from properties of its assets.
  case smartAlbum
  /// Assets that were taken in one period at one place.
  case moment
}

/// The precise kind of a collection.
public enum AssetCollectionSubtype: CaseIterable, Hashable, Sendable {
  /// An album made by the user, or a folder.
  case albumRegular
  /// Recents: everything that is not hidden.
  case smartAlbumUserLibrary
  /// Favorites.
  case smartAlbumFavorites
  /// Videos.
  case smartAlbumVideos
  /// Selfies.
  case smartAlbumSelfPortraits
  /// Live Photos.
  case smartAlbumLivePhotos
  /// Portrait: photos with depth data.
  case smartAlbumDepthEffect
  /// Panoramas.
  case smartAlbumPanoramas
  /// Time-lapse videos.
  case smartAlbumTimelapses
  /// Slow-motion videos.
  case smartAlbumSlomoVideos
  /// Photos taken in bursts.
  case smartAlbumBursts
  /// Screenshots.
  case smartAlbumScreenshots
  /// Screen recordings.
  case smartAlbumScreenRecordings
  /// Animated images.
  case smartAlbumAnimated
  /// Raw photos.
  case smartAlbumRAW
  /// Assets added in the last 30 days.
  case smartAlbumRecentlyAdded
  /// Hidden: assets that the user hid.
  case smartAlbumAllHidden
  /// Recently Deleted: assets in the trash that came from the library.
  case smartAlbumRecentlyDeleted
  /// Assets that were taken in one period at one place.
  case moment

  /// The general kind that the subtype belongs to.
  public var type: AssetCollectionType {
    switch self {
    case .albumRegular: .album
    case .moment: .moment
    default: .smartAlbum
    }
  }
}

/// A set of collection types.
public struct CollectionTypes: OptionSet, Hashable, Sendable {
  /// The bit mask.
  public let rawValue: UInt8

  /// Creates a set from a bit mask.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Albums made by the user, and folders.
  public static let album = CollectionTypes(rawValue: 1 << 0)
  /// Smart albums.
  public static let smartAlbum = CollectionTypes(rawValue: 1 << 1)
  /// Moments.
  public static let moment = CollectionTypes(rawValue: 1 << 2)
  /// The smart album Recently Deleted, which is fetched only if it is named: its assets are not in the library.
  public static let recentlyDeleted = CollectionTypes(rawValue: 1 << 3)

  /// The types that a list of albums shows: smart albums and albums.
  public static let `default`: CollectionTypes = [.smartAlbum, .album]
  /// All types, without Recently Deleted.
  public static let all: CollectionTypes = [.smartAlbum, .album, .moment]
}

extension CollectionTypes: CustomStringConvertible {
  /// The types as words, as "album, smartAlbum"; "none" for an empty set.
  public var description: String {
    words([
      .album: "album", .smartAlbum: "smartAlbum", .moment: "moment", .recentlyDeleted: "recentlyDeleted",
    ])
  }
}

/// A folder that contains albums or further lists.
public struct CollectionList: Identifiable, Hashable, Sendable {
  /// The identifier, the same in every run.
  public var localIdentifier: LocalIdentifier
  /// The title for display.
  public var title: String
  /// The list that contains this one; nil at the top level.
  public var parent: LocalIdentifier?
  /// The depth below the source; 0 for the source itself.
  public var depth: Int

  /// Creates a list.
  public init(
    localIdentifier: LocalIdentifier, title: String, parent: LocalIdentifier? = nil, depth: Int = 0
  ) {
    self.localIdentifier = localIdentifier
    self.title = title
    self.parent = parent
    self.depth = depth
  }

  /// The same as `localIdentifier`.
  public var id: LocalIdentifier { localIdentifier }
}
