import CodecProtocol
import Fixtures
import Metadata
import Testing

/// Tracks and groups of a HEIC file put together by hand, read by the real helper.
@Suite struct HEIFBoxesTests {
  private let helper = CodecClient(program: Program.helper)

  /// A still picture with a movie of one track beside it.
  private func facts(handler: String, frames: UInt32, header: [UInt8]) throws -> MediaFacts {
    let sizes = Boxes.full("stsz", Boxes.number(UInt32(4)), Boxes.number(frames))
    let media = Boxes.box(
      "mdia", header, Boxes.full("hdlr", Boxes.zeros(4), Array(handler.utf8), Boxes.zeros(13)),
      Boxes.box("minf", Boxes.box("stbl", sizes)))
    return try helper.facts(ofBytes: HandmadeHEIC().bytes + Boxes.box("moov", Boxes.box("trak", media)))
  }

  /// A media header of three seconds.
  private static let short = Boxes.full(
    "mdhd", Boxes.zeros(8), Boxes.number(UInt32(600)), Boxes.number(UInt32(1800)), Boxes.zeros(4))
  private static let long = Boxes.full(
    "mdhd", version: 1, Boxes.zeros(16), Boxes.number(UInt32(600)), Boxes.number(UInt64(1800)),
    Boxes.zeros(4))

  @Test(arguments: [short, long], ["pict", "vide"])
  func `A sequence's duration comes from its media header, of either version`(
    header: [UInt8], handler: String
  ) throws {
    let facts = try facts(handler: handler, frames: 12, header: header)
    #expect(facts.hints == .animated)
    #expect(facts.duration == 3)
    #expect(facts.frameRate == 4)
  }

  @Test(arguments: [("pict", 1), ("vide", 0), ("soun", 12)] as [(String, UInt32)])
  func `A single picture is not animated, nor is sound`(handler: String, frames: UInt32) throws {
    let facts = try facts(handler: handler, frames: frames, header: Self.short)
    #expect(facts.hints == [])
    #expect(facts.duration == nil)
  }

  private static let pair = HandmadeHEIC(hasSecondPicture: true, isStereo: true).bytes

  @Test(arguments: [("ster", 2, true), ("ster", 3, false), ("altr", 2, false)] as [(String, UInt8, Bool)])
  func `A stereo pair is a group of that type with two members`(
    type: String, count: UInt8, isStereo: Bool
  ) throws {
    var bytes = Self.pair
    let place = try #require(bytes.firstRange(of: Array("ster".utf8)))
    bytes.replaceSubrange(place, with: Array(type.utf8))
    // The type is followed by version and flags, the group's number, then the number of members.
    bytes[place.upperBound + 11] = count
    #expect(try helper.facts(ofBytes: bytes).hints.contains(.stereo) == isStereo)
  }

  @Test func `The pair is found in any of the file's lists`() throws {
    let other = HandmadeHEIC(hasSecondPicture: true).bytes
    let start = try #require(other.firstRange(of: Array("meta".utf8))).lowerBound - 4
    let end = try #require(other.firstRange(of: Array("mdat".utf8))).lowerBound - 4
    #expect(try helper.facts(ofBytes: Self.pair + other[start..<end]).hints == .stereo)
  }

  @Test func `Text that is no RDF is not taken for XMP`() throws {
    let packet = MetadataSegments.xmp(attributes: "xmp:Rating=\"4\"")
    var bytes = HandmadeHEIC(xmp: String(decoding: packet, as: UTF8.self)).bytes
    #expect(try helper.facts(ofBytes: bytes).rating == 4)
    bytes.replace(Array("application/rdf+xml".utf8), with: Array("application/ld+json".utf8))
    #expect(try helper.facts(ofBytes: bytes).rating == nil)
  }

  @Test(arguments: ["mif1", "miaf", "msf1", "isom"])
  func `A picture is recognized if a generic brand comes first`(brand: String) throws {
    var bytes = HandmadeHEIC(brand: "avif").bytes
    bytes.replaceSubrange(8..<12, with: Array(brand.utf8))
    let facts = try helper.facts(ofBytes: bytes)
    #expect(facts.width == 640)
  }
}
