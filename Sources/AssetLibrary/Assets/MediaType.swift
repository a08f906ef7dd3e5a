/// What kind of medium an asset is.
public enum MediaType: String, CaseIterable, Hashable, Sendable {
  case unknown, image, video, audio
}

/// What is special about an asset; an asset may have several of these.
public struct MediaSubtypes: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  @inlinable
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
public enum PlaybackStyle: String, CaseIterable, Hashable, Sendable {
  case unsupported, image, imageAnimated, livePhoto, video, videoLooping
}

/// Where an asset comes from.
public struct AssetSourceTypes: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  @inlinable
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The user's own library: everything that lies in its folders.
  public static let userLibrary = AssetSourceTypes(rawValue: 1 << 0)
  /// An album that somebody shares over the network.
  public static let cloudShared = AssetSourceTypes(rawValue: 1 << 1)
  /// Copied from another computer.
  public static let iTunesSynced = AssetSourceTypes(rawValue: 1 << 2)

  /// Wherever it comes from.
  public static let all: AssetSourceTypes = [.userLibrary, .cloudShared, .iTunesSynced]
}
