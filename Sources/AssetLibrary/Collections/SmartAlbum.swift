/// The albums that the library derives from properties of its assets, in the order in which they are listed.
///
/// An asset may belong to several: a time-lapse is also in Videos. Hidden assets are only in Hidden. A broken
/// asset, whose metadata is unknown, is only in Recents. Recently Deleted has no assets of the library.
public enum SmartAlbum: String, CaseIterable, Hashable, Sendable {
  /// Everything that is not hidden.
  case recents
  /// Assets marked as favorites.
  case favorites
  /// Videos.
  case videos
  /// Photos taken with the front camera.
  case selfies
  /// Photos with a short video.
  case livePhotos
  /// Photos with depth data.
  case portrait
  /// Panoramas.
  case panoramas
  /// Time-lapse videos.
  case timelapse
  /// Slow-motion videos.
  case slomo
  /// Photos that belong to a burst.
  case bursts
  /// Images of a screen.
  case screenshots
  /// Videos of a screen.
  case screenRecordings
  /// Images with several frames.
  case animated
  /// Raw photos.
  case raw
  /// Assets that the library found in the last 30 days.
  case recentlyAdded
  /// Assets that the user hid.
  case hidden
  /// Assets in the trash that came from the library, those deleted last first.
  ///
  /// No other collection or fetch contains them.
  case recentlyDeleted

  /// Returns the smart album with an identifier; nil if the identifier is not one of a smart album.
  public init?(_ identifier: LocalIdentifier) {
    guard identifier.rawValue.hasPrefix(Self.prefix) else { return nil }
    self.init(rawValue: String(identifier.rawValue.dropFirst(Self.prefix.count)))
  }

  private static let prefix = "smart."

  /// The identifier, as "smart.recents": the same in every library.
  public var localIdentifier: LocalIdentifier { LocalIdentifier(Self.prefix + rawValue) }

  /// The title in English.
  public var title: String {
    switch self {
    case .recents: "Recents"
    case .favorites: "Favorites"
    case .videos: "Videos"
    case .selfies: "Selfies"
    case .livePhotos: "Live Photos"
    case .portrait: "Portrait"
    case .panoramas: "Panoramas"
    case .timelapse: "Time-lapse"
    case .slomo: "Slo-mo"
    case .bursts: "Bursts"
    case .screenshots: "Screenshots"
    case .screenRecordings: "Screen Recordings"
    case .animated: "Animated"
    case .raw: "RAW"
    case .recentlyAdded: "Recently Added"
    case .hidden: "Hidden"
    case .recentlyDeleted: "Recently Deleted"
    }
  }

  /// The corresponding subtype of `AssetCollection`.
  public var subtype: AssetCollectionSubtype {
    switch self {
    case .recents: .smartAlbumUserLibrary
    case .favorites: .smartAlbumFavorites
    case .videos: .smartAlbumVideos
    case .selfies: .smartAlbumSelfPortraits
    case .livePhotos: .smartAlbumLivePhotos
    case .portrait: .smartAlbumDepthEffect
    case .panoramas: .smartAlbumPanoramas
    case .timelapse: .smartAlbumTimelapses
    case .slomo: .smartAlbumSlomoVideos
    case .bursts: .smartAlbumBursts
    case .screenshots: .smartAlbumScreenshots
    case .screenRecordings: .smartAlbumScreenRecordings
    case .animated: .smartAlbumAnimated
    case .raw: .smartAlbumRAW
    case .recentlyAdded: .smartAlbumRecentlyAdded
    case .hidden: .smartAlbumAllHidden
    case .recentlyDeleted: .smartAlbumRecentlyDeleted
    }
  }

  /// How long an asset stays in Recently Added, in seconds: 30 days.
  public static let recentSeconds: Int64 = 30 * 86400

  /// Whether `asset`, which is an asset of the library, is a member.
  /// - Parameters:
  ///   - asset: the attributes of the asset.
  ///   - now: the current time; only Recently Added uses it.
  @inlinable
  public func contains<A: AssetAttributes>(_ asset: A, now: AssetDate) -> Bool {
    if asset.isHidden { return self == .hidden }
    if asset.isBroken { return self == .recents }
    return switch self {
    case .recents: true
    case .favorites: asset.isFavorite
    case .videos: asset.mediaType == .video
    case .selfies: asset.mediaSubtypes.contains(.selfie)
    case .livePhotos: asset.mediaSubtypes.contains(.livePhoto)
    case .portrait: asset.mediaSubtypes.contains(.depthEffect)
    case .panoramas: asset.mediaSubtypes.contains(.panorama)
    case .timelapse: asset.mediaSubtypes.contains(.timelapse)
    case .slomo: asset.mediaSubtypes.contains(.slomo)
    case .bursts: asset.isInBurst
    case .screenshots: asset.mediaSubtypes.contains(.screenshot)
    case .screenRecordings: asset.mediaSubtypes.contains(.screenRecording)
    case .animated: asset.mediaSubtypes.contains(.animated)
    case .raw: asset.mediaSubtypes.contains(.raw)
    case .recentlyAdded: now.wallSeconds - asset.addedDate.wallSeconds < Self.recentSeconds
    case .hidden, .recentlyDeleted: false
    }
  }
}
