package import Imaging
package import Metadata
package import Pixels

/// A JPEG file as a camera writes it: `TestPicture` stored in some orientation, with matching EXIF.
package struct TestPhoto: Sendable {
  /// The upright picture.
  package var picture: PixelBuffer
  /// The orientation, the camera and the date; `storedSize` and `thumbnail` are ignored.
  package var facts = MediaFacts()
  /// The embedded thumbnail as stored, not turned upright; nil = no thumbnail.
  package var thumbnail: PixelBuffer?
  /// libjpeg's quality, 1 to 100.
  package var quality = 90
  package var subsampling = JPEGEncoder.Subsampling.quarter
  package var isProgressive = false
  /// Whether there is an EXIF segment at all.
  package var hasEXIF = true

  /// A photo of any picture.
  package init(_ picture: PixelBuffer, orientation: Orientation = .topLeft, date: CivilTime? = nil) {
    self.picture = picture
    facts.orientation = orientation
    facts.captureTime = date
  }

  /// A photo of `TestPicture` with the given upright size.
  package init(
    width: Int = 640, height: Int = 480, orientation: Orientation = .topLeft, date: CivilTime? = nil
  ) {
    self.init(TestPicture.make(width: width, height: height), orientation: orientation, date: date)
  }

  /// Sets camera and exposure: a complete set of metadata.
  package mutating func setCamera() {
    facts.make = "Canon"
    facts.model = "Canon EOS 90D"
    facts.lens = "EF-S18-135mm f/3.5-5.6 IS USM"
    facts.isoSpeed = 200
    facts.fNumber = 4
    facts.exposureTime = 1.0 / 250
    facts.focalLength = 35
  }

  /// Embeds the picture itself, reduced into a box of `size`.
  ///
  /// With another aspect ratio it gets black bars, as DCF prescribes for 160×120. Set the orientation first.
  package mutating func embedThumbnail(in size: PixelSize = PixelSize(width: 160, height: 120)) {
    let stored = picture.stored(as: facts.orientation)
    let inner = stored.resampled(to: stored.size.scaled(toward: size, .aspectFit))
    var boxed = PixelBuffer(size: size, filledWith: .black)
    let (left, top) = ((size.width - inner.width) / 2, (size.height - inner.height) / 2)
    for y in 0..<inner.height {
      for x in 0..<inner.width { boxed[left + x, top + y] = inner[x, y] }
    }
    thumbnail = boxed
  }

  /// The orientation in which the picture is stored.
  package var orientation: Orientation {
    get { facts.orientation }
    set { facts.orientation = newValue }
  }

  /// The size of the stored pixels.
  package var storedSize: PixelSize { facts.orientation.upright(picture.size) }

  /// The bytes of the file.
  /// - Throws: `FixtureError` if the picture can't be encoded.
  package func bytes() throws -> [UInt8] { try file().bytes }

  /// The bytes of the file, and the range of the thumbnail.
  /// - Throws: `FixtureError` if the picture can't be encoded.
  package func file() throws -> (bytes: [UInt8], thumbnail: Range<Int>?) {
    var app1: [UInt8] = []
    var small: [UInt8] = []
    if hasEXIF {
      small = try thumbnail.map { try Self.jpeg($0, quality: 75) } ?? []
      app1 = EXIFWriter.app1(facts, thumbnail: small)
    }
    let bytes = try Self.jpeg(
      picture.stored(as: facts.orientation), quality: quality, subsampling: subsampling,
      isProgressive: isProgressive,
      app1: app1)
    // SOI, the marker and the length precede the segment; the thumbnail is at the segment's end.
    let end = 6 + app1.count
    return (bytes, small.isEmpty ? nil : end - small.count..<end)
  }

  private static func jpeg(
    _ picture: PixelBuffer, quality: Int, subsampling: JPEGEncoder.Subsampling = .quarter,
    isProgressive: Bool = false, app1: [UInt8] = []
  ) throws -> [UInt8] {
    let bytes = JPEGEncoder.encode(
      picture, quality: quality, subsampling: subsampling, isProgressive: isProgressive, app1: app1)
    guard let bytes else { throw FixtureError("no JPEG of \(picture.size) pixels") }
    return bytes
  }
}

extension CivilTime {
  /// A day of 2024 at noon, without an offset: for photos of which only the order matters.
  package static func day(_ day: Int, month: Int = 5, year: Int = 2024) -> CivilTime {
    CivilTime(year: year, month: month, day: day, hour: 12, minute: 0, second: 0)
  }
}
