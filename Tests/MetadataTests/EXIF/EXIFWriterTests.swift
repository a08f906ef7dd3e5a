import Fixtures
import MediaFormats
import Metadata
import Pixels
import Testing

/// Written values are where the directory says.
@Suite struct EXIFWriterTests {
  private let thumbnail: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9, 1, 2, 3]

  @Test(arguments: 1...8, 1...8)
  func `Texts of any length are read back unchanged`(make: Int, model: Int) throws {
    var facts = MediaFacts(storedSize: PixelSize(width: 64, height: 48))
    facts.orientation = .rightTop
    facts.make = String(repeating: "m", count: make)
    facts.model = String(repeating: "d", count: model)
    facts.lens = String(repeating: "l", count: make + model)
    facts.captureTime = CivilTime(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9, utcOffset: 0)
    facts.isoSpeed = 400
    try expectReadAsWritten(facts)
  }

  @Test(arguments: [(2024, "2024:05:02 14:10:09"), (5, "0005:05:02 14:10:09")])
  func `A date is written in the 20 bytes that EXIF prescribes`(year: Int, text: String) throws {
    var facts = MediaFacts(storedSize: PixelSize(width: 64, height: 48))
    facts.captureTime = CivilTime(year: year, month: 5, day: 2, hour: 14, minute: 10, second: 9)
    let bytes = EXIFWriter.app1(facts)
    let written = Array(text.utf8) + [0]
    #expect(bytes.indices.contains { bytes[$0...].starts(with: written) })
    #expect(!bytes.indices.contains { bytes[$0...].starts(with: Array("0".utf8) + written) })
  }

  @Test(arguments: [0, 7_000_000, 340_000_000, 999_000_000])
  func `Milliseconds are read back unchanged`(nanosecond: Int) throws {
    var facts = MediaFacts(storedSize: PixelSize(width: 64, height: 48))
    facts.captureTime = CivilTime(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9)
    facts.captureTime?.nanosecond = nanosecond
    try expectReadAsWritten(facts)
  }

  @Test(arguments: [0, 65_534, 65_535, 65_536, 102_400, 3_280_000, 1_000_000_000])
  func `Any sensitivity is read back unchanged`(isoSpeed: Int) throws {
    var facts = MediaFacts(storedSize: PixelSize(width: 64, height: 48))
    facts.isoSpeed = isoSpeed
    facts.lens = "a lens"
    try expectReadAsWritten(facts)
  }

  @Test(arguments: [1e-9, 1.0 / 8000, 0.5, 1, 30, 429_496, 429_497, 31_536_000])
  func `Any exposure time is read back unchanged`(seconds: Double) throws {
    var facts = MediaFacts(storedSize: PixelSize(width: 64, height: 48))
    facts.exposureTime = seconds
    let read = try read(facts)
    let found = try #require(read.exposureTime)
    #expect(abs(found - seconds) <= seconds / 1000)
  }

  @Test(
    arguments: [
      (38.71667, -9.13333, 12.5), (-33.856784, 151.215297, nil), (0.0000001, -0.5, -417), (90, 180, 8848.86),
      (-59.99999999, 59.999999999, 0),
    ] as [(Double, Double, Double?)], [0, 1])
  func `A location is read back to less than a millimeter`(
    place: (latitude: Double, longitude: Double, altitude: Double?), thumbnail: Int
  ) throws {
    var facts = MediaFacts(storedSize: PixelSize(width: 64, height: 48))
    facts.lens = "a lens"
    facts.captureTime = CivilTime(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9)
    facts.coordinate = Coordinate(
      latitude: place.latitude, longitude: place.longitude, altitude: place.altitude)
    let segment = MetadataSegments.segment(
      0xE1, EXIFWriter.app1(facts, thumbnail: thumbnail == 0 ? [] : self.thumbnail))
    var read = try #require(FileFacts.read(MetadataSegments.jpeg(segment), .jpeg))
    let found = try #require(read.coordinate)
    #expect(abs(found.latitude - place.latitude) < 1e-8 && abs(found.longitude - place.longitude) < 1e-8)
    #expect(abs((found.altitude ?? -1) - (place.altitude ?? -1)) < 0.001)
    (read.thumbnail, read.coordinate) = (nil, facts.coordinate)
    #expect(read == facts)
  }

  private func read(_ facts: MediaFacts) throws -> MediaFacts {
    try #require(
      FileFacts.read(MetadataSegments.jpeg(MetadataSegments.segment(0xE1, EXIFWriter.app1(facts))), .jpeg))
  }

  private func expectReadAsWritten(_ facts: MediaFacts) throws {
    let segment = MetadataSegments.segment(0xE1, EXIFWriter.app1(facts, thumbnail: thumbnail))
    let bytes = MetadataSegments.jpeg(segment)
    var read = try #require(FileFacts.read(bytes, .jpeg))
    #expect(Array(bytes[try #require(read.thumbnail)]) == thumbnail)
    read.thumbnail = nil
    #expect(read == facts)
  }
}
