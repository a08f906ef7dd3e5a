import Fixtures
import Metadata
import Pixels
import Testing

/// A short round of what Tests/Fuzzing does at length: the same files in every run.
@Suite struct MutatedFactsTests {
  private static let packet = MetadataSegments.xmp(
    attributes: #"xmp:Rating="4" Camera:MotionPhoto="1" Camera:MicroVideoOffset="64""#,
    elements: MetadataSegments.list("dc:subject", ["a", "b"]))

  private static let datasets =
    MetadataSegments.dataset(5, Array("T".utf8)) + MetadataSegments.dataset(55, Array("20240502".utf8))
    + MetadataSegments.dataset(25, Array("key".utf8))

  /// Made once: their pictures take the most time.
  private static let files = Result { () throws -> [[UInt8]] in
    var photo = TestPhoto(width: 16, height: 12, orientation: .leftBottom, date: .day(3))
    photo.setCamera()
    photo.thumbnail = TestPicture.make(width: 8, height: 6)
    let xmp = MetadataSegments.xmpSegment(packet)
    let text = PictureFiles.pngText("XML:com.adobe.xmp", packet, isInternational: true)
    return [
      try photo.bytes(), MetadataSegments.jpeg(xmp + MetadataSegments.iptcSegment(datasets)),
      MetadataSegments.jpeg(xmp) + MetadataSegments.samsungTrailer(MetadataSegments.video),
      PictureFiles.png(width: 64, height: 48, before: text), PictureFiles.gif(width: 4, height: 3, frames: 2),
      PictureFiles.webp(
        PictureFiles.webpExtended(width: 4, height: 3) + PictureFiles.webpChunk("XMP ", packet)),
      PictureFiles.bmp(width: 4, height: -3), TIFFFile(width: 40, height: 30).bytes(),
      PictureFiles.jpegXLContainer(MediaBytes.box("jxlc", PictureFiles.jpegXL(width: 300, height: 200))),
      PictureFiles.jpegXLContainer(
        MediaBytes.largeBox("free", []) + MediaBytes.largeBox("Exif", [0, 0, 0, 0])
          + MediaBytes.largeBox("jxlc", PictureFiles.jpegXL(width: 300, height: 200))),
    ]
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `Metadata of any mutated file stays within it`(seed: UInt64) throws {
    let files = try Self.files.get()
    var room = MediaReader.Room()
    for (index, file) in files.enumerated() {
      var mutator = ByteMutator(
        seed: seed, words: ["Exif\0\0", "8BIM", "II*\0", "eXIf"].map { Array($0.utf8) })
      for _ in 0..<4 {
        let bytes = mutator.damage(file, other: files[(index + 1) % files.count])
        let reading = MediaReader.read(from: MemoryByteSource(bytes), byteCount: bytes.count, room: &room)
        guard case .media(_, let facts?) = reading else { continue }
        if let range = facts.thumbnail { #expect(range.upperBound <= bytes.count) }
        if let range = facts.motionVideo { #expect(range.upperBound <= bytes.count) }
      }
    }
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `The intact part of any mutated metadata block is read`(seed: UInt64) throws {
    var mutator = ByteMutator(seed: seed)
    var facts = MediaFacts()
    facts.merge(exif: mutator.damage(HandmadeDNG().bytes))
    facts.merge(xmp: mutator.damage(Self.packet), iptc: mutator.damage(Self.datasets))
    facts.merge(sidecar: mutator.damage(Self.packet))
    let date = mutator.damage(Array("2024-05-02T14:10:09.25+0200".utf8))
    let place = mutator.damage(Array("+38.7136-009.1333+010/".utf8))
    facts.merge(quickTime: [
      "com.apple.quicktime.creationdate": String(decoding: date, as: UTF8.self),
      "location": String(decoding: place, as: UTF8.self),
    ])
    if let rating = facts.rating { #expect((-1...5).contains(rating)) }
    if let place = facts.coordinate { #expect(abs(place.latitude) <= 90 && abs(place.longitude) <= 180) }
  }
}
