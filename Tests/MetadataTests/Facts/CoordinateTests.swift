import Fixtures
import Metadata
import Testing

/// Places as receivers measure them.
@Suite struct CoordinateTests {
  private func place(_ latitude: String, _ longitude: String) -> Coordinate? {
    var facts = MediaFacts()
    facts.merge(
      xmp: MetadataSegments.xmp(
        attributes: "exif:GPSLatitude=\"\(latitude)\" exif:GPSLongitude=\"\(longitude)\""))
    return facts.coordinate
  }

  @Test func `The 0° 0° of a receiver that knows no place is none`() {
    for latitude in ["0,0N", "0,0S"] {
      for longitude in ["0,0E", "0,0,0W"] { #expect(place(latitude, longitude) == nil) }
    }
  }

  @Test func `On the equator and on the meridian of Greenwich there are places`() {
    #expect(place("0,0N", "9,30E") == Coordinate(latitude: 0, longitude: 9.5))
    #expect(place("51,30N", "0,0E") == Coordinate(latitude: 51.5, longitude: 0))
  }
}
