package import Pixels

/// What a photograph's or a video's file says about itself, before anyone interprets it.
///
/// Every field that the file does not carry, or carries damaged, is nil: metadata never makes a picture
/// unusable. Numbers that no camera means (NaN, infinities, an aperture of 1e30) become nil here, wherever they come
/// from, so that nobody who shows or converts one has to ask. An initializer outside of this file has to set them in a
/// method: Swift's observers don't see what initializers do.
package struct MediaFacts: Hashable, Sendable {
  /// The size of the stored pixels, before any orientation.
  package var storedSize: PixelSize {
    didSet { storedSize = Self.limited(storedSize) }
  }
  /// How the stored pixels have to be turned to stand upright (EXIF 0x0112).
  package var orientation: Orientation = .topLeft
  /// When the shutter opened: EXIF DateTimeOriginal (0x9003), CreateDate (0x9004), XMP, IPTC, and for want
  /// of a better one EXIF ModifyDate (0x0132).
  package var captureTime: CivilTime?
  /// Which of the file's blocks says it.
  package var captureTimeSource = CaptureTimeSource.exif
  /// Camera maker, as "Canon" (0x010F).
  package var make: String?
  /// Camera model, as "EOS 90D" (0x0110).
  package var model: String?
  /// Lens model (0xA434).
  package var lens: String?
  /// Sensitivity by ISO 12232 (0x8827).
  package var isoSpeed: Int? {
    didSet { isoSpeed = isoSpeed.within(0...1_000_000_000) }
  }
  /// Aperture as the f-number (0x829D).
  package var fNumber: Double? {
    didSet { fNumber = fNumber.within(0...1_000_000) }
  }
  /// Exposure time in seconds (0x829A).
  package var exposureTime: Double? {
    // Light travels a foot in the shortest one, and a year in the longest.
    didSet { exposureTime = exposureTime == 0 ? 0 : exposureTime.within(1e-9...31_536_000) }
  }
  /// Focal length in millimetres (0x920A).
  package var focalLength: Double? {
    didSet { focalLength = focalLength.within(0...100_000_000) }
  }
  /// Where it was taken, in degrees of WGS 84 (GPS tags 1 to 4).
  package var coordinate: Coordinate? {
    didSet { if let coordinate, !coordinate.isOnEarth { self.coordinate = nil } }
  }
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
  package var duration: Double? {
    // Nobody films for a year.
    didSet { duration = duration.within(0...31_536_000) }
  }
  /// Pictures a second of a video.
  package var frameRate: Double? {
    didSet { frameRate = frameRate.within(0...1_000_000_000) }
  }
  /// Where in the file a Motion Photo's video lies, in bytes; found and checked, never taken on trust.
  package var motionVideo: Range<Int>?
  /// Where in the file the embedded JPEG thumbnail lies, in bytes from the file's start.
  package var thumbnail: Range<Int>?

  package init(storedSize: PixelSize = .zero) {
    self.storedSize = Self.limited(storedSize)
  }

  /// No side that a format can say in 32 bits is longer, and none is shorter than nothing.
  package static let longestSide = Int(UInt32.max)

  private static func limited(_ size: PixelSize) -> PixelSize {
    PixelSize(
      width: min(max(0, size.width), longestSide), height: min(max(0, size.height), longestSide))
  }

  /// Takes a capture time where none is known.
  mutating func add(_ time: CivilTime?, from source: CaptureTimeSource) {
    guard captureTime == nil, let time else { return }
    captureTime = time
    captureTimeSource = source
  }
}

/// The kinds of metadata that tell when a picture was taken.
package enum CaptureTimeSource: UInt8, Hashable, Sendable {
  case exif, iptc, xmp, quickTime
}

extension Optional where Wrapped: Comparable {
  /// The number; nil where it lies outside of what is possible, or is none (NaN compares with nothing).
  fileprivate func within(_ possible: ClosedRange<Wrapped>) -> Wrapped? {
    flatMap { possible.contains($0) ? $0 : nil }
  }
}

// Blocks that others bring: the codec helper's, and sidecar files.
extension MediaFacts {
  /// Adds what metadata blocks say that stand outside of what was read so far.
  ///
  /// What is known already stays; keywords, people and hints are added. The orientation and the thumbnail of
  /// EXIF are left alone: a container that keeps its blocks apart has its own.
  /// - Parameters:
  ///   - exif: from its TIFF header on, with or without "Exif" and two NULs before.
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

  /// Adds what an XMP sidecar says: its rating, title and caption replace the file's own, because someone
  /// gave them later; all else is added where the file says nothing.
  package mutating func merge(sidecar packet: [UInt8]) {
    var blocks = MetadataBlocks()
    blocks.readXMP(packet)
    merge(sidecar: blocks.resolved())
  }

  /// The same with what was read of the sidecar already.
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
  /// Adds what is not there yet, in its order.
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
  /// A JPEG that not every program shows: one of four inks, of more than 8 bits a color, coded arithmetically, without loss
  /// or in a hierarchy of sizes.
  package static let rareJPEG = MediaHints(rawValue: 1 << 10)
  /// The capture time is that of a clock that counts in UTC, and nothing says what the clock on the wall showed.
  package static let countsInUTC = MediaHints(rawValue: 1 << 11)

  static let all = MediaHints(rawValue: (1 << 12) - 1)
}

/// A place on the earth in degrees, north and east positive.
package struct Coordinate: Hashable, Sendable {
  package var latitude: Double
  package var longitude: Double
  /// Meters above the sea; nil where nobody measured them, or where no camera has ever been.
  package private(set) var altitude: Double?

  package init(latitude: Double, longitude: Double, altitude: Double? = nil) {
    self.latitude = latitude
    self.longitude = longitude
    // From the bottom of the sea to satellites.
    self.altitude = altitude.flatMap { (-12_000...1_000_000).contains($0) ? $0 : nil }
  }

  /// A place as a receiver measured it; nil where it can't be one, or is the 0° 0° of a receiver that knew
  /// none.
  init?(measuredLatitude latitude: Double, longitude: Double, altitude: Double?) {
    self.init(latitude: latitude, longitude: longitude, altitude: altitude)
    guard isOnEarth, latitude != 0 || longitude != 0 else { return nil }
  }

  /// Whether the numbers are angles that a place can have; NaN is none.
  package var isOnEarth: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }
}
