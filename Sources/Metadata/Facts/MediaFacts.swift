package import MediaFormats
package import Pixels

/// The metadata in the file of a photo or video, before any interpretation.
///
/// Fields that the file does not have, or whose values are damaged, are nil: invalid metadata never makes an
/// image unusable. Implausible numbers (NaN, infinities, an aperture of 1e30) become nil here, regardless of
/// their source, so that users of the fields need no checks. An initializer outside this file must set them
/// in a method, because property observers are not called in initializers.
package struct MediaFacts: Hashable, Sendable {
  /// The size of the stored pixels, before orientation.
  package var storedSize: PixelSize {
    didSet { storedSize = Self.limited(storedSize) }
  }
  /// The rotation and mirroring that turns the stored pixels upright (EXIF 0x0112).
  package var orientation: Orientation = .topLeft
  /// When the photo was taken: EXIF DateTimeOriginal (0x9003), CreateDate (0x9004), XMP, IPTC, and as a last
  /// resort EXIF ModifyDate (0x0132).
  package var captureTime: CivilTime?
  /// The metadata block that contains it.
  package var captureTimeSource = CaptureTimeSource.exif
  /// The camera's maker, as "Canon" (0x010F).
  package var make: String?
  /// The camera's model, as "EOS 90D" (0x0110).
  package var model: String?
  /// The lens model (0xA434).
  package var lens: String?
  /// The ISO speed by ISO 12232 (0x8827).
  package var isoSpeed: Int? {
    didSet { isoSpeed = isoSpeed.within(0...1_000_000_000) }
  }
  /// The aperture as f-number (0x829D).
  package var fNumber: Double? {
    didSet { fNumber = fNumber.within(0...1_000_000) }
  }
  /// The exposure time in seconds (0x829A).
  package var exposureTime: Double? {
    // One nanosecond, in which light travels a foot, to one year.
    didSet { exposureTime = exposureTime == 0 ? 0 : exposureTime.within(1e-9...31_536_000) }
  }
  /// The focal length in millimeters (0x920A).
  package var focalLength: Double? {
    didSet { focalLength = focalLength.within(0...100_000_000) }
  }
  /// The location in degrees of WGS 84 (GPS tags 1 to 4).
  package var coordinate: Coordinate? {
    didSet { if let coordinate, !coordinate.isOnEarth { self.coordinate = nil } }
  }
  /// Processing of several exposures or a depth map (0xA401).
  ///
  /// In addition to EXIF's two values, Apple uses 2 and 3 for HDR, 6 for panoramas, 7 and 8 for portraits.
  package var customRendered: Int?
  /// The comment of the camera or the system (0x9286), such as "Screenshot".
  package var userComment: String?
  /// The burst that the photo belongs to (Apple MakerNote 0x000B).
  package var burstIdentifier: String?
  /// The identifier that a Live Photo's image and video share (Apple MakerNote 0x0011).
  package var contentIdentifier: String?
  /// Apple MakerNote 0x000A: 3 = HDR, 4 = the original of an HDR photo.
  package var hdrImageType: Int?
  /// 1 to 5 stars, 0 = unrated, -1 = rejected (XMP xmp:Rating); nil if there is no rating.
  package var rating: Int?
  /// The keywords (XMP dc:subject, IPTC 2:25).
  package var keywords: [String] = []
  /// The title: XMP dc:title, otherwise IPTC 2:05.
  package var title: String?
  /// The caption: XMP dc:description, otherwise IPTC 2:120, otherwise EXIF ImageDescription.
  package var caption: String?
  /// The people in the photo: names of face regions (XMP mwg-rs, MP) and Iptc4xmpExt:PersonInImage.
  package var people: [String] = []
  /// Properties of the recording beyond EXIF's fields.
  package var hints: MediaHints = []
  /// The duration in seconds; nil for stills.
  package var duration: Double? {
    // At most one year.
    didSet { duration = duration.within(0...31_536_000) }
  }
  /// The frame rate of a video in frames per second.
  package var frameRate: Double? {
    didSet { frameRate = frameRate.within(0...1_000_000_000) }
  }
  /// The container and tracks of a video; nil for other files.
  package var movie: MovieDetails?
  /// The byte range of a Motion Photo's video in the file, which was verified to contain a video.
  package var motionVideo: Range<Int>?
  /// The byte range of the embedded JPEG thumbnail, from the start of the file.
  package var thumbnail: Range<Int>?

  package init(storedSize: PixelSize = .zero) {
    self.storedSize = Self.limited(storedSize)
  }

  /// The maximum length of a side: formats store it in 32 bits.
  package static let longestSide = Int(UInt32.max)

  private static func limited(_ size: PixelSize) -> PixelSize {
    PixelSize(
      width: min(max(0, size.width), longestSide), height: min(max(0, size.height), longestSide))
  }

  /// Sets the capture time if none is known.
  mutating func add(_ time: CivilTime?, from source: CaptureTimeSource) {
    guard captureTime == nil, let time else { return }
    captureTime = time
    captureTimeSource = source
  }
}

/// The kinds of metadata that contain a capture time.
package enum CaptureTimeSource: UInt8, Hashable, Sendable {
  case exif, iptc, xmp, quickTime
}

extension Optional where Wrapped: Comparable {
  /// The value; nil if it is not in the range, or is NaN, which is in no range.
  fileprivate func within(_ possible: ClosedRange<Wrapped>) -> Wrapped? {
    flatMap { possible.contains($0) ? $0 : nil }
  }
}

// Metadata blocks from other sources: the codec helper and sidecar files.
extension MediaFacts {
  /// Adds metadata blocks that were not part of what was read so far.
  ///
  /// Known values are kept; keywords, people and hints are added. The orientation and the thumbnail of the
  /// EXIF block are ignored, because a container with separate blocks has its own.
  /// - Parameters:
  ///   - exif: an EXIF structure from its TIFF header on, optionally preceded by "Exif" and two NULs.
  ///   - xmp: a packet.
  ///   - iptc: IIM datasets.
  package mutating func merge(exif: [UInt8] = [], xmp: [UInt8] = [], iptc: [UInt8] = []) {
    var blocks = MetadataBlocks()
    if !exif.isEmpty {
      var window = ByteWindow(exif)
      let start = window.has("Exif\0\0", at: 0) ? 6 : 0
      blocks.readEXIF(start..<exif.count, in: &window)
    }
    if !xmp.isEmpty { blocks.readXMP(xmp) }
    if !iptc.isEmpty { blocks.iptc = IPTCFacts(iptc[...]) }
    add(blocks.resolved())
  }

  /// Adds an XMP sidecar: its rating, title and caption replace those of the file, because they were written
  /// later; other values are added only if the file has none.
  package mutating func merge(sidecar packet: [UInt8]) {
    var blocks = MetadataBlocks()
    blocks.readXMP(packet)
    merge(sidecar: blocks.resolved())
  }

  /// Adds the parsed metadata of a sidecar.
  package mutating func merge(sidecar found: MediaFacts) {
    rating = found.rating ?? rating
    title = found.title ?? title
    caption = found.caption ?? caption
    add(found)
  }

  private mutating func add(_ other: MediaFacts) {
    add(other.captureTime, from: other.captureTimeSource)
    make = make ?? other.make
    model = model ?? other.model
    lens = lens ?? other.lens
    isoSpeed = isoSpeed ?? other.isoSpeed
    fNumber = fNumber ?? other.fNumber
    exposureTime = exposureTime ?? other.exposureTime
    focalLength = focalLength ?? other.focalLength
    coordinate = coordinate ?? other.coordinate
    customRendered = customRendered ?? other.customRendered
    userComment = userComment ?? other.userComment
    burstIdentifier = burstIdentifier ?? other.burstIdentifier
    contentIdentifier = contentIdentifier ?? other.contentIdentifier
    hdrImageType = hdrImageType ?? other.hdrImageType
    rating = rating ?? other.rating
    title = title ?? other.title
    caption = caption ?? other.caption
    keywords.appendMissing(other.keywords)
    people.appendMissing(other.people)
    hints.formUnion(other.hints)
  }
}

extension Array where Element == String {
  /// Appends the elements that are missing, in order.
  mutating func appendMissing(_ others: [String]) {
    if others.isEmpty { return }
    if isEmpty, others.count == 1 {
      self = others
      return
    }
    var known = Set(self)
    for other in others where known.insert(other).inserted { append(other) }
  }
}

/// Boolean properties of how a photo or video was made.
package struct MediaHints: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The image has more than one frame.
  package static let animated = MediaHints(rawValue: 1 << 0)
  /// A panorama (XMP GPano:ProjectionType).
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
  /// A time-lapse, according to its tags.
  package static let timelapse = MediaHints(rawValue: 1 << 7)
  /// QuickTime `com.apple.quicktime.cinematic-video`.
  package static let cinematic = MediaHints(rawValue: 1 << 8)
  /// A long exposure, according to its tags.
  package static let longExposure = MediaHints(rawValue: 1 << 9)
  /// A JPEG variant that some programs can't show: CMYK, more than 8 bits per channel, arithmetic coding,
  /// lossless, or hierarchical.
  package static let rareJPEG = MediaHints(rawValue: 1 << 10)
  /// The capture time is from a clock in UTC, and the local time is unknown.
  package static let countsInUTC = MediaHints(rawValue: 1 << 11)

  static let all = MediaHints(rawValue: (1 << 12) - 1)
}

/// A location in degrees, north and east positive.
package struct Coordinate: Hashable, Sendable {
  package var latitude: Double
  package var longitude: Double
  /// Meters above sea level; nil if unknown or implausible.
  package private(set) var altitude: Double?

  package init(latitude: Double, longitude: Double, altitude: Double? = nil) {
    self.latitude = latitude
    self.longitude = longitude
    // From the bottom of the sea to satellites.
    self.altitude = altitude.flatMap { (-12_000...1_000_000).contains($0) ? $0 : nil }
  }

  /// Creates a location from a receiver's measurement; nil if it is impossible, or 0° 0°, which receivers
  /// write without a fix.
  init?(measuredLatitude latitude: Double, longitude: Double, altitude: Double?) {
    self.init(latitude: latitude, longitude: longitude, altitude: altitude)
    guard isOnEarth, latitude != 0 || longitude != 0 else { return nil }
  }

  /// Whether the numbers are valid angles; false for NaN.
  package var isOnEarth: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }
}
