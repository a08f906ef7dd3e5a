import Fixtures
import Metadata
import Pixels
import Testing

@Suite struct JPEGFactsTests {
  private func read(_ bytes: [UInt8]) -> MediaFacts? { JPEGFacts.read(from: MemoryByteSource(bytes)) }

  /// Changes of one field each.
  static let changes: [@Sendable (inout MediaFacts) -> Void] = [
    { _ in },
    { $0.make = "NIKON CORPORATION" },
    { $0.make = "X" },
    { $0.model = "NIKON Z 6_2" },
    { $0.lens = "NIKKOR Z 24-70mm f/4 S — ü" },
    { $0.isoSpeed = 51200 },
    { $0.captureTime = CivilTime(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9) },
    {
      $0.captureTime = CivilTime(
        year: 1999, month: 12, day: 31, hour: 23, minute: 59, second: 59, utcOffset: -12600)
    },
    { $0.captureTime = CivilTime(year: 2024, month: 1, day: 1, hour: 0, minute: 0, second: 0, utcOffset: 0) },
  ]

  @Test(arguments: changes.indices, Orientation.allCases)
  func `Written metadata is read back`(change: Int, orientation: Orientation) throws {
    var photo = TestPhoto(width: 24, height: 16, orientation: orientation)
    Self.changes[change](&photo.facts)
    var expected = photo.facts
    expected.storedSize = photo.storedSize
    #expect(read(try photo.bytes()) == expected)
  }

  @Test(arguments: [1.0 / 8000, 1.0 / 4000, 1.0 / 250, 0.5, 0.6, 1, 1.4, 2.8, 30, 600])
  func `Fractional numbers are read back`(value: Double) throws {
    var photo = TestPhoto(width: 24, height: 16)
    photo.facts.exposureTime = value
    photo.facts.fNumber = value
    photo.facts.focalLength = value
    let facts = try #require(read(try photo.bytes()))
    for read in [facts.exposureTime, facts.fNumber, facts.focalLength] {
      #expect(abs(try #require(read) - value) <= value * 1e-4)
    }
  }

  @Test(arguments: [false, true])
  func `The thumbnail is found at its position`(hasCamera: Bool) throws {
    var photo = TestPhoto(width: 320, height: 240)
    if hasCamera { photo.setCamera() }
    photo.embedThumbnail()
    let file = try photo.file()
    let range = try #require(read(file.bytes)?.thumbnail)
    #expect(range == file.thumbnail)
    #expect(file.bytes[range].starts(with: [0xFF, 0xD8, 0xFF]))
    #expect(read(Array(file.bytes[range]))?.storedSize == PixelSize(width: 160, height: 120))
  }

  @Test(arguments: [
    [0], [0x12, 0xFF, 0x00, 0x34], [UInt8](repeating: 0xFF, count: 5000),
    [UInt8](repeating: 7, count: 300_000),
  ])
  func `Stray bytes between segments are skipped`(stray: [UInt8]) throws {
    let photo = TestPhoto(width: 24, height: 16, date: .day(3))
    let good = try photo.bytes()
    let facts = try #require(read(good))
    let second = 4 + (Int(good[4]) << 8 | Int(good[5]))
    for place in [2, second] {
      var bytes = good
      bytes.insert(contentsOf: stray, at: place)
      // Bytes at the very beginning must be distinguished from other formats.
      guard stray.count < 500 || place > 2 || stray[0] == 0xFF else { continue }
      #expect(read(bytes)?.storedSize == facts.storedSize)
      #expect(read(bytes)?.captureTime == facts.captureTime)
    }
    // A segment whose length is shorter than the length field.
    let short = Array(good.prefix(2)) + [0xFF, 0xEC, 0, 1] + good.dropFirst(2)
    #expect(read(short)?.captureTime == facts.captureTime)
  }

  @Test func `Reading endless fill bytes stops`() {
    let bytes =
      [0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 3 << 20) + MetadataSegments.jpeg([]).dropFirst(2)
    #expect(read(bytes) == nil)
  }

  @Test func `Without EXIF only the size is known`() throws {
    var photo = TestPhoto(width: 24, height: 16)
    photo.hasEXIF = false
    #expect(read(try photo.bytes()) == MediaFacts(storedSize: PixelSize(width: 24, height: 16)))
  }

  @Test func `A progressive file has its size in another segment`() throws {
    var photo = TestPhoto(width: 24, height: 16)
    photo.isProgressive = true
    #expect(read(try photo.bytes())?.storedSize == PixelSize(width: 24, height: 16))
  }

  @Test func `Segments before EXIF, fill bytes and another APP1 do no harm`() throws {
    var photo = TestPhoto(width: 24, height: 16, orientation: .rightTop)
    photo.setCamera()
    let bytes = try photo.bytes()
    let xmp = Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8)
    let extra: [UInt8] =
      [0xFF, 0xE0, 0, 4, 1, 2] + [0xFF, 0xFF, 0xFF, 0xE1, 0, UInt8(xmp.count + 2)] + xmp
      + [0xFF, 0xFE, 0, 2]
    let longer = Array(bytes[..<2]) + extra + Array(bytes[2...])
    #expect(read(longer) == read(bytes))
    #expect(read(longer)?.model == "Canon EOS 90D")
  }

  static let noPictures: [[UInt8]] = [
    [], [0xFF], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF], Array("GIF89a".utf8),
    [0xFF, 0xD8, 0xFF, 0xD9, 0, 0, 0, 0], [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 0, 0, 0],
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0, 0], [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 0, 0, 8, 1],
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 2, 0x12, 0x34],
  ]

  @Test(arguments: noPictures)
  func `A file without a frame is no picture`(bytes: [UInt8]) {
    #expect(read(bytes) == nil)
  }

  @Test func `The file's header is enough`() throws {
    var photo = TestPhoto(width: 640, height: 480)
    photo.quality = 100
    let bytes = try photo.bytes()
    let facts = read(bytes)
    #expect(facts != nil)
    #expect(read(Array(bytes.prefix(2000))) == facts)
  }
}
