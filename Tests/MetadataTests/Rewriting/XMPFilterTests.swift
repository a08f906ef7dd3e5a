import Pixels
import Testing

@testable import Metadata

/// XMP packets that are written again with less content.
@Suite struct XMPFilterTests {
  private static let packet = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
      xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
      xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" xmlns:me="http://example.com/mine/"
      xmlns:p="http://ns.adobe.com/photoshop/1.0/"
      xmp:Rating="4" tiff:Orientation="6" exif:GPSLatitude="48,51N" GCamera:MotionPhoto="1" me:place="Atlantis"
      p:City="Atlantis">
     <dc:title><rdf:Alt><rdf:li xml:lang="x-default">A &amp; B &lt;"é"&gt;</rdf:li></rdf:Alt></dc:title>
     <dc:subject><rdf:Bag><rdf:li>boats</rdf:li></rdf:Bag></dc:subject>
     <exif:GPSLongitude>2,17E</exif:GPSLongitude>
     <me:where rdf:parseType="Resource"><me:city>Atlantis</me:city></me:where>
    </rdf:Description></rdf:RDF></x:xmpmeta>
    """

  private func filtered(_ stripping: MetadataPolicy.Stripping, newSize: PixelSize? = nil) -> String {
    let policy = MetadataPolicy(stripping: stripping, newSize: newSize)
    return String(decoding: XMPFilter.filtered(Array(Self.packet.utf8), by: policy), as: UTF8.self)
  }

  private func facts(_ packet: String) -> MediaFacts {
    var facts = MediaFacts()
    facts.merge(xmp: Array(packet.utf8))
    return facts
  }

  @Test(arguments: [true, false])
  func `A packet announces the video after it, and keeps its properties`(hasOthers: Bool) throws {
    let old = hasOthers ? Array(filtered(.nothing).utf8) : []
    let packet = XMPFilter.packet(old, announcingVideoOf: 1234)
    var facts: XMPFacts?
    XMPReader.read(packet, into: &facts)
    let motion = try #require(facts?.motion)
    #expect(motion.isClaimed && motion.microVideoOffset == 1234)
    #expect(motion.items.map(\.semantic) == ["Primary", "MotionPhoto"])
    #expect(motion.items.map(\.length) == [0, 1234])
    #expect(self.facts(String(decoding: packet, as: UTF8.self)).keywords == (hasOthers ? ["boats"] : []))
  }

  @Test(arguments: [(nil, "-1", 0), (0, "0", 1), (1_400_000, "1400000", 1)] as [(Int?, String, Int)])
  func `A packet tells which frame of the video the still image is`(time: Int?, text: String, older: Int) {
    let packet = String(
      decoding: XMPFilter.packet([], announcingVideoOf: 1234, at: time), as: UTF8.self)
    #expect(packet.contains(">\(text)</GCamera:MotionPhotoPresentationTimestampUs>"))
    // The predecessor has no value for "none".
    #expect(packet.split(separator: "</GCamera:MicroVideoPresentationTimestampUs>").count == older + 1)
  }

  @Test(arguments: [0, 1, 100, 60_000, 70_000, 300_000])
  func `A packet too long for a segment is split in two, each property in one of them`(
    length: Int
  ) throws {
    let long = String(repeating: "<&\"é", count: length / 4)
    let packet = Self.packet.replacing(
      "boats", with: "boats\(long.replacing("&", with: "&amp;").replacing("<", with: "&lt;"))")
    let whole = XMPFilter.filtered(Array(packet.utf8), by: MetadataPolicy())
    #expect(!whole.isEmpty)
    let digest = { (bytes: [UInt8]) in "D\(bytes.count)" }
    let (standard, extended) = try #require(XMPFilter.split(whole, most: 65_000, digest: digest))
    #expect(standard.count <= 65_000)
    let words = String(decoding: standard, as: UTF8.self)
    #expect(words.contains(">D\(extended.count)</xmpNote:HasExtendedXMP>"))
    #expect(facts(words).rating == 4 && facts(words).title == "A & B <\"é\">")
    // Reading both yields the same as the single one.
    var found = MediaFacts()
    found.merge(xmp: standard)
    found.merge(xmp: extended)
    var expected = MediaFacts()
    expected.merge(xmp: whole)
    #expect(found.keywords == expected.keywords && found.coordinate == expected.coordinate)
    let both = XMPFilter.filtered([standard, extended], by: MetadataPolicy())
    #expect(both.isWhole && both.packet.count == whole.count)
  }

  @Test func `A damaged packet among several is left out and reported`() {
    let broken = Array(Self.packet.utf8.dropLast(40))
    let both = XMPFilter.filtered([broken, Array(Self.packet.utf8)], by: MetadataPolicy())
    #expect(!both.isWhole)
    #expect(both.packet == XMPFilter.filtered(Array(Self.packet.utf8), by: MetadataPolicy()))
    #expect(XMPFilter.filtered([], by: MetadataPolicy()).isWhole)
  }

  @Test func `Everything is kept except references to other parts of the file`() {
    let packet = filtered(.nothing)
    let found = facts(packet)
    #expect(found.rating == 4 && found.title == "A & B <\"é\">" && found.keywords == ["boats"])
    #expect(found.coordinate != nil && packet.contains("Atlantis") && packet.contains("Orientation"))
    #expect(!packet.contains("MotionPhoto"))
  }

  @Test func `New pixels are not marked as rotated`() {
    #expect(!filtered(.nothing, newSize: PixelSize(width: 1, height: 1)).contains("Orientation"))
  }

  @Test func `Without location only known properties are kept`() {
    let packet = filtered(.location)
    #expect(!packet.contains("Atlantis") && !packet.contains("GPS") && !packet.contains("example.com"))
    let found = facts(packet)
    #expect(found.rating == 4 && found.title == "A & B <\"é\">" && found.keywords == ["boats"])
  }

  @Test func `Qualifiers and fields of kept properties must be known as well`() {
    let packet = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:me="http://example.com/mine/"><rdf:Description>
       <dc:rights exif:GPSLatitude="Atlantis" me:place="Atlantis">Ann</dc:rights>
       <dc:description rdf:parseType="Resource"><rdf:value>Boats</rdf:value>
        <me:where><dc:title>Atlantis</dc:title>Atlantis</me:where><exif:GPSLongitude>Atlantis</exif:GPSLongitude>
        <dc:type>picture</dc:type></dc:description>
       <exif:Flash rdf:parseType="Resource"><exif:Fired>True</exif:Fired></exif:Flash>
      </rdf:Description></rdf:RDF>
      """
    let write = { (stripping: MetadataPolicy.Stripping) in
      String(
        decoding: XMPFilter.filtered(Array(packet.utf8), by: MetadataPolicy(stripping: stripping)),
        as: UTF8.self)
    }
    let stripped = write(.location)
    #expect(!stripped.contains("Atlantis"), "\(stripped)")
    for word in ["Ann", "Boats", "picture", "Fired"] { #expect(stripped.contains(word), "\(stripped)") }
    #expect(write(.nothing).split(separator: "Atlantis").count == 6)
  }

  @Test func `Filtering is idempotent`() {
    let once = filtered(.location)
    let again = XMPFilter.filtered(Array(once.utf8), by: MetadataPolicy(stripping: .location))
    #expect(String(decoding: again, as: UTF8.self) == once)
  }

  @Test(arguments: ["", "<a>", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "no xml"])
  func `Invalid XMP leaves nothing`(text: String) {
    #expect(XMPFilter.filtered(Array(text.utf8), by: MetadataPolicy()).isEmpty)
  }

  @Test func `IPTC locations are removed, and data that is no text`() {
    let dataset = { (record: UInt8, number: UInt8, text: String) in
      [0x1C, record, number, 0, UInt8(text.utf8.count)] + Array(text.utf8)
    }
    let all =
      dataset(1, 90, "%G") + dataset(2, 5, "T") + dataset(2, 90, "City") + dataset(2, 120, "C")
      + dataset(8, 10, "X")
    #expect(
      IPTCFilter.filtered(all, by: MetadataPolicy(stripping: .nothing)) == dataset(1, 90, "%G")
        + dataset(2, 5, "T")
        + dataset(2, 90, "City") + dataset(2, 120, "C"))
    #expect(
      IPTCFilter.filtered(all, by: MetadataPolicy(stripping: .location)) == dataset(1, 90, "%G")
        + dataset(2, 5, "T")
        + dataset(2, 120, "C"))
    #expect(IPTCFilter.filtered(all, by: MetadataPolicy(stripping: .all)).isEmpty)
    #expect(IPTCFilter.filtered([0x1C, 2, 5, 0x7F, 0xFF, 1], by: MetadataPolicy()).isEmpty)
  }
}
