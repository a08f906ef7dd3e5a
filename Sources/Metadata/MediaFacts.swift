public import Pixels

/// What a photograph's or a video's file says about itself, before anyone interprets it.
///
/// Every field that the file does not carry, or carries damaged, is nil: metadata never makes a picture
/// unusable.
public struct MediaFacts: Hashable, Sendable {
  /// The size of the stored pixels, before any orientation.
  public var storedSize: PixelSize
  /// How the stored pixels have to be turned to stand upright (EXIF 0x0112).
  public var orientation: Orientation = .topLeft
  /// When the shutter opened: EXIF DateTimeOriginal (0x9003), CreateDate (0x9004), XMP, IPTC, and for want
  /// of a better one EXIF ModifyDate (0x0132).
  public var captureTime: CivilTime?
  /// Camera maker, as "Canon" (0x010F).
  public var make: String?
  /// Camera model, as "EOS 90D" (0x0110).
  public var model: String?
  /// Lens model (0xA434).
  public var lens: String?
  /// Sensitivity by ISO 12232 (0x8827).
  public var isoSpeed: Int?
  /// Aperture as the f-number (0x829D).
  public var fNumber: Double?
  /// Exposure time in seconds (0x829A).
  public var exposureTime: Double?
  /// Focal length in millimetres (0x920A).
  public var focalLength: Double?
  /// Where it was taken, in degrees of WGS 84 (GPS tags 1 to 4).
  public var coordinate: Coordinate?
  /// What the camera made of several exposures or a depth map (0xA401): Apple's values beyond EXIF's two are
  /// 2 and 3 HDR, 6 panorama, 7 and 8 portrait.
  public var customRendered: Int?
  /// What the camera or the system wrote as comment (0x9286), "Screenshot" among it.
  public var userComment: String?
  /// The series that the photograph belongs to (Apple MakerNote 0x000B).
  public var burstIdentifier: String?
  /// What ties a Live Photo's still to its video (Apple MakerNote 0x0011).
  public var contentIdentifier: String?
  /// Apple MakerNote 0x000A: 3 = HDR, 4 = the original of one.
  public var hdrImageType: Int?
  /// Stars from 1 to 5, 0 = none given, -1 = rejected (XMP xmp:Rating); nil where nothing is said.
  public var rating: Int?
  /// Words that someone gave the picture (XMP dc:subject, IPTC 2:25).
  public var keywords: [String] = []
  /// XMP dc:title, else IPTC 2:05.
  public var title: String?
  /// XMP dc:description, else IPTC 2:120, else EXIF ImageDescription.
  public var caption: String?
  /// Who is in the picture: names of face regions (XMP mwg-rs, MP) and Iptc4xmpExt:PersonInImage.
  public var people: [String] = []
  /// What the file says of its own making, beyond EXIF's fields.
  public var hints: MediaHints = []
  /// Seconds; nil for stills.
  public var duration: Double?
  /// Pictures a second of a video.
  public var frameRate: Double?
  /// Where in the file a Motion Photo's video lies, in bytes; found and checked, never taken on trust.
  public var motionVideo: Range<Int>?
  /// Where in the file the embedded JPEG thumbnail lies, in bytes from the file's start.
  public var thumbnail: Range<Int>?

  public init(storedSize: PixelSize = .zero) {
    self.storedSize = storedSize
  }
}

/// Facts about how a medium was made that are either there or not.
public struct MediaHints: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// More than one frame.
  public static let animated = MediaHints(rawValue: 1 << 0)
  /// XMP GPano:ProjectionType.
  public static let panorama = MediaHints(rawValue: 1 << 1)
  /// A depth map: HEIC auxiliary image `urn:mpeg:hevc:2015:auxid:2`, XMP GDepth.
  public static let depthMap = MediaHints(rawValue: 1 << 2)
  /// A gain map: HEIC auxiliary image `urn:com:apple:photo:2020:aux:hdrgainmap`, XMP hdrgm:Version.
  public static let gainMap = MediaHints(rawValue: 1 << 3)
  /// Two views of one scene: a HEIC stereo pair, an MV-HEVC track.
  public static let stereo = MediaHints(rawValue: 1 << 4)
  /// QuickTime author ReplayKitRecording.
  public static let screenRecording = MediaHints(rawValue: 1 << 5)
  /// QuickTime or Android tags, or a frame rate of 100 and more.
  public static let slomo = MediaHints(rawValue: 1 << 6)
  /// Tags that say time-lapse.
  public static let timelapse = MediaHints(rawValue: 1 << 7)
  /// QuickTime `com.apple.quicktime.cinematic-video`.
  public static let cinematic = MediaHints(rawValue: 1 << 8)
  /// Tags that say long exposure.
  public static let longExposure = MediaHints(rawValue: 1 << 9)
}

/// A place on the earth in degrees, north and east positive.
public struct Coordinate: Hashable, Sendable {
  public var latitude: Double
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// A place as a receiver measured it; nil where it can't be one, or is the 0° 0° of a receiver that knew
  /// none.
  init?(measuredLatitude latitude: Double, longitude: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 180, latitude != 0 || longitude != 0 else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}
