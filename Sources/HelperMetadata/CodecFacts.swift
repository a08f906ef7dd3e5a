package import Metadata
import Pixels

/// What a heavy library tells of a file: containers' facts, and metadata blocks as they are.
///
/// It stays in the helper: `ReportService` makes `MediaFacts` of it, or the metadata of a copy.
package struct CodecFacts: Hashable {
  /// Pixels as the decoder gives them: a container's own rotation is applied already.
  package var width = 0
  package var height = 0
  /// Seconds; 0 for stills.
  package var duration: Double = 0
  /// Pictures a second; 0 for stills.
  package var frameRate: Double = 0
  /// More than one picture, shown one after another.
  package var isAnimated = false
  /// Two views of one scene.
  package var isStereo = false
  /// Where in the file the video of a Motion Photo lies that is a box of a HEIC file ("mpvd"); nil where there is none.
  package var videoBox: Range<Int>?
  /// The types of HEIC auxiliary images, as URNs.
  package var auxiliaryTypes: [String] = []
  /// Tags of the container by their names, as "com.apple.quicktime.creationdate".
  package var tags: [String: String] = [:]
  /// What a raw file's maker recorded; nil for other files.
  package var camera: CameraFacts?
  /// An EXIF block from its TIFF header on; empty where there is none.
  package var exif: [UInt8] = []
  /// An XMP packet; empty where there is none.
  package var xmp: [UInt8] = []

  package init() {}
}

/// A camera's settings as LibRaw understands them, each nil where the file says nothing.
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
  /// Seconds from 1970-01-01 00:00:00, both as the camera's clock shows them.
  package var captureSeconds: Int64?
  /// Degrees of WGS 84, north positive; never without the longitude.
  package var latitude: Double?
  /// Degrees of WGS 84, east positive.
  package var longitude: Double?

  package init() {}

  /// What the camera recorded, as EXIF.
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
  /// What the heavy libraries found, in the terms of a file that tpick read itself.
  ///
  /// The size is that of the decoded picture, which stands upright: an EXIF orientation inside a container
  /// that has its own way of turning is a leftover, and ignored (ISO/IEC 23008-12, 6.5.10).
  package init(_ codec: CodecFacts) {
    self.init()
    fill(from: codec)
  }

  /// Not in the initializer, which the bounds of the properties would not see.
  private mutating func fill(from codec: CodecFacts) {
    if !codec.exif.isEmpty { merge(exif: codec.exif) }
    if !codec.xmp.isEmpty { merge(xmp: codec.xmp) }
    storedSize = PixelSize(width: codec.width, height: codec.height)
    orientation = .topLeft
    // Ranges count from the file's start, and these were found inside a block.
    thumbnail = nil
    motionVideo = nil
    if let camera = codec.camera { merge(camera) }
    merge(quickTime: codec.tags, frameRate: codec.frameRate)
    if codec.duration > 0 { duration = codec.duration }
    if codec.frameRate > 0 { frameRate = codec.frameRate }
    hints.formUnion(Self.hints(codec))
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

  /// Adds what LibRaw understood; what EXIF or XMP said stays.
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
