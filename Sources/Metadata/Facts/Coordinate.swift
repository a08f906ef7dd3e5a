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
    guard abs(latitude) <= 90, abs(longitude) <= 180, latitude != 0 || longitude != 0 else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}
