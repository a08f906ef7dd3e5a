import Fixtures
import MediaFormats
import Metadata
import Pixels
import TestScheduling
import Testing

/// The formats whose metadata is read here, except JPEG.
@Suite struct PictureReaderTests {
  private func reading(_ bytes: [UInt8]) -> MediaReader.Reading {
    MediaReader.read(from: MemoryByteSource(bytes), byteCount: bytes.count)
  }

  /// The same as in a scan, with memory reused from previous files.
  private func reading(_ bytes: [UInt8], _ room: inout MediaReader.Room) -> MediaReader.Reading {
    MediaReader.read(from: MemoryByteSource(bytes), byteCount: bytes.count, room: &room)
  }

  private func facts(_ bytes: [UInt8], _ format: FileFormat) -> MediaFacts? {
    guard case .media(format, let facts) = reading(bytes) else { return nil }
    return facts
  }

  static var exif: TIFFFile {
    var photo = TIFFFile()
    photo.text(0x9003, "2024:05:02 14:10:09")
    var file = TIFFFile()
    file.text(0x010F, "Canon")
    file.short(0x0112, 6)
    file.directory(0x8769, photo)
    return file
  }

  static let xmp = MetadataSegments.xmp(attributes: "xmp:Rating=\"4\"")

  static let size = PixelSize(width: 300, height: 200)

  /// Files with the same metadata in each format.
  static let complete: [(FileFormat, [UInt8])] = [
    (
      .png,
      PictureFiles.png(
        width: 300, height: 200, before: PictureFiles.pngChunk("eXIf", exif.bytes()), dataChunks: 3,
        behind: PictureFiles.pngText("XML:com.adobe.xmp", xmp, isInternational: true))
    ),
    (
      .webp,
      PictureFiles.webp(
        PictureFiles.webpExtended(width: 300, height: 200) + PictureFiles.webpLossy(width: 300, height: 200)
          + PictureFiles.webpChunk("EXIF", exif.bytes()) + PictureFiles.webpChunk("XMP ", xmp))
    ),
    (
      .tiff,
      {
        var file = exif
        file.long(0x0100, 300)
        file.long(0x0101, 200)
        file.block(0x02BC, xmp, type: 1)
        return file.bytes()
      }()
    ),
    (
      .jpegXL,
      PictureFiles.jpegXLContainer(
        MediaBytes.box("Exif", [0, 0, 0, 0] + exif.bytes()) + MediaBytes.box("xml ", xmp)
          + MediaBytes.box("jxlc", PictureFiles.jpegXL(width: 300, height: 200, orientation: 6)))
    ),
    (.gif, PictureFiles.gif(width: 300, height: 200, frames: 3)),
    (.bmp, PictureFiles.bmp(width: 300, height: -200)),
  ]

  @Test(arguments: complete)
  func `Size, EXIF and XMP are found in each format`(format: FileFormat, bytes: [UInt8]) throws {
    let facts = try #require(self.facts(bytes, format))
    #expect(facts.storedSize == Self.size)
    guard format != .gif, format != .bmp else { return }
    #expect(facts.orientation == .rightTop)
    #expect(facts.make == "Canon")
    #expect(facts.captureTime?.year == 2024)
    #expect(facts.rating == 4)
  }

  @Test(arguments: complete)
  func `A truncated file yields metadata, a reason or no format, and never crashes`(
    format: FileFormat, bytes: [UInt8]
  ) {
    var room = MediaReader.Room()
    for count in 0..<bytes.count {
      switch reading(Array(bytes.prefix(count)), &room) {
      case .media(let found, let facts):
        #expect(found == format)
        #expect(facts?.storedSize == Self.size)
      case .damaged(let found, let reason):
        #expect(found == format)
        #expect(!reason.isEmpty)
      case .nothing: #expect(count < 32)
      }
    }
  }

  @Test(arguments: complete, 1...5 as ClosedRange<UInt64>)
  func `Flipped bytes never crash`(file: (FileFormat, [UInt8]), seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var understood = 0
    var room = MediaReader.Room()
    for _ in 0..<200 {
      var bytes = file.1
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      if case .media(_, let facts?) = reading(bytes, &room) {
        #expect(!facts.storedSize.isEmpty)
        understood += 1
      }
    }
    #expect(understood > 0)
  }

  @Test func `A BigTIFF yields the same as a TIFF`() {
    var file = TIFFFile(width: 300, height: 200)
    file.text(0x010F, "Canon")
    file.short(0x0112, 6)
    file.text(0x0132, "2024:05:02 14:10:09")
    file.block(0x02BC, Self.xmp, type: 1)
    let classic = facts(file.bytes(), .tiff)
    #expect(classic?.rating == 4 && classic?.make == "Canon")
    #expect(facts(file.bigBytes, .tiff) == classic)
    // Offsets and counts beyond the file are ignored.
    for place in stride(from: 8, to: 100, by: 4) {
      var bytes = file.bigBytes
      bytes.replaceSubrange(place..<place + 8, with: [UInt8](repeating: 0xFF, count: 8))
      _ = reading(bytes)
    }
  }

  @Test func `Animated pictures are distinguished from still ones`() {
    func isAnimated(_ bytes: [UInt8], _ format: FileFormat) -> Bool? {
      facts(bytes, format).map { $0.hints.contains(.animated) }
    }
    #expect(isAnimated(PictureFiles.gif(width: 9, height: 9, frames: 2, loops: false), .gif) == true)
    #expect(isAnimated(PictureFiles.gif(width: 9, height: 9, frames: 1), .gif) == false)
    for frames in [1, 2] {
      let control = PictureFiles.pngChunk("acTL", MediaBytes.big(frames, 4) + [0, 0, 0, 0])
      #expect(isAnimated(PictureFiles.png(width: 9, height: 9, before: control), .png) == (frames > 1))
      let frame = PictureFiles.webpChunk("ANMF", [UInt8](repeating: 0, count: 16))
      let webp =
        PictureFiles.webpExtended(width: 9, height: 9) + Array(repeatElement(frame, count: frames).joined())
      #expect(isAnimated(PictureFiles.webp(webp), .webp) == (frames > 1))
    }
    #expect(isAnimated(PictureFiles.jpegXL(width: 9, height: 9, isAnimated: true), .jpegXL) == true)
    #expect(isAnimated(PictureFiles.jpegXL(width: 9, height: 9), .jpegXL) == false)
  }

  @Test func `The variants of WebP and BMP have their sizes in different places`() {
    for chunk in [
      PictureFiles.webpLossy(width: 300, height: 200), PictureFiles.webpLossless(width: 300, height: 200),
    ] {
      #expect(facts(PictureFiles.webp(chunk), .webp)?.storedSize == Self.size)
    }
    for length in [12, 40, 124] {
      #expect(
        facts(PictureFiles.bmp(width: 300, height: 200, headerLength: length), .bmp)?.storedSize == Self.size)
    }
    let parts = MediaBytes.box("jxlp", [0, 0, 0, 0] + PictureFiles.jpegXL(width: 300, height: 200))
    #expect(facts(PictureFiles.jpegXLContainer(parts), .jpegXL)?.storedSize == Self.size)
  }

  @Test(arguments: [
    ("2024-05-02T14:10:09+02:00", 7200 as Int?), ("2024:05:02 14:10:09", nil),
    ("Thu, 02 May 2024 14:10:09 GMT", 0),
    ("2 May 2024 14:10:09 +0200", 7200),
  ])
  func `PNG texts are read`(time: String, offset: Int?) throws {
    let texts =
      PictureFiles.pngText("Title", [0x46, 0xFC]) + PictureFiles.pngText("Creation Time", Array(time.utf8))
      + PictureFiles.pngText("Description", Array("Grüße".utf8), isInternational: true)
    let facts = try #require(self.facts(PictureFiles.png(width: 3, height: 2, before: texts), .png))
    #expect(facts.title == "Fü")
    #expect(facts.caption == "Grüße")
    #expect(
      facts.captureTime
        == CivilTime(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9, utcOffset: offset))
  }

  @Test(arguments: [1, 2, 7, 5000])
  func `Chunks after a PNG's picture are found however many there are`(chunks: Int) {
    let bytes = PictureFiles.png(
      width: 3, height: 2, dataChunks: chunks,
      behind: PictureFiles.pngText("XML:com.adobe.xmp", Self.xmp, isInternational: true))
    #expect(facts(bytes, .png)?.rating == 4)
  }

  @Test(arguments: [
    (PictureFiles.png(width: 0, height: 5), FileFormat.png, "its header is damaged"),
    (
      Array(PictureFiles.png(width: 9, height: 5).prefix(12)), .png, "the file ends before the picture begins"
    ),
    ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg, "the file ends before the picture begins"),
    ([0xFF, 0xD8, 0xFF, 0xD9, 0, 0, 0, 0], .jpeg, "its header is damaged"),
  ])
  func `A file that announces a picture and has none is damaged`(
    bytes: [UInt8], format: FileFormat, reason: String
  ) {
    #expect(reading(bytes) == .damaged(format, reason))
  }

  @Test(arguments: [FileFormat.heic, .mp4, .nef])
  func `Formats read by the helper are only recognized`(format: FileFormat) {
    var raw = TIFFFile()
    raw.text(0x010F, "NIKON")
    raw.long(0x00FE, 1)
    let bytes = format == .nef ? raw.bytes() : MediaBytes.ftyp(format == .heic ? "heic" : "isom")
    #expect(reading(bytes) == .media(format, nil))
  }

  @Test(arguments: [(0, 0), (0, 6), (4, 3), (4, 20)])
  func `A GIF whose screen is smaller than its first frame has the size of that`(width: Int, height: Int) {
    let first = PixelSize(width: 8, height: 6)
    let gif = HandmadeAnimation(
      size: PixelSize(width: width, height: height),
      [.init([1, 2, 3, 255], left: 3, top: 1, size: first), .init([3, 2, 1, 255], size: Self.size)])
    #expect(facts(gif.gif, .gif)?.storedSize == first)
    #expect(facts(gif.gif, .gif)?.hints.contains(.animated) == true)
    let larger = HandmadeAnimation(size: Self.size, [.init([1, 2, 3, 255], left: 299, size: first)])
    #expect(facts(larger.gif, .gif)?.storedSize == Self.size)
  }

  /// Bytes at the beginning and the end of a file of the largest possible length.
  private struct SparseSource: ByteSource {
    var head: [UInt8]
    var tail: [UInt8]
    var count: Int

    func read(at offset: Int, count wanted: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: max(0, min(wanted, count - offset)))
      let asked = offset..<offset + bytes.count
      for (part, start) in [(head, 0), (tail, count - tail.count)] {
        let there = asked.clamped(to: start..<start + part.count)
        for place in there { bytes[place - offset] = part[place - start] }
      }
      return bytes
    }
  }

  // The limit of what is read, and values around it; each takes a second.
  @Test(
    arguments: TestSize.isLong ? [1 << 31, 1 << 53, 1 << 56, 1 << 62, Int.max] : [1 << 31, 1 << 56, Int.max])
  func `A sparse file of any length is read to the maximum file length`(count: Int) throws {
    let trailer = Array(MetadataSegments.samsungTrailer(MetadataSegments.video))
    var room = MediaReader.Room()
    for file in HostileFiles.all where file.bytes.count < 1 << 16 {
      for tail in [trailer, file.bytes] {
        let source = SparseSource(head: file.bytes, tail: tail, count: count)
        if case .media(_, let facts?) = MediaReader.read(from: source, byteCount: count, room: &room) {
          for range in [facts.motionVideo, facts.thumbnail].compactMap({ $0 }) {
            #expect(range.lowerBound >= 0 && range.upperBound <= count)
          }
        }
        _ = MediaReader.metadata(from: source, byteCount: count)
      }
    }
  }
}
