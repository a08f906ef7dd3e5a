package import MediaFormats
package import Metadata
import Pixels

/// What a heavy library reads from a file: container properties, and metadata blocks as stored.
///
/// Stays in the helper: `ReportService` converts it to `MediaFacts` or to the metadata of a copy.
package struct CodecFacts: Hashable {
  /// Size in pixels of the decoded picture, after the container's own rotation.
  package var width = 0
  package var height = 0
  /// Seconds; 0 for stills.
  package var duration: Double = 0
  /// Frames per second; 0 for stills.
  package var frameRate: Double = 0
  /// More than one picture, shown in sequence.
  package var isAnimated = false
  /// Two views of one scene.
  package var isStereo = false
  /// Byte range of a Motion Photo's video that is stored in a box of a HEIC file ("mpvd"); nil if there is none.
  package var videoBox: Range<Int>?
  /// The types of HEIC auxiliary images, as URNs.
  package var auxiliaryTypes: [String] = []
  /// Tags of the container by name, such as "com.apple.quicktime.creationdate".
  package var tags: [String: String] = [:]
  /// Container and tracks of a video; nil for other files.
  package var movie: MovieDetails?
  /// The maker's data of a raw file; nil for other files.
  package var camera: CameraFacts?
  /// An EXIF block from its TIFF header on; empty if there is none.
  package var exif: [UInt8] = []
  /// An XMP packet; empty if there is none.
  package var xmp: [UInt8] = []

  package init() {}
}

/// Camera settings as LibRaw interprets them; nil if the file lacks them.
package struct CameraFacts: Hashable {
  package var make: String?
  package var model: String?
  package var lens: String?
  /// Sensitivity by ISO 12232.
  package var isoSpeed: Double?
  /// Seconds.
  package var exposureTime: Double?
  package var fNumber: Double?
  /// Millimeters.
  package var focalLength: Double?
  /// Seconds between 1970-01-01 00:00:00 and the capture, both in the camera's local time.
  package var captureSeconds: Int64?
  /// Degrees of WGS 84, north positive; set only together with the longitude.
  package var latitude: Double?
  /// Degrees of WGS 84, east positive.
  package var longitude: Double?

  package init() {}

  /// These settings as EXIF.
  var exif: [UInt8] {
    var facts = MediaFacts()
    (facts.make, facts.model, facts.lens) = (make, model, lens)
    facts.isoSpeed = isoSpeed.flatMap { Int(exactly: $0.rounded()) }
    (facts.exposureTime, facts.fNumber, facts.focalLength) = (exposureTime, fNumber, focalLength)
    facts.captureTime = captureSeconds.flatMap(CivilTime.init(wallSeconds:))
    return Array(EXIFWriter.app1(facts).dropFirst(6))
  }
}

extension MediaFacts {
  /// Creates the facts of a file from what a heavy library read.
  ///
  /// The size is that of the decoded, upright picture: an EXIF orientation inside a container with its own rotation
  /// is a leftover, and ignored (ISO/IEC 23008-12, 6.5.10).
  package init(_ codec: CodecFacts) {
    self.init()
    fill(from: codec)
  }

  /// Not in the initializer, where the property observers that clamp values would not run.
  private mutating func fill(from codec: CodecFacts) {
    if !codec.exif.isEmpty { merge(exif: codec.exif) }
    if !codec.xmp.isEmpty { merge(xmp: codec.xmp) }
    storedSize = PixelSize(width: codec.width, height: codec.height)
    orientation = .topLeft
    // These ranges are relative to the file's start, but were read inside a block.
    thumbnail = nil
    motionVideo = nil
    if let camera = codec.camera { merge(camera) }
    merge(quickTime: codec.tags, frameRate: codec.frameRate)
    if codec.duration > 0 { duration = codec.duration }
    if codec.frameRate > 0 { frameRate = codec.frameRate }
    hints.formUnion(Self.hints(codec))
    movie = codec.movie
  }

  private static func hints(_ codec: CodecFacts) -> MediaHints {
    var hints: MediaHints = []
    if codec.isAnimated { hints.insert(.animated) }
    if codec.isStereo { hints.insert(.stereo) }
    for type in codec.auxiliaryTypes {
      switch type {
      case "urn:mpeg:hevc:2015:auxid:2", "urn:mpeg:mpegB:cicp:systems:auxiliary:depth":
        hints.insert(.depthMap)
      case "urn:com:apple:photo:2020:aux:hdrgainmap": hints.insert(.gainMap)
      default: break
      }
    }
    return hints
  }

  /// Adds LibRaw's values; those from EXIF or XMP take precedence.
  private mutating func merge(_ camera: CameraFacts) {
    make = make ?? camera.make
    model = model ?? camera.model
    lens = lens ?? camera.lens
    isoSpeed = isoSpeed ?? camera.isoSpeed.flatMap { Int(exactly: $0.rounded()) }
    exposureTime = exposureTime ?? camera.exposureTime
    fNumber = fNumber ?? camera.fNumber
    focalLength = focalLength ?? camera.focalLength
    captureTime = captureTime ?? camera.captureSeconds.flatMap(CivilTime.init(wallSeconds:))
    if coordinate == nil, let latitude = camera.latitude, let longitude = camera.longitude {
      coordinate = Coordinate(latitude: latitude, longitude: longitude)
    }
  }
}
