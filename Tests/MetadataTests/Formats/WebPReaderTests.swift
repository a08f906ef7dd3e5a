import Fixtures
import MediaFormats
import Metadata
import Pixels
import Testing

/// What few writers of WebP do, and the format allows.
@Suite struct WebPReaderTests {
  private let head = PictureFiles.webpExtended(width: 300, height: 200)

  private func facts(_ chunks: [UInt8]) -> MediaFacts? {
    FileFacts.read(PictureFiles.webp(chunks), .webp)
  }

  @Test(arguments: 0...5)
  func `A chunk of odd length is followed by a byte that belongs to none`(length: Int) {
    let profile = PictureFiles.webpChunk("ICCP", [UInt8](repeating: 1, count: length))
    let exif = PictureFiles.webpChunk("EXIF", PictureReaderTests.exif.bytes())
    #expect(facts(head + profile + exif)?.make == "Canon")
  }

  @Test func `EXIF is read with the mark that JPEG puts before it and without`() {
    let mark = Array("Exif\0\0".utf8)
    for prefix in [[], mark] {
      let chunk = PictureFiles.webpChunk("EXIF", prefix + PictureReaderTests.exif.bytes())
      #expect(facts(head + chunk)?.make == "Canon")
    }
    let empty = facts(head + PictureFiles.webpChunk("EXIF", mark))
    #expect(empty == MediaFacts(storedSize: PixelSize(width: 300, height: 200)))
  }

  @Test(arguments: 0...3, 0...3)
  func `The scales that a lossy picture asks for are no part of its size`(across: Int, down: Int) {
    let picture = PictureFiles.webpLossy(width: 300 | across << 14, height: 200 | down << 14)
    #expect(facts(picture)?.storedSize == PixelSize(width: 300, height: 200))
  }

  @Test func `Of several headers, and of a picture before one, the first counts`() {
    let other = PictureFiles.webpExtended(width: 99, height: 77)
    let size = PixelSize(width: 300, height: 200)
    #expect(facts(head + other)?.storedSize == size)
    #expect(facts(PictureFiles.webpLossless(width: 300, height: 200) + other)?.storedSize == size)
  }
}
