import AssetLibrary
import Fixtures
import MediaFormats
import Metadata
import Pixels
import Testing

@testable import Conversion

@Suite struct FramePhotoTests {
  private static func facts(of bytes: [UInt8]) -> MediaFacts? {
    guard
      case .media(.jpeg, let facts) = MediaReader.read(
        from: MemoryByteSource(bytes), byteCount: bytes.count)
    else { return nil }
    return facts
  }

  @Test func `Date, fraction, offset and place are in the file`() throws {
    let size = PixelSize(width: 64, height: 48)
    let date = AssetDate(
      year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9, nanosecond: 340_000_000, utcOffset: 7200)
    let location = Location(latitude: 38.71667, longitude: -9.13333)
    let bytes = try #require(
      FramePhoto.jpeg(
        of: PixelBuffer(size: size, filledWith: .init(red: 200, green: 20, blue: 2)), date, location))
    let facts = try #require(Self.facts(of: bytes))
    #expect(facts.storedSize == size && facts.orientation == .topLeft)
    let time = try #require(facts.captureTime)
    #expect((time.hour, time.minute, time.second, time.nanosecond) == (14, 10, 9, 340_000_000))
    #expect(time.utcOffset == 7200)
    let place = try #require(facts.coordinate)
    #expect(abs(place.latitude - 38.71667) < 1e-7 && abs(place.longitude + 9.13333) < 1e-7)
  }

  @Test func `Without a place none is written`() throws {
    let bytes = try #require(
      FramePhoto.jpeg(
        of: PixelBuffer(
          size: PixelSize(width: 8, height: 8), filledWith: .init(red: 0, green: 0, blue: 0)),
        AssetDate(year: 2024, month: 5, day: 2), nil))
    let facts = try #require(Self.facts(of: bytes))
    #expect(facts.coordinate == nil && facts.captureTime?.utcOffset == nil)
  }
}
