import Fixtures
import MediaFormats
import Metadata
import Pixels
import Testing

/// Files whose number of metadata blocks makes reading all of them take minutes.
@Suite struct EndlessBlocksTests {
  /// A header, then a block header over and over, each followed by megabytes of blanks, like a sparse file.
  private struct SparseSource: ByteSource {
    let head: [UInt8]
    let block: [UInt8]
    let blockLength: Int
    let count: Int
    let tail: [UInt8]
    let tally: Tally

    final class Tally { var bytes = 0 }

    func read(at offset: Int, count: Int) throws(Never) -> [UInt8] {
      let range = offset..<max(offset, min(self.count, offset + count))
      tally.bytes += range.count
      var bytes = [UInt8](repeating: 0x20, count: range.count)
      func lay(_ part: [UInt8], at start: Int) {
        for place in (start..<start + part.count).clamped(to: range) {
          bytes[place - offset] = part[place - start]
        }
      }
      lay(head, at: 0)
      let first = max(0, (offset - head.count) / blockLength)
      for start in stride(from: head.count + first * blockLength, to: range.upperBound, by: blockLength) {
        lay(block, at: start)
      }
      lay(tail, at: self.count - tail.count)
      return bytes
    }
  }

  private func bytesRead(
    _ head: [UInt8], _ block: [UInt8], blockLength: Int, tail: [UInt8] = []
  ) -> (Int, MediaReader.Reading) {
    let tally = SparseSource.Tally()
    let count = head.count + 1000 * blockLength + tail.count
    let source = SparseSource(
      head: head, block: block, blockLength: blockLength, count: count, tail: tail, tally: tally)
    let reading = MediaReader.read(from: source, byteCount: count)
    return (tally.bytes, reading)
  }

  private static let packetLength = 15 << 20

  @Test func `Reading a PNG of a thousand long texts stops after a while`() {
    let head = Array(PictureFiles.png(width: 300, height: 200).prefix(33))
    let keyword = Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0]
    let block = MediaBytes.big(keyword.count + Self.packetLength, 4) + Array("iTXt".utf8) + keyword
    let (bytes, reading) = bytesRead(head, block, blockLength: block.count + Self.packetLength + 4)
    #expect(bytes < 64 << 20)
    #expect(reading == .media(.png, MediaFacts(storedSize: PixelSize(width: 300, height: 200))))
  }

  @Test func `Reading a WebP or JPEG XL with a thousand packets stops after a while`() {
    let webp = PictureFiles.webp(PictureFiles.webpExtended(width: 300, height: 200))
    let block = Array("XMP ".utf8) + MediaBytes.little(Self.packetLength, 4)
    let (bytes, reading) = bytesRead(webp, block, blockLength: block.count + Self.packetLength)
    #expect(bytes < 64 << 20)
    #expect(reading == .media(.webp, MediaFacts(storedSize: PixelSize(width: 300, height: 200))))
    let picture = MediaBytes.box("jxlc", PictureFiles.jpegXL(width: 300, height: 200))
    let box = MediaBytes.big(Self.packetLength + 8, 4) + Array("xml ".utf8)
    let (more, other) = bytesRead(
      PictureFiles.jpegXLContainer(picture), box, blockLength: box.count + Self.packetLength)
    #expect(more < 64 << 20)
    #expect(other == .media(.jpegXL, MediaFacts(storedSize: PixelSize(width: 300, height: 200))))
  }

  @Test(arguments: [(1 << 24) + 1, 1 << 25, 0xFFFF_FFFF])
  func `An overlong extended packet is not assembled`(length: Int) {
    let identifier = "0123456789ABCDEF0123456789ABCDEF"
    let main = MetadataSegments.xmp(attributes: "xmpNote:HasExtendedXMP=\"\(identifier)\"")
    let jpeg = MetadataSegments.jpeg(MetadataSegments.xmpSegment(main))
    let mark = Array("http://ns.adobe.com/xmp/extension/\0\(identifier)".utf8)
    let block = [0xFF, 0xE1, 0xFF, 0xFF] + mark + MediaBytes.big(length, 4) + [0, 0, 0, 0]
    let (bytes, reading) = bytesRead(
      Array(jpeg.dropLast(15)), block, blockLength: 0xFFFF + 2, tail: Array(jpeg.suffix(15)))
    #expect(bytes < 16 << 20)
    #expect(reading == .media(.jpeg, MediaFacts(storedSize: PixelSize(width: 64, height: 48))))
  }

  @Test func `Of a thousand EXIF structures only a few are read`() {
    let head = Array(PictureFiles.png(width: 300, height: 200).prefix(33))
    let block = PictureFiles.pngChunk("eXIf", PictureReaderTests.exif.bytes())
    let (bytes, reading) = bytesRead(head, block, blockLength: 1 << 20)
    #expect(bytes < 64 << 20)
    guard case .media(.png, _) = reading else {
      Issue.record("no picture")
      return
    }
  }
}
