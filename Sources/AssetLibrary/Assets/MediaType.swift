/// The kind of medium of an asset.
public enum MediaType: String, CaseIterable, Hashable, Sendable {
  /// Neither an image nor a video nor audio, or not known.
  case unknown
  /// A photo or another still or animated image.
  case image
  /// A video.
  case video
  /// A sound recording.
  case audio
}

/// Special properties of an asset, which may have several of them.
public struct MediaSubtypes: OptionSet, Hashable, Sendable {
  /// The bit mask.
  public let rawValue: UInt32

  /// Creates a set from a bit mask.
  @inlinable
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// A photo with a short video.
  public static let livePhoto = MediaSubtypes(rawValue: 1 << 0)
  /// A panorama.
  public static let panorama = MediaSubtypes(rawValue: 1 << 1)
  /// An image of a screen.
  public static let screenshot = MediaSubtypes(rawValue: 1 << 2)
  /// A video of a screen.
  public static let screenRecording = MediaSubtypes(rawValue: 1 << 3)
  /// A photo with depth data, such as a portrait with a blurred background.
  public static let depthEffect = MediaSubtypes(rawValue: 1 << 4)
  /// A video with a simulated depth of field (Apple's Cinematic mode).
  public static let cinematic = MediaSubtypes(rawValue: 1 << 5)
  /// A slow-motion video.
  public static let slomo = MediaSubtypes(rawValue: 1 << 6)
  /// A time-lapse video.
  public static let timelapse = MediaSubtypes(rawValue: 1 << 7)
  /// A stereoscopic photo or video.
  public static let spatial = MediaSubtypes(rawValue: 1 << 8)
  /// A photo or video with high dynamic range.
  public static let hdr = MediaSubtypes(rawValue: 1 << 9)
  /// An image with several frames, such as an animated GIF.
  public static let animated = MediaSubtypes(rawValue: 1 << 10)
  /// A camera's raw file, alone or beside a JPEG.
  public static let raw = MediaSubtypes(rawValue: 1 << 11)
  /// A photo taken with the front camera.
  public static let selfie = MediaSubtypes(rawValue: 1 << 12)
  /// A photo with a long exposure.
  public static let longExposure = MediaSubtypes(rawValue: 1 << 13)
}

/// How an asset is played back.
public enum PlaybackStyle: String, CaseIterable, Hashable, Sendable {
  /// Not at all, as audio.
  case unsupported
  /// As a still image.
  case image
  /// As an animated image.
  case imageAnimated
  /// As a still image with a short video.
  case livePhoto
  /// As a video, once.
  case video
  /// As a video that repeats.
  case videoLooping
}

/// The kinds of libraries that assets come from.
///
/// Folders and servers are the user's library. A store of your own sets `cloudShared` for photos of other people, and
/// `FetchOptions.includeAssetSourceTypes` selects.
public struct AssetSourceTypes: OptionSet, Hashable, Sendable {
  /// The bit mask.
  public let rawValue: UInt32

  /// Creates a set from a bit mask.
  @inlinable
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The user's own library: all files in its folders.
  public static let userLibrary = AssetSourceTypes(rawValue: 1 << 0)
  /// An album that another person shares over the network.
  public static let cloudShared = AssetSourceTypes(rawValue: 1 << 1)

  /// All kinds of libraries.
  public static let all: AssetSourceTypes = [.userLibrary, .cloudShared]
}

extension OptionSet where Self.RawValue: FixedWidthInteger {
  /// Returns the names of the contained options, as "livePhoto, hdr"; bits without a name as numbers, and "none"
  /// for an empty set.
  /// - Parameter names: the options in the order in which they are printed.
  func words(_ names: KeyValuePairs<Self, String>, none: String = "none") -> String {
    var rest = rawValue
    var words: [String] = []
    for (option, name) in names where rawValue & option.rawValue == option.rawValue {
      words.append(name)
      rest &= ~option.rawValue
    }
    if rest != 0 { words.append("\(rest)") }
    return words.isEmpty ? none : words.joined(separator: ", ")
  }
}

extension MediaSubtypes: CustomStringConvertible {
  /// The subtypes as words, as "livePhoto, hdr"; "none" for an empty set.
  public var description: String {
    words([
      .livePhoto: "livePhoto", .panorama: "panorama", .screenshot: "screenshot",
      .screenRecording: "screenRecording", .depthEffect: "depthEffect", .cinematic: "cinematic",
      .slomo: "slomo", .timelapse: "timelapse", .spatial: "spatial", .hdr: "hdr", .animated: "animated",
      .raw: "raw", .selfie: "selfie", .longExposure: "longExposure",
    ])
  }
}

extension AssetSourceTypes: CustomStringConvertible {
  /// The kinds as words, as "userLibrary, cloudShared"; "none" for an empty set.
  public var description: String { words([.userLibrary: "userLibrary", .cloudShared: "cloudShared"]) }
}
