package import Pixels

/// What a photograph's or a video's file says about itself, before anyone interprets it.
///
/// Every field that the file does not carry, or carries damaged, is nil: metadata never makes a picture
/// unusable.
package struct MediaFacts: Hashable, Sendable {
  /// The size of the stored pixels, before any orientation.
  package var storedSize: PixelSize
  /// How the stored pixels have to be turned to stand upright (EXIF 0x0112).
  package var orientation: Orientation = .topLeft
  /// When the shutter opened: EXIF DateTimeOriginal (0x9003), CreateDate (0x9004), XMP, IPTC, and for want
  /// of a better one EXIF ModifyDate (0x0132).
  package var captureTime: CivilTime?
  /// Camera maker, as "Canon" (0x010F).
  package var make: String?
  /// Camera model, as "EOS 90D" (0x0110).
  package var model: String?
  /// Lens model (0xA434).
  package var lens: String?
  /// Sensitivity by ISO 12232 (0x8827).
  package var isoSpeed: Int?
  /// Aperture as the f-number (0x829D).
  package var fNumber: Double?
  /// Exposure time in seconds (0x829A).
  package var exposureTime: Double?
  /// Focal length in millimetres (0x920A).
  package var focalLength: Double?
  /// Where it was taken, in degrees of WGS 84 (GPS tags 1 to 4).
  package var coordinate: Coordinate?
  /// What the camera made of several exposures or a depth map (0xA401): Apple's values beyond EXIF's two are
  /// 2 and 3 HDR, 6 panorama, 7 and 8 portrait.
  package var customRendered: Int?
  /// What the camera or the system wrote as comment (0x9286), "Screenshot" among it.
  package var userComment: String?
  /// The series that the photograph belongs to (Apple MakerNote 0x000B).
  package var burstIdentifier: String?
  /// What ties a Live Photo's still to its video (Apple MakerNote 0x0011).
  package var contentIdentifier: String?
  /// Apple MakerNote 0x000A: 3 = HDR, 4 = the original of one.
  package var hdrImageType: Int?
  /// Stars from 1 to 5, 0 = none given, -1 = rejected (XMP xmp:Rating); nil where nothing is said.
  package var rating: Int?
  /// Words that someone gave the picture (XMP dc:subject, IPTC 2:25).
  package var keywords: [String] = []
  /// XMP dc:title, else IPTC 2:05.
  package var title: String?
  /// XMP dc:description, else IPTC 2:120, else EXIF ImageDescription.
  package var caption: String?
  /// Who is in the picture: names of face regions (XMP mwg-rs, MP) and Iptc4xmpExt:PersonInImage.
  package var people: [String] = []
  /// What the file says of its own making, beyond EXIF's fields.
  package var hints: MediaHints = []
  /// Seconds; nil for stills.
  package var duration: Double?
  /// Pictures a second of a video.
  package var frameRate: Double?
  /// Where in the file a Motion Photo's video lies, in bytes; found and checked, never taken on trust.
  package var motionVideo: Range<Int>?
  /// Where in the file the embedded JPEG thumbnail lies, in bytes from the file's start.
  package var thumbnail: Range<Int>?

  package init(storedSize: PixelSize = .zero) {
    self.storedSize = storedSize
  }
}

/// Facts about how a medium was made that are either there or not.
package struct MediaHints: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// More than one frame.
  package static let animated = MediaHints(rawValue: 1 << 0)
  /// XMP GPano:ProjectionType.
  package static let panorama = MediaHints(rawValue: 1 << 1)
  /// A depth map: HEIC auxiliary image `urn:mpeg:hevc:2015:auxid:2`, XMP GDepth.
  package static let depthMap = MediaHints(rawValue: 1 << 2)
  /// A gain map: HEIC auxiliary image `urn:com:apple:photo:2020:aux:hdrgainmap`, XMP hdrgm:Version.
  package static let gainMap = MediaHints(rawValue: 1 << 3)
  /// Two views of one scene: a HEIC stereo pair, an MV-HEVC track.
  package static let stereo = MediaHints(rawValue: 1 << 4)
  /// QuickTime author ReplayKitRecording.
  package static let screenRecording = MediaHints(rawValue: 1 << 5)
  /// QuickTime or Android tags, or a frame rate of 100 and more.
  package static let slomo = MediaHints(rawValue: 1 << 6)
  /// Tags that say time-lapse.
  package static let timelapse = MediaHints(rawValue: 1 << 7)
  /// QuickTime `com.apple.quicktime.cinematic-video`.
  package static let cinematic = MediaHints(rawValue: 1 << 8)
  /// Tags that say long exposure.
  package static let longExposure = MediaHints(rawValue: 1 << 9)
}

/// A place on the earth in degrees, north and east positive.
package struct Coordinate: Hashable, Sendable {
  package var latitude: Double
  package var longitude: Double

  package init(latitude: Double, longitude: Double) {
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
