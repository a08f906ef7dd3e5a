import Fixtures
import Metadata
import Testing

/// IPTC, EXIF texts, and the precedence of several sources.
@Suite struct MetadataBlocksTests {
  private func facts(_ segments: [UInt8]) throws -> MediaFacts {
    try #require(JPEGFacts.read(from: MemoryByteSource(MetadataSegments.jpeg(segments))))
  }

  private var datasets: [UInt8] {
    MetadataSegments.dataset(90, [0x1B, 0x25, 0x47], record: 1)
      + MetadataSegments.dataset(5, Array("Überschrift".utf8)) + MetadataSegments.dataset(25, Array("a".utf8))
      + MetadataSegments.dataset(25, Array("b".utf8)) + MetadataSegments.dataset(55, Array("20200203".utf8))
      + MetadataSegments.dataset(60, Array("040506-0330".utf8))
      + MetadataSegments.dataset(120, Array("Text".utf8))
  }

  @Test func `IPTC datasets are read`() throws {
    let facts = try self.facts(MetadataSegments.iptcSegment(datasets))
    #expect(facts.title == "Überschrift")
    #expect(facts.caption == "Text")
    #expect(facts.keywords == ["a", "b"])
    #expect(
      facts.captureTime
        == CivilTime(year: 2020, month: 2, day: 3, hour: 4, minute: 5, second: 6, utcOffset: -12600))
  }

  @Test func `IPTC without a character set is UTF-8 if valid, else Latin-1`() {
    func title(_ bytes: [UInt8]) -> String? {
      var facts = MediaFacts()
      facts.merge(iptc: MetadataSegments.dataset(5, bytes))
      return facts.title
    }
    #expect(title([0x46, 0xFC, 0x72]) == "Für")
    #expect(title(Array("Für".utf8)) == "Für")
  }

  @Test func `IPTC truncated anywhere never crashes`() {
    for count in 0..<datasets.count {
      var facts = MediaFacts()
      facts.merge(iptc: Array(datasets.prefix(count)))
      // Complete values before the cut are there, partial ones are not.
      #expect(["a", "b"].starts(with: facts.keywords) && facts.caption == nil)
      let segment = MetadataSegments.iptcSegment(datasets)
      _ = JPEGFacts.read(from: MemoryByteSource(MetadataSegments.jpeg(Array(segment.prefix(count)))))
    }
  }

  private var exif: TIFFFile {
    var photo = TIFFFile()
    photo.text(0x9004, "2018:01:01 00:00:00")
    photo.block(0x9286, Array("UNICODE\0".utf8) + "Grüße".utf16.flatMap { MediaBytes.little(Int($0), 2) })
    var file = TIFFFile()
    file.text(0x010E, "EXIF caption")
    file.short(0x4746, 2)
    file.block(0x9C9B, "Wide".utf16.flatMap { MediaBytes.little(Int($0), 2) } + [0, 0], type: 1)
    file.block(0x9C9E, "x; y".utf16.flatMap { MediaBytes.little(Int($0), 2) }, type: 1)
    file.directory(0x8769, photo)
    return file
  }

  @Test func `EXIF texts are read`() throws {
    let facts = try self.facts(MetadataSegments.exifSegment(exif))
    #expect(facts.caption == "EXIF caption")
    #expect(facts.title == "Wide")
    #expect(facts.keywords == ["x", "y"])
    #expect(facts.rating == 2)
    #expect(facts.userComment == "Grüße")
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func `The date comes from EXIF and texts from XMP, in any order of storage`(order: [Int]) throws {
    let xmp = MetadataSegments.xmp(
      attributes: "xmp:Rating=\"3\" xmp:CreateDate=\"2019-01-01T00:00:00\"",
      elements: MetadataSegments.list("dc:subject", ["c", "b"]) + "<dc:title>XMP title</dc:title>")
    let blocks = [
      MetadataSegments.exifSegment(exif), MetadataSegments.xmpSegment(xmp),
      MetadataSegments.iptcSegment(datasets),
    ]
    let facts = try self.facts(order.flatMap { blocks[$0] })
    #expect(facts.captureTime?.year == 2018)
    #expect(facts.title == "XMP title")
    #expect(facts.caption == "Text")
    #expect(facts.keywords == ["c", "b", "a"])
    #expect(facts.rating == 3)
  }

  @Test func `Blocks from the helper are merged, with or without the EXIF marker`() {
    for mark in [[], Array("Exif\0\0".utf8)] {
      var facts = MediaFacts()
      facts.title = "known"
      facts.merge(exif: mark + exif.bytes(), xmp: MetadataSegments.xmp(attributes: "xmp:Rating=\"3\""))
      #expect(facts.title == "known")
      #expect(facts.caption == "EXIF caption")
      #expect(facts.rating == 3)
      #expect(facts.captureTime?.year == 2018)
    }
  }

  /// A source that fails at its second read.
  private struct FailingSource: ByteSource {
    struct Failure: Error {}
    var bytes: [UInt8]

    func read(at offset: Int, count: Int) throws(Failure) -> [UInt8] {
      if offset > 0 { throw Failure() }
      return Array(bytes.prefix(count))
    }
  }

  @Test func `A failed read is an error, not a damaged file`() {
    let long = MetadataSegments.segment(0xE2, [UInt8](repeating: 0, count: 60000))
    let source = FailingSource(bytes: MetadataSegments.jpeg(long))
    #expect(throws: FailingSource.Failure.self) {
      try MediaReader.read(from: source, byteCount: source.bytes.count)
    }
  }

  @Test func `Reused memory has no effect`() {
    var room = MediaReader.Room()
    let long = MetadataSegments.jpeg(MetadataSegments.exifSegment(exif))
    let short = MetadataSegments.jpeg([])
    for bytes in [long, short, long, [], short] {
      let alone = MediaReader.read(from: MemoryByteSource(bytes), byteCount: bytes.count)
      #expect(MediaReader.read(from: MemoryByteSource(bytes), byteCount: bytes.count, room: &room) == alone)
    }
  }
}
