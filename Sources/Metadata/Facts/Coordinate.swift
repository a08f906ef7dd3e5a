/// A place on the earth in degrees, north and east positive.
package struct Coordinate: Hashable, Sendable {
  package var latitude: Double
  package var longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// A place as a receiver measured it; nil where it can't be one, or is the 0° 0° of a receiver that knew
  /// none.
  init?(measuredLatitude latitude: Double, longitude: Double) {
    self.init(latitude: latitude, longitude: longitude)
    guard isOnEarth, latitude != 0 || longitude != 0 else { return nil }
  }

  /// Whether the numbers are angles that a place can have; NaN is none.
  var isOnEarth: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }
}
