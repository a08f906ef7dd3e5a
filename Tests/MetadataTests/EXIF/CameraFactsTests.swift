import Fixtures
import Metadata
import Testing

/// EXIF directories put together by hand, for what the writer does not write.
@Suite struct CameraFactsTests {
  private struct Entry {
    var tag: UInt16
    var type: UInt16
    var count: UInt32
    var value: [UInt8]
  }

  private func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A directory at `offset` followed by its values.
  private func directory(_ entries: [Entry], at offset: Int) -> [UInt8] {
    var table = bytes(UInt32(entries.count), 2)
    var values: [UInt8] = []
    let start = offset + 2 + entries.count * 12 + 4
    for entry in entries {
      table += bytes(UInt32(entry.tag), 2) + bytes(UInt32(entry.type), 2) + bytes(entry.count, 4)
      if entry.value.count <= 4 {
        table += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        table += bytes(UInt32(start + values.count), 4)
        values += entry.value
      }
    }
    return table + [0, 0, 0, 0] + values
  }

  /// The metadata of a JPEG whose EXIF has the given photo and GPS entries.
  private func facts(photo: [Entry] = [], gps: [Entry] = []) throws -> MediaFacts {
    let photoStart = 8 + 2 + 2 * 12 + 4
    let photoBytes = directory(photo, at: photoStart)
    let gpsStart = photoStart + photoBytes.count
    let main = [
      Entry(tag: 0x8769, type: 4, count: 1, value: bytes(UInt32(photoStart), 4)),
      Entry(tag: 0x8825, type: 4, count: 1, value: bytes(UInt32(gpsStart), 4)),
    ]
    let tiff =
      [0x49, 0x49, 42, 0, 8, 0, 0, 0] + directory(main, at: 8) + photoBytes
      + directory(gps, at: gpsStart)
    let payload = Array("Exif\0\0".utf8) + tiff
    let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 30, 0, 40, 1, 1, 0x11, 0]
    let jpeg =
      [0xFF, 0xD8, 0xFF, 0xE1, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 0xFF)]
      + payload + frame
    return try #require(JPEGFacts.read(from: MemoryByteSource(jpeg)))
  }

  private func rationals(_ values: [(UInt32, UInt32)]) -> [UInt8] {
    values.flatMap { bytes($0.0, 4) + bytes($0.1, 4) }
  }

  private func place(_ north: String, _ east: String, denominator: UInt32 = 1) -> [Entry] {
    [
      Entry(tag: 1, type: 2, count: 2, value: Array(north.utf8) + [0]),
      Entry(tag: 2, type: 5, count: 3, value: rationals([(38, denominator), (42, 1), (36, 1)])),
      Entry(tag: 3, type: 2, count: 2, value: Array(east.utf8) + [0]),
      Entry(tag: 4, type: 5, count: 3, value: rationals([(9, denominator), (8, 1), (24, 1)])),
    ]
  }

  @Test func `A location is read in degrees, minutes and seconds`() throws {
    let place = try #require(try facts(gps: place("S", "W")).coordinate)
    #expect(abs(place.latitude + 38.71) < 1e-9)
    #expect(abs(place.longitude + 9.14) < 1e-9)
    #expect(try #require(try facts(gps: self.place("N", "E")).coordinate).latitude > 38)
  }

  @Test(
    arguments: [(0, 1, 431.5), (1, 1, -431.5), (3, 1, -431.5), (0, 0, nil)] as [(UInt8, UInt32, Double?)])
  func `An altitude has its sign in a field of its own`(
    reference: UInt8, denominator: UInt32, expected: Double?
  ) throws {
    let height = [
      Entry(tag: 5, type: 1, count: 1, value: [reference]),
      Entry(tag: 6, type: 5, count: 1, value: rationals([(863, denominator * 2)])),
    ]
    #expect(try #require(try facts(gps: place("N", "E") + height).coordinate).altitude == expected)
  }

  @Test func `An impossible location is ignored`() throws {
    #expect(try facts(gps: place("N", "E", denominator: 0)).coordinate == nil)
    var far = place("N", "E")
    far[1].value = rationals([(91, 1), (0, 1), (0, 1)])
    #expect(try facts(gps: far).coordinate == nil)
    #expect(try facts(gps: Array(place("N", "E").prefix(2))).coordinate == nil)
  }

  @Test func `Unknown minutes and seconds count as zero, unknown degrees as no location`()
    throws
  {
    var place = place("N", "E")
    place[1].value = rationals([(38, 1), (30, 1), (0, 0)])
    place[3].value = rationals([(9, 1), (0, 0), (1, 0)])
    #expect(try facts(gps: place).coordinate == Coordinate(latitude: 38.5, longitude: 9))
    place[3].value = rationals([(0, 0), (8, 1), (24, 1)])
    #expect(try facts(gps: place).coordinate == nil)
  }

  @Test(arguments: [(9, -2), (4, 0xFFFF_FFFE)] as [(UInt16, Int)])
  func `A number is signed if its type is`(type: UInt16, expected: Int) throws {
    let entry = Entry(tag: 0xA401, type: type, count: 1, value: [0xFE, 0xFF, 0xFF, 0xFF])
    #expect(try facts(photo: [entry]).customRendered == expected)
  }

  @Test func `Camera settings and the user comment are read`() throws {
    let comment = Array("ASCII\0\0\0Screenshot".utf8)
    let facts = try facts(photo: [
      Entry(tag: 0x9286, type: 7, count: UInt32(comment.count), value: comment),
      Entry(tag: 0xA401, type: 3, count: 1, value: [6, 0]),
    ])
    #expect(facts.customRendered == 6)
    #expect(facts.userComment == "Screenshot")
    let blank = Array("ASCII\0\0\0    ".utf8)
    #expect(
      try self.facts(photo: [Entry(tag: 0x9286, type: 7, count: UInt32(blank.count), value: blank)])
        .userComment == nil)
  }

  @Test func `Apple's maker note has the burst identifier`() throws {
    // Big-endian, with offsets from the note's first byte.
    let identifier = Array("5D2C-81\0".utf8)
    let note =
      Array("Apple iOS\0\0\u{1}MM".utf8) + [0, 2] + [0, 0x0A, 0, 9, 0, 0, 0, 1, 0, 0, 0, 3]
      + [0, 0x0B, 0, 2, 0, 0, 0, 8, 0, 0, 0, 44] + [0, 0, 0, 0] + identifier
    let facts = try facts(photo: [Entry(tag: 0x927C, type: 7, count: UInt32(note.count), value: note)])
    #expect(facts.hdrImageType == 3)
    #expect(facts.burstIdentifier == "5D2C-81")
    #expect(facts.contentIdentifier == nil)
    // A truncated note yields less, and never crashes.
    for length in 0..<note.count {
      let cut = Array(note.prefix(length))
      _ = try self.facts(photo: [Entry(tag: 0x927C, type: 7, count: UInt32(length), value: cut)])
    }
  }
}
