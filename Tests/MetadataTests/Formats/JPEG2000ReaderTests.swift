import Fixtures
import MediaFormats
import Metadata
import Pixels
import Testing

/// Metadata of JPEG 2000 files, in all forms that programs write.
@Suite struct JPEG2000ReaderTests {
  private static let exif: [UInt8] = {
    var photo = TIFFFile()
    photo.text(0x9003, "2024:05:02 14:10:09")
    var gps = TIFFFile()
    gps.text(1, "N")
    gps.rationals(2, [48, 30, 0])
    gps.text(3, "E")
    gps.rationals(4, [2, 15, 0])
    var main = TIFFFile()
    main.text(0x010F, "Testmaker")
    main.text(0x0110, "T1")
    main.short(0x0112, 6)
    main.directory(0x8769, photo)
    main.directory(0x8825, gps)
    return main.bytes()
  }()
  private static let xmp = MetadataSegments.xmp(
    attributes: "xmp:Rating=\"4\"", elements: MetadataSegments.list("dc:subject", ["sea"]))

  private func facts(before: [UInt8] = [], behind: [UInt8] = []) -> MediaFacts? {
    FileFacts.read(
      PictureFiles.jpeg2000(width: 300, height: 200, before: before, behind: behind), .jpeg2000)
  }

  private static let time = CivilTime(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9)
  private static let boxes =
    PictureFiles.jpeg2000Block("EXIF", exif) + PictureFiles.jpeg2000Block("XMP", xmp)

  @Test(arguments: [false, true])
  func `Date, location, camera, orientation, rating and keywords are read, before and after the picture`(
    isBehind: Bool
  ) throws {
    let facts = try #require(isBehind ? facts(behind: Self.boxes) : facts(before: Self.boxes))
    #expect(facts.storedSize == PixelSize(width: 300, height: 200))
    #expect(facts.captureTime == Self.time && facts.captureTimeSource == .exif)
    #expect(facts.coordinate == Coordinate(latitude: 48.5, longitude: 2.25))
    #expect(facts.make == "Testmaker" && facts.model == "T1" && facts.orientation == .rightTop)
    #expect(facts.rating == 4 && facts.keywords == ["sea"])
  }

  @Test func `EXIF may begin as in a JPEG segment`() {
    let block = PictureFiles.jpeg2000Block("EXIF", Array("Exif\0\0".utf8) + Self.exif)
    #expect(facts(before: block)?.captureTime == Self.time)
  }

  @Test func `XMP may be in an XML box if there is no other packet`() {
    let other = Boxes.box("xml ", Array("<gml:FeatureCollection/>".utf8))
    let packet = Boxes.box("xml ", Self.xmp)
    #expect(facts(before: packet)?.rating == 4)
    #expect(facts(before: other)?.rating == nil)
    let two = MetadataSegments.xmp(attributes: "xmp:Rating=\"2\"")
    #expect(facts(before: packet + PictureFiles.jpeg2000Block("XMP", two))?.rating == 2)
  }

  @Test func `IPTC is read, and boxes of other programs are ignored`() {
    let iptc = MetadataSegments.dataset(25, Array("word".utf8))
    #expect(facts(before: PictureFiles.jpeg2000Block("IPTC", iptc))?.keywords == ["word"])
    #expect(facts(before: PictureFiles.jpeg2000Block("other", Self.exif))?.captureTime == nil)
    for count in [0, 7, 15, 16] {
      let short = Boxes.box("uuid", Array("JpgTiffExif->JP2".utf8.prefix(count)))
      #expect(facts(before: short + Self.boxes)?.captureTime == Self.time)
    }
  }

  @Test func `The last box may extend to the end of the file, and a length may have 64 bits`() {
    var open = Self.boxes
    open.replaceSubrange(0..<4, with: [0, 0, 0, 0])
    // Zero means everything that follows.
    #expect(facts(behind: open)?.captureTime == Self.time)
    let long =
      Boxes.number(UInt32(1)) + Array("uuid".utf8) + Boxes.number(UInt64(32 + Self.exif.count))
      + Array("JpgTiffExif->JP2".utf8) + Self.exif
    #expect(facts(before: long)?.captureTime == Self.time)
  }

  @Test func `A raw codestream has a size and nothing else`() {
    let bytes: [UInt8] =
      [0xFF, 0x4F, 0xFF, 0x51, 0, 47, 0, 0] + Boxes.number(UInt32(310)) + Boxes.number(UInt32(220))
      + Boxes.number(UInt32(10)) + Boxes.number(UInt32(20))
    let size = PixelSize(width: 300, height: 200)
    #expect(FileFacts.read(bytes, .jpeg2000) == MediaFacts(storedSize: size))
  }
}
