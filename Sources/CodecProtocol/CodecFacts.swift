/// What the codec helper tells of a file: containers' facts, and metadata blocks as they are.
public struct CodecFacts: Hashable, Sendable {
  /// Pixels as the decoder gives them: a container's own rotation is applied already.
  public var width = 0
  public var height = 0
  /// Seconds; 0 for stills.
  public var duration: Double = 0
  /// Pictures a second; 0 for stills.
  public var frameRate: Double = 0
  public var hasVideo = false
  public var hasAudio = false
  /// More than one picture, shown one after another.
  public var isAnimated = false
  /// Two views of one scene.
  public var isStereo = false
  /// How many pictures a HEIC or AVIF file shows side by side, thumbnails and auxiliary images not counted.
  public var imageCount = 0
  /// The types of HEIC auxiliary images, as URNs.
  public var auxiliaryTypes: [String] = []
  /// Tags of the container by their names, as "com.apple.quicktime.creationdate".
  public var tags: [String: String] = [:]
  /// What a raw file's maker recorded; nil for other files.
  public var camera: CameraFacts?
  /// An EXIF block from its TIFF header on; empty where there is none.
  public var exif: [UInt8] = []
  /// An XMP packet; empty where there is none.
  public var xmp: [UInt8] = []

  public init() {}
}

/// A camera's settings as LibRaw understands them, each nil where the file says nothing.
public struct CameraFacts: Hashable, Sendable {
  public var make: String?
  public var model: String?
  public var lens: String?
  /// Sensitivity by ISO 12232.
  public var isoSpeed: Double?
  /// Seconds.
  public var exposureTime: Double?
  public var fNumber: Double?
  /// Millimetres.
  public var focalLength: Double?
  /// Seconds from 1970-01-01 00:00:00, both as the camera's clock shows them.
  public var captureSeconds: Int64?
  /// Degrees of WGS 84, north positive; never without the longitude.
  public var latitude: Double?
  /// Degrees of WGS 84, east positive.
  public var longitude: Double?

  public init() {}
}
