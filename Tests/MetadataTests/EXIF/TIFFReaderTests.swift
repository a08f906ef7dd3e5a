import Fixtures
import MediaFormats
import Metadata
import Pixels
import Testing

/// Where the values of a TIFF structure may be.
@Suite struct TIFFReaderTests {
  private let text = Array("Canon\0".utf8)

  /// A structure whose maker is a text at `offset`, with the text directly after the directory as far as it is within
  /// the structure, and again in the following segment.
  private func make(at offset: Int, isInside: Bool) -> String? {
    let tiff =
      [0x49, 0x49, 42, 0, 8, 0, 0, 0] + [1, 0]
      + [0x0F, 0x01, 2, 0] + MediaBytes.little(text.count, 4) + MediaBytes.little(offset, 4) + [0, 0, 0, 0]
      + (isInside ? text : [])
    let segments =
      MetadataSegments.segment(0xE1, Array("Exif\0\0".utf8) + tiff)
      + MetadataSegments.segment(0xFE, text + text)
    return FileFacts.read(MetadataSegments.jpeg(segments), .jpeg)?.make
  }

  @Test func `A value is within the structure, or ignored`() {
    #expect(make(at: 26, isInside: true) == "Canon")
    // The structure is followed by the next segment: four bytes of its own, then the same text.
    for offset in 21...40 { #expect(make(at: offset, isInside: false) == nil) }
    for offset in 27...46 { #expect(make(at: offset, isInside: true) == nil) }
  }

  @Test func `If the size is given twice the first counts, as in the decoding library`() {
    let numbers = [(0x0100, 40), (0x0101, 30), (0x0100, 65535), (0x0101, 65535)]
    let entries: [UInt8] = numbers.flatMap { tag, value -> [UInt8] in
      MediaBytes.little(tag, 2) + [4, 0, 1, 0, 0, 0] + MediaBytes.little(value, 4)
    }
    let tiff =
      [0x49, 0x49, 42, 0, 8, 0, 0, 0] + MediaBytes.little(numbers.count, 2) + entries + [0, 0, 0, 0]
    let size = FileFacts.read(tiff, .tiff)?.storedSize
    #expect(size?.width == 40 && size?.height == 30)
  }
}
