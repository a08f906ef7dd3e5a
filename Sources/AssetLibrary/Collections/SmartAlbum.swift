/// The albums that the library makes up, in the order in which they are listed.
///
/// Membership is never exclusive: a time-lapse is in Videos too. Hidden assets are in Hidden and nowhere else.
/// A broken asset, of which nothing is known, is in Recents only.
public enum SmartAlbum: String, CaseIterable, Hashable, Sendable {
  case recents, favorites, videos, selfies, livePhotos, portrait, panoramas, timelapse, slomo, bursts
  case screenshots, screenRecordings, animated, raw, recentlyAdded, hidden

  /// The album with an identifier; nil when it is no smart album's.
  public init?(_ identifier: LocalIdentifier) {
    guard identifier.rawValue.hasPrefix(Self.prefix) else { return nil }
    self.init(rawValue: String(identifier.rawValue.dropFirst(Self.prefix.count)))
  }

  private static let prefix = "smart."

  /// "smart.recents" and so on: the same in every library.
  public var localIdentifier: LocalIdentifier { LocalIdentifier(Self.prefix + rawValue) }

  /// The name in English.
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
    }
  }

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
    }
  }

  /// How long an asset is a recent addition, in seconds: 30 days.
  public static let recentSeconds: Int64 = 30 * 86400

  /// Whether `asset` is a member at the time `now`, which only Recently Added looks at.
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
    case .hidden: false
    }
  }
}
