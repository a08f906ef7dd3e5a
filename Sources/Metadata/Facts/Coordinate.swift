/// A place on the earth in degrees, north and east positive.
package struct Coordinate: Hashable, Sendable {
  package var latitude: Double
  package var longitude: Double
  /// Meters above the sea; nil where nobody measured them, or where no camera has ever been.
  package private(set) var altitude: Double?

  package init(latitude: Double, longitude: Double, altitude: Double? = nil) {
    self.latitude = latitude
    self.longitude = longitude
    // From the bottom of the sea to satellites.
    self.altitude = altitude.flatMap { (-12_000...1_000_000).contains($0) ? $0 : nil }
  }

  /// A place as a receiver measured it; nil where it can't be one, or is the 0° 0° of a receiver that knew
  /// none.
  init?(measuredLatitude latitude: Double, longitude: Double, altitude: Double?) {
    self.init(latitude: latitude, longitude: longitude, altitude: altitude)
    guard isOnEarth, latitude != 0 || longitude != 0 else { return nil }
  }

  /// Whether the numbers are angles that a place can have; NaN is none.
  package var isOnEarth: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }
}
