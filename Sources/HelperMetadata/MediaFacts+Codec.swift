package import CodecProtocol
package import Metadata
import Pixels

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
