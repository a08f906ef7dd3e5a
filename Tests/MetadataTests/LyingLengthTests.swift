import Fixtures
import MediaFormats
import Metadata
import Pixels
import Testing

/// Arbitrary lengths, counts and offsets in files: no sum of them may overflow.
@Suite struct LyingLengthTests {
  private func reading(_ bytes: [UInt8]) -> MediaReader.Reading {
    MediaReader.read(from: MemoryByteSource(bytes), byteCount: bytes.count)
  }

  private static let picture = MediaBytes.box("jxlc", PictureFiles.jpegXL(width: 300, height: 200))

  @Test func `A JPEG XL box with a 64-bit length is skipped`() {
    let signature = MediaBytes.box("JXL ", [0x0D, 0x0A, 0x87, 0x0A])
    let free = MediaBytes.largeBox("free", [])
    #expect(reading(signature + free + free) == .damaged(.jpegXL, "the file ends before the picture begins"))
    let bytes = PictureFiles.jpegXLContainer(free + free + free + Self.picture)
    let size = PixelSize(width: 300, height: 200)
    #expect(reading(bytes) == .media(.jpegXL, MediaFacts(storedSize: size)))
    let large = MediaBytes.largeBox("jxlc", PictureFiles.jpegXL(width: 300, height: 200))
    #expect(
      reading(PictureFiles.jpegXLContainer(free + large)) == .media(.jpegXL, MediaFacts(storedSize: size)))
  }

  private static let lies: [UInt64] = [
    0, 1, 15, 17, 0x8000_0000, 0x1_0000_0000, 0x8000_0000_0000, 0x1_0000_0000_0000, 0x4000_0000_0000_0000,
    0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFF0, .max,
  ]

  @Test(arguments: lies)
  func `A JPEG XL box with a wrong length hides what follows, and does no harm`(length: UInt64) {
    let free = MediaBytes.largeBox("free", [], length: length)
    guard case .damaged(.jpegXL, _) = reading(PictureFiles.jpegXLContainer(free + Self.picture)) else {
      Issue.record("a picture was found behind a box of \(length) bytes")
      return
    }
    // A picture before it is not lost.
    guard case .media(.jpegXL, let facts?) = reading(PictureFiles.jpegXLContainer(Self.picture + free)) else {
      Issue.record("no picture was found before a box of \(length) bytes")
      return
    }
    #expect(facts.storedSize == PixelSize(width: 300, height: 200))
  }

  /// Small files of every format that is read here, as far as readers go.
  private static let files: [(String, [UInt8])] =
    PictureReaderTests.complete.map { ("\($0.0)", $0.1) } + [
      ("box lengths of 64 bits", PictureFiles.jpegXLContainer(MediaBytes.largeBox("free", []) + picture)),
      ("parts", PictureFiles.jpegXLContainer(MediaBytes.largeBox("jxlp", [0, 0, 0, 0, 0xFF, 0x0A, 0, 0]))),
      ("IPTC", MetadataSegments.jpeg(MetadataSegments.iptcSegment(MetadataSegments.dataset(5, [0x54])))),
      (
        "EXIF", MetadataSegments.jpeg(MetadataSegments.exifSegment(PictureReaderTests.exif))
      ),
      (
        "Samsung",
        MetadataSegments.jpeg(
          MetadataSegments.exifSegment(
            {
              var tiff = TIFFFile()
              tiff.text(0x010F, "samsung")
              return tiff
            }())) + MetadataSegments.samsungTrailer(MetadataSegments.video)
      ),
      ("raw", HandmadeDNG(width: 2, height: 2).bytes),
      ("old movie", MediaBytes.box("wide", []) + MediaBytes.box("moov", [])),
    ]

  /// Values where sums overflow and signs flip, and plausible header values.
  private static let edges: [UInt64] = [0, 1, 16, 0x7FFF_FFFF_FFFF_FFF0, 0x8000_0000_0000_0000, .max]

  @Test(arguments: files)
  func `Any number anywhere in a file does no harm`(name: String, file: [UInt8]) {
    // As in a scan, with memory shared by all files: allocating it each time takes longer than the test.
    var room = MediaReader.Room()
    for place in 2..<min(file.count, 400) {
      for edge in Self.edges {
        for width in [4, 8] {
          // The highest bits of a value, so that four bytes get their own.
          let high = (0..<width).map { UInt8(truncatingIfNeeded: edge >> UInt64(56 - 8 * $0)) }
          let number = edge < 32 ? MediaBytes.big(Int(edge), width) : high
          for number in [number, number.reversed()] {
            var bytes = file
            let end = min(file.count, place + width)
            bytes.replaceSubrange(place..<end, with: number.prefix(end - place))
            let reading = MediaReader.read(
              from: MemoryByteSource(bytes), byteCount: bytes.count, room: &room)
            guard case .media(_, let facts?) = reading else { continue }
            if let range = facts.thumbnail { #expect(range.upperBound <= bytes.count) }
            if let range = facts.motionVideo { #expect(range.upperBound <= bytes.count) }
          }
        }
      }
    }
  }
}
