public import Pixels

/// The name under which an asset or a collection is known to its library: opaque, stable across runs.
public struct LocalIdentifier: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  public static func < (a: LocalIdentifier, b: LocalIdentifier) -> Bool { a.rawValue < b.rawValue }

  public var description: String { rawValue }
}

/// What kind of medium an asset is.
public enum MediaType: String, Hashable, Sendable {
  case unknown, image, video, audio
}

/// What is special about an asset; an asset may have several of these.
public struct MediaSubtypes: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  public static let livePhoto = MediaSubtypes(rawValue: 1 << 0)
  public static let panorama = MediaSubtypes(rawValue: 1 << 1)
  public static let screenshot = MediaSubtypes(rawValue: 1 << 2)
  public static let screenRecording = MediaSubtypes(rawValue: 1 << 3)
  public static let depthEffect = MediaSubtypes(rawValue: 1 << 4)
  public static let cinematic = MediaSubtypes(rawValue: 1 << 5)
  public static let slomo = MediaSubtypes(rawValue: 1 << 6)
  public static let timelapse = MediaSubtypes(rawValue: 1 << 7)
  public static let spatial = MediaSubtypes(rawValue: 1 << 8)
  public static let hdr = MediaSubtypes(rawValue: 1 << 9)
  public static let animated = MediaSubtypes(rawValue: 1 << 10)
  public static let raw = MediaSubtypes(rawValue: 1 << 11)
  public static let selfie = MediaSubtypes(rawValue: 1 << 12)
  public static let longExposure = MediaSubtypes(rawValue: 1 << 13)
}

/// How an asset is meant to be played back.
public enum PlaybackStyle: String, Hashable, Sendable {
  case unsupported, image, imageAnimated, livePhoto, video, videoLooping
}

/// A place on the earth, in degrees of WGS 84.
public struct Location: Hashable, Sendable {
  public var latitude: Double
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// One photograph, video or other medium of a library: what is known of it, not its picture.
///
/// A value: it stays as it was when it was fetched. The picture is asked of the asset manager, the bytes
/// are in its `resources`.
public struct Asset: Identifiable, Hashable, Sendable {
  public var localIdentifier: LocalIdentifier
  public var mediaType: MediaType
  public var mediaSubtypes: MediaSubtypes = []
  public var playbackStyle: PlaybackStyle
  /// The size after orientation; zero where it is not known.
  public var pixelSize: PixelSize
  /// When the picture was taken, by the camera's clock; the file's date where nothing else is known.
  public var creationDate: AssetDate
  public var modificationDate: AssetDate
  /// Seconds; 0 for stills.
  public var duration: Double = 0
  public var location: Location?
  public var isFavorite = false
  public var isHidden = false
  public var burstIdentifier: String?
  public var representsBurst = false
  /// Whether there is an edited version besides the original.
  public var hasAdjustments = false
  /// The files the asset is made of; the first is the one that stands for it.
  public var resources: [AssetResource]
  /// Why the asset can't be shown, as words after "can't be shown:"; nil for a sound one.
  public var defect: String?

  public init(
    localIdentifier: LocalIdentifier, mediaType: MediaType, pixelSize: PixelSize, creationDate: AssetDate,
    modificationDate: AssetDate? = nil, resources: [AssetResource]
  ) {
    self.localIdentifier = localIdentifier
    self.mediaType = mediaType
    self.pixelSize = pixelSize
    self.creationDate = creationDate
    self.modificationDate = modificationDate ?? creationDate
    self.resources = resources
    playbackStyle =
      switch mediaType {
      case .image: .image
      case .video: .video
      case .audio, .unknown: .unsupported
      }
  }

  public var id: LocalIdentifier { localIdentifier }

  /// Whether the file's content is no medium although its name says so.
  ///
  /// Such an asset is shown and marked, matched by no filter and can't be picked.
  public var isBroken: Bool { defect != nil }

  /// The resource that stands for the asset.
  public var primaryResource: AssetResource? { resources.first }
}
