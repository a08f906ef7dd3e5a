import AssetLibrary
import Fixtures
import Pixels
import Rendering
import Testing

@testable import Decoding

/// State that libjpeg keeps from one marker to the next, and from one file to the next.
@Suite struct JPEGStateTests {
  private func progressive() throws -> [UInt8] {
    var photo = TestPhoto(width: 64, height: 48)
    photo.isProgressive = true
    return try photo.bytes()
  }

  /// A frame header, baseline or progressive, with `components` components.
  private func frame(_ marker: UInt8, components: UInt8) -> [UInt8] {
    let count = 8 + 3 * components
    let parts = (1...components).flatMap { [$0, 0x11, 0] as [UInt8] }
    return [0xFF, marker, 0, count, 8, 0x10, 0, 0x10, 0, components] + parts
  }

  @Test(arguments: [0xC0, 0xC1, 0xC2, 0xC9, 0xCA] as [UInt8], [1, 3, 4, 10] as [UInt8])
  func `A second frame after the scans ends the picture, which is that of the first`(
    marker: UInt8, components: UInt8
  ) throws {
    let good = try progressive()
    for place in 1...3 {
      let scans = good.indices.filter { good[$0...].starts(with: [0xFF, 0xDA]) }
      // Before a table between two scans, or the end marker.
      let end = place < 3 ? scans[place] : good.count - 2
      let bytes = good[..<end] + frame(marker, components: components) + good[end...]
      for side in [64, 32, 8] {
        let picture = try #require(try decode(Array(bytes), needed: { _ in .square(side) }))
        #expect(picture.sourceSize == PixelSize(width: 64, height: 48))
        #expect(!picture.complaint.isEmpty)
        #expect(TestPicture.corners(of: picture.pixels) == TestPicture.Corner.allCases)
      }
    }
  }

  /// A file without the segments of a kind.
  private func removing(_ marker: UInt8, from bytes: [UInt8]) -> [UInt8] {
    var rest = bytes
    var place = 2
    while rest[place + 1] != 0xDA {
      let count = 2 + (Int(rest[place + 2]) << 8 | Int(rest[place + 3]))
      if rest[place + 1] == marker { rest.removeSubrange(place..<place + count) } else { place += count }
    }
    return rest
  }

  @Test func `A file without tables is not decoded with those of the previous file`() throws {
    let good = try TestPhoto(width: 64, height: 48).bytes()
    let bare = removing(0xDB, from: good)
    guard var decoder = ImageDecoder() else { throw FixtureError("no decoder") }
    #expect(throws: AssetError.self) { try decode(bare) }
    _ = try decoder.decode(MemoryReader(good), name: "a", needed: { $0 })
    #expect(throws: AssetError.self) { try decoder.decode(MemoryReader(bare), name: "b", needed: { $0 }) }
  }
}
