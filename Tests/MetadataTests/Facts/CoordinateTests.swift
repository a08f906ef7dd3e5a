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

  @Test(arguments: [
    ("1234/10", "0", 123.4), ("86/1", "1", -86), ("12.5", "0", 12.5), ("9/0", "0", nil), ("1/2/3", "0", nil),
    ("nan", "0", nil), ("99999999", "0", nil), ("", "0", nil),
  ])
  func `The height is read in meters, below the sea negative`(
    height: String, reference: String, expected: Double?
  ) {
    var facts = MediaFacts()
    facts.merge(
      xmp: MetadataSegments.xmp(
        attributes: "exif:GPSAltitudeRef=\"\(reference)\" exif:GPSAltitude=\"\(height)\" "
          + "exif:GPSLatitude=\"31,30N\" exif:GPSLongitude=\"35,30E\""))
    #expect(facts.coordinate?.latitude == 31.5)
    #expect(facts.coordinate?.altitude == expected)
  }

  @Test func `On the equator and on the meridian of Greenwich there are places`() {
    #expect(place("0,0N", "9,30E") == Coordinate(latitude: 0, longitude: 9.5))
    #expect(place("51,30N", "0,0E") == Coordinate(latitude: 51.5, longitude: 0))
  }
}
