/// The container and the tracks of a video file, as its headers describe them.
///
/// The names of containers, codecs and profiles are FFmpeg's, as ffprobe prints them.
public struct MovieDetails: Hashable, Sendable {
  /// The container, such as "mov,mp4,m4a,3gp,3g2,mj2" or "matroska,webm".
  public var container: String
  /// The tracks in the order of the file.
  public var tracks: [MovieTrack] = []
  /// The chapters in the order of the file.
  public var chapters: [MovieChapter] = []

  /// Creates details without tracks.
  public init(container: String) {
    self.container = container
  }

  /// The track that is shown: the first video that is not cover art; nil if there is none.
  public var videoTrack: MovieTrack? { tracks.first { $0.kind == .video && !$0.isCover } }

  /// The first track with sound; nil if there is none.
  public var audioTrack: MovieTrack? { tracks.first { $0.kind == .audio } }
}

/// One of the tracks of a video file.
public struct MovieTrack: Hashable, Sendable {
  /// What a track contains.
  public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
    /// Frames.
    case video = 0
    /// Sound.
    case audio = 1
    /// Subtitles.
    case subtitle = 2
    /// Anything else, such as time codes or timed metadata.
    case other = 3

    /// The name of the kind, such as "video".
    public var name: String {
      switch self {
      case .video: "video"
      case .audio: "audio"
      case .subtitle: "subtitle"
      case .other: "other"
      }
    }
  }

  /// What the track contains.
  public var kind: Kind
  /// The codec, such as "h264"; nil if unknown.
  public var codec: String?
  /// The profile of the codec, such as "Main 10"; nil if the headers don't state it.
  public var profile: String?
  /// The language as an ISO 639-2 code; nil if it is undetermined.
  public var language: String?
  /// The duration in seconds; nil if the headers don't state it.
  public var duration: Double?
  /// Whether it is an attached picture, such as the cover of an album.
  public var isCover = false
  /// The properties of a video track; nil for other tracks.
  public var video: Video?
  /// The number of channels of an audio track; nil for other tracks, and if unknown.
  public var channelCount: Int?
  /// The samples per second of an audio track; nil for other tracks, and if unknown.
  public var sampleRate: Int?

  /// Creates a track of which only the kind is known.
  public init(_ kind: Kind) {
    self.kind = kind
  }

  /// The properties of a video track.
  public struct Video: Hashable, Sendable {
    /// The width of the stored frames in pixels, before rotation and with pixels of any shape.
    public var width: Int
    /// The height of the stored frames in pixels, before rotation.
    public var height: Int
    /// The clockwise rotation in degrees that turns stored frames upright: 0, 90, 180 or 270.
    public var rotation = 0
    /// The width of a pixel, relative to `pixelHeight`: 1 and 1 are square.
    public var pixelWidth = 1
    /// The height of a pixel.
    public var pixelHeight = 1
    /// The average number of frames per second; nil if unknown.
    public var frameRate: Double?
    /// Whether frames have different durations; nil if the headers don't tell.
    public var isVariableFrameRate: Bool?
    /// The dynamic range.
    public var dynamicRange = DynamicRange.standard

    /// Creates properties of a track with upright, square pixels.
    /// - Parameters:
    ///   - width: the width of the stored frames in pixels.
    ///   - height: the height of the stored frames in pixels.
    public init(width: Int, height: Int) {
      (self.width, self.height) = (width, height)
    }
  }

  /// The dynamic range of a video.
  public enum DynamicRange: UInt8, CaseIterable, Hashable, Sendable {
    /// A standard range, or one that the headers don't state.
    case standard = 0
    /// Hybrid log-gamma (ITU-R BT.2100).
    case hlg = 1
    /// Perceptual quantization (SMPTE ST 2084), without a description of the mastering display.
    case pq = 2
    /// Perceptual quantization with a description of the mastering display (SMPTE ST 2086).
    case hdr10 = 3
    /// Dolby Vision, whatever its base layer is.
    case dolbyVision = 4

    /// The name of the range: "standard", "hlg", "pq", "hdr10" or "dolbyVision".
    public var name: String {
      switch self {
      case .standard: "standard"
      case .hlg: "hlg"
      case .pq: "pq"
      case .hdr10: "hdr10"
      case .dolbyVision: "dolbyVision"
      }
    }

    /// Whether it is wider than the standard range.
    public var isHigh: Bool { self != .standard }
  }
}

/// A chapter of a video.
public struct MovieChapter: Hashable, Sendable {
  /// The title; nil if it has none.
  public var title: String?
  /// The start in seconds.
  public var start: Double
  /// The end in seconds.
  public var end: Double

  /// Creates a chapter; times are in seconds.
  public init(title: String?, start: Double, end: Double) {
    (self.title, self.start, self.end) = (title, start, end)
  }
}
