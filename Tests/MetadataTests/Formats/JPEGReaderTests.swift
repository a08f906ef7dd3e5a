import Fixtures
import MediaFormats
import Metadata
import Pixels
import Testing

/// The order and kinds of a JPEG's segments.
@Suite struct JPEGReaderTests {
  private func facts(_ segments: [UInt8]) -> MediaFacts? {
    FileFacts.read(MetadataSegments.jpeg(segments), .jpeg)
  }

  private func exif(_ make: String) -> [UInt8] {
    var file = TIFFFile()
    file.text(0x010F, make)
    return MetadataSegments.exifSegment(file)
  }

  @Test(arguments: 1...4)
  func `Any number of fill bytes may precede a marker`(count: Int) {
    let fill = [UInt8](repeating: 0xFF, count: count)
    let expected = facts(exif("Canon") + MetadataSegments.segment(0xFE, [1]))
    #expect(expected?.make == "Canon")
    #expect(facts(fill + exif("Canon") + fill + MetadataSegments.segment(0xFE, [1])) == expected)
  }

  @Test func `Of two EXIF segments the first counts`() {
    #expect(facts(exif("Canon") + exif("Nikon"))?.make == "Canon")
    #expect(facts(exif("Nikon") + exif("Canon"))?.make == "Nikon")
  }

  // 0xC4, 0xC8 and 0xCC are no frames: Huffman tables, an extension, arithmetic conditioning (T.81, table B.1).
  @Test(arguments: [0xC4, 0xC8, 0xCC] as [UInt8])
  func `Tables before the frame are not taken for it`(marker: UInt8) {
    let table = MetadataSegments.segment(marker, [8, 0, 9, 0, 7, 1, 1, 0x11, 0])
    #expect(facts(table)?.storedSize == PixelSize(width: 64, height: 48))
  }

  @Test(arguments: [0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF] as [UInt8])
  func `Frames of all kinds have the size`(marker: UInt8) {
    let frame = MetadataSegments.segment(marker, [8, 0, 9, 0, 7, 1, 1, 0x11, 0])
    #expect(facts(frame)?.storedSize == PixelSize(width: 7, height: 9))
  }
}
