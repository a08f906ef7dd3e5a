import AssetLibrary
import Fixtures
import MediaFormats
import Metadata
import Pixels
import Testing

@testable import Conversion

@Suite struct FramePhotoTests {
  @Test func `Date, fraction, offset and place are in the file`() throws {
    let size = PixelSize(width: 64, height: 48)
    let date = AssetDate(
      year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9, nanosecond: 340_000_000, utcOffset: 7200)
    let location = Location(latitude: 38.71667, longitude: -9.13333)
    let bytes = try #require(
      FramePhoto.jpeg(of: PixelBuffer(width: 64, height: 48, fill: 200), date, location))
    let facts = try #require(FileFacts.read(bytes, .jpeg))
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
        of: PixelBuffer(width: 8, height: 8, fill: 0), AssetDate(year: 2024, month: 5, day: 2), nil))
    let facts = try #require(FileFacts.read(bytes, .jpeg))
    #expect(facts.coordinate == nil && facts.captureTime?.utcOffset == nil)
  }
}
