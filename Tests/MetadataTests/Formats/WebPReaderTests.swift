import Fixtures
import MediaFormats
import Metadata
import Pixels
import Testing

/// Rare but valid forms of WebP.
@Suite struct WebPReaderTests {
  private let head = PictureFiles.webpExtended(width: 300, height: 200)

  private func facts(_ chunks: [UInt8]) -> MediaFacts? {
    FileFacts.read(PictureFiles.webp(chunks), .webp)
  }

  @Test(arguments: 0...5)
  func `A chunk of odd length is followed by a padding byte`(length: Int) {
    let profile = PictureFiles.webpChunk("ICCP", [UInt8](repeating: 1, count: length))
    let exif = PictureFiles.webpChunk("EXIF", PictureReaderTests.exif.bytes())
    #expect(facts(head + profile + exif)?.make == "Canon")
  }

  @Test func `EXIF is read with and without the JPEG marker before it`() {
    let mark = Array("Exif\0\0".utf8)
    for prefix in [[], mark] {
      let chunk = PictureFiles.webpChunk("EXIF", prefix + PictureReaderTests.exif.bytes())
      #expect(facts(head + chunk)?.make == "Canon")
    }
    let empty = facts(head + PictureFiles.webpChunk("EXIF", mark))
    #expect(empty == MediaFacts(storedSize: PixelSize(width: 300, height: 200)))
  }

  @Test(arguments: 0...3, 0...3)
  func `The scaling bits of a lossy picture are not part of its size`(across: Int, down: Int) {
    let picture = PictureFiles.webpLossy(width: 300 | across << 14, height: 200 | down << 14)
    #expect(facts(picture)?.storedSize == PixelSize(width: 300, height: 200))
  }

  @Test func `The first of several headers counts, or a picture before one`() {
    let other = PictureFiles.webpExtended(width: 99, height: 77)
    let size = PixelSize(width: 300, height: 200)
    #expect(facts(head + other)?.storedSize == size)
    #expect(facts(PictureFiles.webpLossless(width: 300, height: 200) + other)?.storedSize == size)
  }
}
