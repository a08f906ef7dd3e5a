import Fixtures
import MediaFormats
import Metadata
import Pixels
import Testing

/// What is written lies where its directory says.
@Suite struct EXIFWriterTests {
  private let thumbnail: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9, 1, 2, 3]

  @Test(arguments: 1...8, 1...8)
  func `Texts of any length are read as they were written`(make: Int, model: Int) throws {
    var facts = MediaFacts(storedSize: PixelSize(width: 64, height: 48))
    facts.orientation = .rightTop
    facts.make = String(repeating: "m", count: make)
    facts.model = String(repeating: "d", count: model)
    facts.lens = String(repeating: "l", count: make + model)
    facts.captureTime = CivilTime(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9, utcOffset: 0)
    facts.isoSpeed = 400
    let segment = MetadataSegments.segment(0xE1, EXIFWriter.app1(facts, thumbnail: thumbnail))
    let bytes = MetadataSegments.jpeg(segment)
    var read = try #require(FileFacts.read(bytes, .jpeg))
    #expect(Array(bytes[try #require(read.thumbnail)]) == thumbnail)
    read.thumbnail = nil
    #expect(read == facts)
  }
}
