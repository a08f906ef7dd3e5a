import Fixtures
import Metadata
import Testing

@Suite struct XMPRatingTests {
  private func rating(of sidecar: [UInt8]) -> Int? {
    var facts = MediaFacts()
    facts.merge(sidecar: sidecar)
    return facts.rating
  }

  private func set(_ rating: Int, _ text: String) throws -> String {
    String(decoding: try XMPRating.setting(rating, in: Array(text.utf8)), as: UTF8.self)
  }

  @Test(arguments: -1...5) func `A new sidecar contains the rating`(stars: Int) throws {
    #expect(rating(of: try XMPRating.setting(stars, in: nil)) == stars)
  }

  /// Sidecars as programs write them.
  ///
  /// Braces mark the only text that a new rating replaces.
  private static let sidecars = [
    // digiKam 8: values as attributes of one description, lists as elements.
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about=""
        xmlns:digiKam="http://www.digikam.org/ns/1.0/"
        xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/"
       digiKam:PickLabel="3"
       digiKam:ColorLabel="0"
       xmp:Rating="{2}">
       <digiKam:TagsList><rdf:Seq><rdf:li>People/Ann &amp; Ben</rdf:li></rdf:Seq></digiKam:TagsList>
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>
    """,
    // darktable 4: with the history of edits in a namespace of its own.
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about=""
        xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        xmlns:darktable="http://darktable.sf.net/"
       exif:DateTimeOriginal="2024:05:01 10:00:00.000" xmp:Rating="{0}"
       darktable:history_end="2">
       <darktable:history><rdf:Seq>
         <rdf:li darktable:num="0" darktable:operation="exposure" darktable:params="0000" xmp:Rating="9"/>
       </rdf:Seq></darktable:history>
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
    """,
    // The rating is an element of the second description, with another prefix.
    """
    <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description r:about=""/>
    <r:Description xmlns:a="http://ns.adobe.com/xap/1.0/"><!-- <a:Rating>1</a:Rating> -->
    <a:Rating>{3}</a:Rating><a:Label>&lt;a:Rating&gt;</a:Label></r:Description></r:RDF>
    """,
    // No rating yet: the attribute is added after the others, with a declaration if the prefix needs one.
    """
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about='a>b' xmlns:xmp="http://ns.adobe.com/xap/1.0/"{ xmp:Rating="-"} /></rdf:RDF>
    """,
    """
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:xmp="urn:other"><rdf:Description \
    rdf:about=""{ xmlns:xap="http://ns.adobe.com/xap/1.0/" xap:Rating="-"}></rdf:Description></rdf:RDF>
    """,
    "\u{FEFF}<RDF xmlns=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><Description"
      + "{ xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmp:Rating=\"-\"}/><![CDATA[<x>]]></RDF>\n\n",
  ]

  @Test(arguments: sidecars) func `Only the rating of a sidecar changes, and can be read back`(
    sidecar: String
  ) throws {
    let parts = sidecar.split(separator: "{", maxSplits: 1).flatMap {
      $0.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
    }.map(String.init)
    let (head, place, tail) = (parts[0], parts[1], parts[2])
    let isThere = !place.contains("-")
    let before = head + (isThere ? place : "") + tail
    for stars in [5, 0, -1] {
      let text = try set(stars, before)
      #expect(text == head + (isThere ? "\(stars)" : place.replacing("-", with: "\(stars)")) + tail)
      #expect(rating(of: Array(text.utf8)) == stars)
      #expect(try XMPRating.rating(in: Array(text.utf8)) == stars)
      #expect(try set(stars, text) == text)
      if isThere { #expect(try set(Int(place) ?? 0, text) == before) }
    }
  }

  @Test func `Every rating of a sidecar is replaced`() throws {
    let text = MetadataSegments.xmp(attributes: "xmp:Rating=\"1\"", elements: "<xmp:Rating>2</xmp:Rating>")
    #expect(rating(of: try XMPRating.setting(5, in: text)) == 5)
    #expect(rating(of: try XMPRating.setting(0, in: text)) == 0)
  }

  @Test(arguments: [
    "a letter", "<rdf:RDF", "<a><b></a></b>", "<a/><b/>", "<a b=c/>", "<a b=\"c/>", "<a><!-- </a>", "</a>",
    "<!DOCTYPE a [<!ENTITY x \"y\">]><a/>", "<a>\0</a>", "<a", "<", "<>", "<a /", "<a b>", "<a></a b=\"\">",
    "<b:a/>", "<a b:c=\"\"/>", "",
  ])
  func `Text that is not XML is rejected`(text: String) {
    #expect(throws: XMPRating.Failure.notXML) { try set(5, text) }
  }

  @Test func `A rating with elements inside, or without a description, is rejected`() {
    let rdf = "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\""
    let xmp = "xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\""
    let nested = "\(rdf) \(xmp)><rdf:Description><xmp:Rating><b/></xmp:Rating></rdf:Description></rdf:RDF>"
    #expect(throws: XMPRating.Failure.notXML) { try set(5, nested) }
    #expect(throws: XMPRating.Failure.noDescription) { try set(5, "\(rdf)/>") }
    #expect(throws: XMPRating.Failure.noDescription) { try set(5, "<a/>") }
    let empty = "\(rdf) \(xmp)><rdf:Description><xmp:Rating/></rdf:Description></rdf:RDF>"
    #expect(throws: XMPRating.Failure.noDescription) { try set(5, empty) }
  }

  @Test(arguments: [UInt64](1...40))
  func `A damaged sidecar is rejected, or only its rating changes`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sidecar = Array(try #require(Self.sidecars.randomElement(using: &random)).utf8)
    for _ in 0..<50 {
      var bytes = sidecar
      for _ in 0...Int.random(in: 0...2, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: bytes[place] = Array("<>/\"'= :a\0".utf8).randomElement(using: &random) ?? 0
        case 1: bytes.remove(at: place)
        default:
          bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
        }
      }
      guard let changed = try? XMPRating.setting(5, in: bytes) else { continue }
      // The text around the rating is unchanged: the common start and end make up almost the whole text.
      let head = zip(bytes, changed).prefix { $0 == $1 }.count
      let tail = zip(bytes.reversed(), changed.reversed()).prefix { $0 == $1 }.count
      #expect(head + tail + 64 >= bytes.count)
      #expect(
        (try? XMPRating.setting(5, in: changed)) == changed, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
