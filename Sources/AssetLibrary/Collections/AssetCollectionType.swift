/// Who made a collection.
public enum AssetCollectionType: CaseIterable, Hashable, Sendable {
  /// The user: a folder.
  case album
  /// The library: assets with something in common.
  case smartAlbum
  /// The library: assets that were taken at one time in one place.
  case moment
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
