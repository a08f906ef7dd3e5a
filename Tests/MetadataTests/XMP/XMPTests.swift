import Fixtures
import Metadata
import Testing

@Suite struct XMPTests {
  private func facts(_ attributes: String = "", _ elements: String = "") -> MediaFacts {
    var facts = MediaFacts()
    facts.merge(xmp: MetadataSegments.xmp(attributes: attributes, elements: elements))
    return facts
  }

  @Test(arguments: [("5", 5 as Int?), ("0", 0), ("-1", -1), ("4.0", 4), ("6", nil), ("x", nil), ("", nil)])
  func `Ratings are read from attributes and elements`(text: String, expected: Int?) {
    #expect(facts("xmp:Rating=\"\(text)\"").rating == expected)
    #expect(facts("", "<xmp:Rating>\(text)</xmp:Rating>").rating == expected)
  }

  @Test func `Keywords are read, including those only in the hierarchy`() {
    let elements =
      MetadataSegments.list("dc:subject", ["Lisbon", "sea &amp; sun", " "])
      + MetadataSegments.list("lr:hierarchicalSubject", ["Places|Lisbon", "People|Ann"])
    #expect(facts("", elements).keywords == ["Lisbon", "sea & sun", "Ann"])
  }

  @Test func `Of several languages the default counts, else the first`() {
    func title(_ items: String) -> String? {
      facts("", "<dc:title><rdf:Alt>\(items)</rdf:Alt></dc:title>").title
    }
    let german = "<rdf:li xml:lang=\"de\">Meer</rdf:li>"
    let fallback = "<rdf:li xml:lang=\"x-default\">Sea</rdf:li>"
    #expect(title(german + fallback) == "Sea")
    #expect(title(fallback + german) == "Sea")
    #expect(title(german) == "Meer")
    #expect(facts("", "<dc:description>Plain</dc:description>").caption == "Plain")
  }

  @Test func `Names of faces are read in every form`() {
    let regions = """
      <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag>
      <rdf:li><rdf:Description mwg-rs:Name="Ann" mwg-rs:Type="Face"><mwg-rs:Area/></rdf:Description></rdf:li>
      <rdf:li rdf:parseType="Resource"><mwg-rs:Name>Ben</mwg-rs:Name><mwg-rs:Type>Face</mwg-rs:Type></rdf:li>
      <rdf:li rdf:parseType="Resource"><mwg-rs:Type>Pet</mwg-rs:Type><mwg-rs:Name>Rex</mwg-rs:Name></rdf:li>
      </rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>
      <MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag>
      <rdf:li MPReg:PersonDisplayName="Cem"/></rdf:Bag></MPRI:Regions></MP:RegionInfo>
      """ + MetadataSegments.list("Iptc4xmpExt:PersonInImage", ["Ann", "Dora"])
    #expect(facts("", regions).people == ["Ann", "Ben", "Cem", "Dora"])
  }

  @Test func `The date closest to the exposure is used`() {
    let created = "xmp:CreateDate=\"2021-01-01T00:00:00Z\""
    let day = "photoshop:DateCreated=\"2020-02-02\""
    let original = "exif:DateTimeOriginal=\"2019-03-04T05:06:07.25+01:30\""
    #expect(facts(created).captureTime?.year == 2021)
    #expect(facts("\(created) \(day)").captureTime?.year == 2020)
    var time = CivilTime(year: 2019, month: 3, day: 4, hour: 5, minute: 6, second: 7, utcOffset: 5400)
    time.nanosecond = 250_000_000
    #expect(facts("\(created) \(day) \(original)").captureTime == time)
  }

  @Test(arguments: [
    ("48,51.5N", "2,21E", 48 + 51.5 / 60, 2.35), ("33,51,35.9S", "151,12,40W", -33.859_972, -151.211_111),
  ])
  func `Locations are read`(latitude: String, longitude: String, north: Double, east: Double) throws {
    let place = facts("exif:GPSLatitude=\"\(latitude)\" exif:GPSLongitude=\"\(longitude)\"").coordinate
    #expect(abs(try #require(place).latitude - north) < 1e-5)
    #expect(abs(try #require(place).longitude - east) < 1e-5)
  }

  @Test(arguments: [("x", "2,21E"), ("91,0N", "2,21E"), ("-1,0N", "2,21E"), ("1,2,3,4N", "2,21E"), ("", "")])
  func `Impossible locations are ignored`(latitude: String, longitude: String) {
    #expect(facts("exif:GPSLatitude=\"\(latitude)\" exif:GPSLongitude=\"\(longitude)\"").coordinate == nil)
  }

  @Test(arguments: [
    ("GPano:ProjectionType=\"equirectangular\"", MediaHints.panorama),
    ("GDepth:Format=\"RangeInverse\"", .depthMap),
    ("hdrgm:Version=\"1.0\"", .gainMap), ("Camera:MotionPhoto=\"1\"", MediaHints()),
  ])
  func `Subtypes are read`(attribute: String, expected: MediaHints) {
    #expect(facts(attribute).hints == expected)
  }

  @Test func `Descriptions of other pictures are ignored`() {
    let pantry = """
      <xmpMM:Pantry><rdf:Bag><rdf:li><rdf:Description xmp:Rating="5"><dc:subject><rdf:Bag><rdf:li>x</rdf:li>
      </rdf:Bag></dc:subject></rdf:Description></rdf:li></rdf:Bag></xmpMM:Pantry>
      """
    #expect(facts("", pantry) == MediaFacts())
  }

  @Test func `Entities are rejected, and invalid XML yields nothing`() {
    let packet = String(decoding: MetadataSegments.xmp(attributes: "xmp:Rating=\"5\""), as: UTF8.self)
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\">]>" + packet.drop { $0 != ">" }.dropFirst()
    for text in [bomb, "", "no XML", "\0\0\0", "<a><b></a>"] {
      var facts = MediaFacts()
      facts.merge(xmp: Array(text.utf8))
      #expect(facts == MediaFacts())
    }
  }

  @Test func `A packet truncated or flipped anywhere causes no crash`() {
    let good = MetadataSegments.xmp(
      attributes: "xmp:Rating=\"5\"",
      elements: MetadataSegments.list("dc:subject", ["a"]) + "<dc:title>T</dc:title>")
    var random = SeededGenerator(seed: 7)
    for count in 0..<good.count {
      var facts = MediaFacts()
      facts.merge(xmp: Array(good.prefix(count)))
      #expect(facts.rating == nil || facts.rating == 5)
      var flipped = good
      flipped[count] = .random(in: 0...255, using: &random)
      facts.merge(sidecar: flipped)
    }
  }

  @Test func `An extended packet is assembled from its parts`() {
    let identifier = "0123456789ABCDEF0123456789ABCDEF"
    let main = MetadataSegments.xmp(attributes: "xmpNote:HasExtendedXMP=\"\(identifier)\"")
    let more = MetadataSegments.xmp(
      elements: MetadataSegments.list("dc:subject", (0..<500).map { "word \($0)" }))
    let parts = MetadataSegments.extendedSegments(more, identifier: identifier, partLength: 3000)
    func keywords(_ parts: [[UInt8]]) -> Int? {
      let bytes = MetadataSegments.jpeg(MetadataSegments.xmpSegment(main) + Array(parts.joined()))
      return JPEGFacts.read(from: MemoryByteSource(bytes))?.keywords.count
    }
    #expect(parts.count > 3)
    #expect(keywords(parts) == 500)
    #expect(keywords(parts.reversed()) == 500)
    #expect(keywords(Array(parts.dropLast())) == 0)
    let foreign = MetadataSegments.extendedSegments(
      more, identifier: String(identifier.reversed()), partLength: 3000)
    #expect(keywords(foreign) == 0)
  }

  @Test func `A sidecar's rating and texts win, its keywords are added`() {
    var facts = MediaFacts()
    facts.rating = 1
    facts.title = "old"
    facts.keywords = ["a"]
    facts.make = "Canon"
    facts.merge(
      sidecar: MetadataSegments.xmp(
        attributes: "xmp:Rating=\"5\" tiff:Make=\"Nikon\"",
        elements: MetadataSegments.list("dc:subject", ["b", "a"]) + "<dc:title>new</dc:title>"))
    #expect(facts.rating == 5)
    #expect(facts.title == "new")
    #expect(facts.keywords == ["a", "b"])
    #expect(facts.make == "Canon")
  }
}
