import Fixtures
import Metadata
import Pixels
import Testing

/// Metadata of malformed files: values or nothing, never a crash.
@Suite struct DamagedFactsTests {
  private func photo() -> TestPhoto {
    var photo = TestPhoto(width: 32, height: 24, orientation: .leftBottom, date: .day(3))
    photo.setCamera()
    photo.thumbnail = TestPicture.make(width: 16, height: 12)
    return photo
  }

  @Test func `A file truncated anywhere yields all metadata or none`() throws {
    let bytes = try photo().bytes()
    let whole = JPEGFacts.read(from: MemoryByteSource(bytes))
    #expect(whole?.thumbnail != nil)
    var room = MediaReader.Room()
    for count in 0...bytes.count {
      let facts = JPEGFacts.read(from: MemoryByteSource(Array(bytes.prefix(count))), room: &room)
      #expect(facts == nil || facts == whole, "\(count) of \(bytes.count)")
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `Flipped bytes cause no crash and no offset outside the file`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let good = try photo().bytes()
    var room = MediaReader.Room()
    for _ in 0..<100 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        // Only the header is read.
        bytes[Int.random(in: 2..<700, using: &random) % bytes.count] = .random(in: 0...255, using: &random)
      }
      guard let facts = JPEGFacts.read(from: MemoryByteSource(bytes), room: &room) else { continue }
      #expect(!facts.storedSize.isEmpty)
      if let range = facts.thumbnail { #expect(range.upperBound <= bytes.count) }
    }
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `An EXIF segment of noise leaves the size`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let noise = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
    for start in [[], [0x49, 0x49, 42, 0, 8, 0, 0, 0], [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]] as [[UInt8]] {
      let facts = JPEGFacts.read(from: MemoryByteSource(HandmadeEXIF.file(start + noise)))
      #expect(facts?.storedSize == PixelSize(width: 64, height: 48))
    }
  }

  @Test func `Directories that refer to themselves end`() {
    // The first directory has no entries and is followed by itself.
    let facts = JPEGFacts.read(
      from: MemoryByteSource(HandmadeEXIF.file([0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 8])))
    #expect(facts == MediaFacts(storedSize: PixelSize(width: 64, height: 48)))
  }
}
