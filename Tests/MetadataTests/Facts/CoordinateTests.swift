import Fixtures
import MediaFormats
import Metadata
import Testing

/// Locations as GPS receivers measure them.
@Suite struct CoordinateTests {
  private func place(_ latitude: String, _ longitude: String) -> Coordinate? {
    var facts = MediaFacts()
    facts.merge(
      xmp: MetadataSegments.xmp(
        attributes: "exif:GPSLatitude=\"\(latitude)\" exif:GPSLongitude=\"\(longitude)\""))
    return facts.coordinate
  }

  @Test func `The 0° 0° of a receiver without a fix is no location`() {
    for latitude in ["0,0N", "0,0S"] {
      for longitude in ["0,0E", "0,0,0W"] { #expect(place(latitude, longitude) == nil) }
    }
  }

  @Test(arguments: [
    ("1234/10", "0", 123.4), ("86/1", "1", -86), ("12.5", "0", 12.5), ("9/0", "0", nil), ("1/2/3", "0", nil),
    ("nan", "0", nil), ("99999999", "0", nil), ("", "0", nil),
  ])
  func `The altitude is read in meters, negative below sea level`(
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

  /// Latitude and longitude with separate references, as programs write them into XMP.
  typealias Apart = (
    latitude: String, south: String?, longitude: String, west: String?, north: Double, east: Double
  )

  static let apart: [Apart] = [
    ("33.8568", "S", "151.2153", "E", -33.8568, 151.2153),
    ("40.6892", "N", "74.0445", "W", 40.6892, -74.0445),
    ("40.6892", "n", "74.0445", "w", 40.6892, -74.0445),
    ("22.9519", "South", "43.2105", "West", -22.9519, -43.2105),
    ("-33.8568", nil, "-70.5", nil, -33.8568, -70.5), ("-33.8568", "S", "-70.5", "W", -33.8568, -70.5),
    ("48.8584", nil, "2.2945", nil, 48.8584, 2.2945),
    ("33,51.408S", "N", "151,12.918", "E", -33.8568, 151.2153),
    ("33,30", "S", "70,30,0", "W", -33.5, -70.5), ("33.5s", nil, "70.5 w", nil, -33.5, -70.5),
  ]

  @Test(arguments: apart)
  func `An XMP location is on the side given within or beside its value`(apart: Apart) throws {
    let sides = [("exif:GPSLatitudeRef", apart.south), ("exif:GPSLongitudeRef", apart.west)].compactMap {
      name, side in
      side.map { "\(name)=\"\($0)\"" }
    }
    for order in [sides, sides.reversed()] {
      var facts = MediaFacts()
      facts.merge(
        xmp: MetadataSegments.xmp(
          attributes: (order + [
            "exif:GPSLatitude=\"\(apart.latitude)\"", "exif:GPSLongitude=\"\(apart.longitude)\"",
          ]).joined(separator: " ")))
      let place = try #require(facts.coordinate)
      #expect(abs(place.latitude - apart.north) < 1e-9 && abs(place.longitude - apart.east) < 1e-9)
    }
  }

  @Test(arguments: [("S", "W", -1.0, -1.0), ("s", "w", -1, -1), ("n", "e", 1, 1), ("South", "west", -1, -1)])
  func `EXIF's references may be lowercase`(
    south: String, west: String, north: Double, east: Double
  ) throws {
    var (main, gps) = (TIFFFile(), TIFFFile())
    gps.text(1, south)
    gps.rationals(2, [33, 30, 0])
    gps.text(3, west)
    gps.rationals(4, [70, 15, 0])
    main.directory(0x8825, gps)
    let file = MetadataSegments.jpeg(MetadataSegments.exifSegment(main))
    let place = try #require(FileFacts.read(file, .jpeg)?.coordinate)
    #expect(place.latitude == 33.5 * north && place.longitude == 70.25 * east)
  }

  @Test func `Locations on the equator and the prime meridian are valid`() {
    #expect(place("0,0N", "9,30E") == Coordinate(latitude: 0, longitude: 9.5))
    #expect(place("51,30N", "0,0E") == Coordinate(latitude: 51.5, longitude: 0))
  }
}
