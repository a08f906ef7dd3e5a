import Fixtures
import MediaFormats
import Metadata
import Pixels
import Testing

/// Where a PNG's chunks may be, and which of its texts are read.
@Suite struct PNGReaderTests {
  private func reading(_ bytes: [UInt8]) -> MediaReader.Reading {
    MediaReader.read(from: MemoryByteSource(bytes), byteCount: bytes.count)
  }

  private func title(isCompressed: Bool, method: UInt8 = 0) -> String? {
    let fields: [UInt8] = [0, isCompressed ? 1 : 0, method, 0, 0]
    let text = PictureFiles.pngChunk("iTXt", Array("Title".utf8) + fields + Array("Sea".utf8))
    return FileFacts.read(PictureFiles.png(width: 3, height: 2, before: text), .png)?.title
  }

  @Test func `A compressed text is ignored`() {
    #expect(title(isCompressed: false) == "Sea")
    #expect(title(isCompressed: true) == nil)
  }

  @Test func `An unknown chunk may follow the header, not precede it`() {
    let chunk = PictureFiles.pngChunk("CgBI", [0x50, 0, 0x20, 6])
    let behind = PictureFiles.png(width: 3, height: 2, before: chunk)
    #expect(reading(behind) == .media(.png, MediaFacts(storedSize: PixelSize(width: 3, height: 2))))
    var before = PictureFiles.png(width: 3, height: 2)
    before.insert(contentsOf: chunk, at: 8)
    #expect(reading(before) == .damaged(.png, "its header is damaged"))
  }

  @Test func `Of several headers the first counts`() {
    let header = PictureFiles.pngChunk(
      "IHDR", MediaBytes.big(99, 4) + MediaBytes.big(77, 4) + [8, 2, 0, 0, 0])
    let bytes = PictureFiles.png(width: 3, height: 2, before: header)
    #expect(reading(bytes) == .media(.png, MediaFacts(storedSize: PixelSize(width: 3, height: 2))))
  }
}
