/// What the codec helper tells of a file: containers' facts, and metadata blocks as they are.
package struct CodecFacts: Hashable, Sendable {
  /// Pixels as the decoder gives them: a container's own rotation is applied already.
  package var width = 0
  package var height = 0
  /// Seconds; 0 for stills.
  package var duration: Double = 0
  /// Pictures a second; 0 for stills.
  package var frameRate: Double = 0
  package var hasVideo = false
  package var hasAudio = false
  /// More than one picture, shown one after another.
  package var isAnimated = false
  /// Two views of one scene.
  package var isStereo = false
  /// How many pictures a HEIC or AVIF file shows side by side, thumbnails and auxiliary images not counted.
  package var imageCount = 0
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

extension CodecFacts {
  func write(to wire: inout WireWriter) {
    wire.put(UInt32(clamping: width))
    wire.put(UInt32(clamping: height))
    wire.put(duration)
    wire.put(frameRate)
    for flag in [hasVideo, hasAudio, isAnimated, isStereo] { wire.put(flag) }
    wire.put(UInt32(clamping: imageCount))
    wire.put(videoBox) { wire, range in
      wire.put(Int64(range.lowerBound))
      wire.put(Int64(range.upperBound))
    }
    wire.put(UInt32(auxiliaryTypes.count))
    for type in auxiliaryTypes { wire.put(type) }
    wire.put(UInt32(tags.count))
    for (name, value) in tags {
      wire.put(name)
      wire.put(value)
    }
    wire.put(camera) { $1.write(to: &$0) }
    wire.put(exif)
    wire.put(xmp)
  }

  init(from wire: inout WireReader) throws(WireError) {
    width = Int(try wire.integer(UInt32.self))
    height = Int(try wire.integer(UInt32.self))
    duration = try wire.double()
    frameRate = try wire.double()
    hasVideo = try wire.bool()
    hasAudio = try wire.bool()
    isAnimated = try wire.bool()
    isStereo = try wire.bool()
    imageCount = Int(try wire.integer(UInt32.self))
    videoBox = try wire.optional { reader throws(WireError) in
      let (start, end) = (try reader.integer(Int64.self), try reader.integer(Int64.self))
      guard start >= 0, start <= end else { throw WireError() }
      return Int(start)..<Int(end)
    }
    for _ in 0..<(try wire.count(ofElements: 4)) { auxiliaryTypes.append(try wire.string()) }
    for _ in 0..<(try wire.count(ofElements: 8)) {
      let name = try wire.string()
      tags[name] = try wire.string()
    }
    camera = try wire.optional { reader throws(WireError) in try CameraFacts(from: &reader) }
    exif = try wire.byteString()
    xmp = try wire.byteString()
    guard duration.isFinite, duration >= 0, frameRate.isFinite, frameRate >= 0 else { throw WireError() }
  }
}

extension CameraFacts {
  func write(to wire: inout WireWriter) {
    for text in [make, model, lens] { wire.put(text) { $0.put($1) } }
    for number in [isoSpeed, exposureTime, fNumber, focalLength] { wire.put(number) { $0.put($1) } }
    wire.put(captureSeconds) { $0.put($1) }
    for number in [latitude, longitude] { wire.put(number) { $0.put($1) } }
  }

  init(from wire: inout WireReader) throws(WireError) {
    make = try wire.optional(Self.text)
    model = try wire.optional(Self.text)
    lens = try wire.optional(Self.text)
    isoSpeed = try wire.optional(Self.number)
    exposureTime = try wire.optional(Self.number)
    fNumber = try wire.optional(Self.number)
    focalLength = try wire.optional(Self.number)
    captureSeconds = try wire.optional { reader throws(WireError) in try reader.integer() }
    latitude = try wire.optional(Self.number)
    longitude = try wire.optional(Self.number)
  }

  private static func text(_ wire: inout WireReader) throws(WireError) -> String {
    try wire.string()
  }

  private static func number(_ wire: inout WireReader) throws(WireError) -> Double {
    let value = try wire.double()
    guard value.isFinite else { throw WireError() }
    return value
  }
}

/// A camera's settings as LibRaw understands them, each nil where the file says nothing.
package struct CameraFacts: Hashable, Sendable {
  package var make: String?
  package var model: String?
  package var lens: String?
  /// Sensitivity by ISO 12232.
  package var isoSpeed: Double?
  /// Seconds.
  package var exposureTime: Double?
  package var fNumber: Double?
  /// Millimetres.
  package var focalLength: Double?
  /// Seconds from 1970-01-01 00:00:00, both as the camera's clock shows them.
  package var captureSeconds: Int64?
  /// Degrees of WGS 84, north positive; never without the longitude.
  package var latitude: Double?
  /// Degrees of WGS 84, east positive.
  package var longitude: Double?

  package init() {}
}
